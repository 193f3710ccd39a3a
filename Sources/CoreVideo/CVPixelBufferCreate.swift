// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Core Video's.
import Foundation

/// Called when a buffer over the caller's bytes goes, with the caller's own pointer and the bytes.
public typealias CVPixelBufferReleaseBytesCallback =
  @convention(c) (UnsafeMutableRawPointer?, UnsafeRawPointer?) -> Void

/// Called when a buffer over the caller's planes goes: the caller's own pointer, the whole, its size in bytes, the
/// number of planes and where each begins.
public typealias CVPixelBufferReleasePlanarBytesCallback =
  @convention(c) (UnsafeMutableRawPointer?, UnsafeRawPointer?, Int, Int, UnsafeMutablePointer<UnsafeRawPointer?>?) ->
  Void

/// The largest buffer, in bytes: 2 GiB.
private let maximumBytes = 1 << 31

/// A buffer of zeros.
///
/// Rows begin at multiples of 64 bytes, or of what `kCVPixelBufferBytesPerRowAlignmentKey` says where that is more.
/// Answers `kCVReturnInvalidSize` for extents that are not positive, `kCVReturnInvalidPixelFormat` for formats that are
/// not known, `kCVReturnInvalidPixelBufferAttributes` for an alignment that is no power of two up to 65536 and
/// `kCVReturnAllocationFailed` for more than 2 GiB; `pixelBufferOut` is `nil` then.
@discardableResult
public func CVPixelBufferCreate(
  _ allocator: CFAllocator?,
  _ width: Int,
  _ height: Int,
  _ pixelFormatType: OSType,
  _ pixelBufferAttributes: CFDictionary?,
  _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
) -> CVReturn {
  pixelBufferOut.pointee = nil
  let attributes = pixelBufferAttributes ?? [:]
  guard width > 0, height > 0 else { return kCVReturnInvalidSize }
  guard let format = PixelFormat(pixelFormatType) else { return kCVReturnInvalidPixelFormat }
  guard let alignment = rowAlignment(attributes) else { return kCVReturnInvalidPixelBufferAttributes }
  let shapes: [(bytes: Int, shrink: Int)]
  let isPlanar: Bool
  switch format {
  case .packed(let bytes): (shapes, isPlanar) = ([(bytes, 1)], false)
  case .planar(let planes): (shapes, isPlanar) = (planes, true)
  }
  guard width <= maximumBytes, height <= maximumBytes else { return kCVReturnAllocationFailed }
  let extents = shapes.map { shape in
    let columns = (width + shape.shrink - 1) / shape.shrink
    let row = (columns * shape.bytes + alignment - 1) / alignment * alignment
    return (width: columns, height: (height + shape.shrink - 1) / shape.shrink, row: row)
  }
  var size = 0
  for extent in extents {
    let (bytes, overflow) = extent.row.multipliedReportingOverflow(by: extent.height)
    guard !overflow, bytes <= maximumBytes - size else { return kCVReturnAllocationFailed }
    size += bytes
  }
  var memory: UnsafeMutableRawPointer?
  guard posix_memalign(&memory, max(alignment, 64), size) == 0, let memory else { return kCVReturnAllocationFailed }
  memory.initializeMemory(as: UInt8.self, repeating: 0, count: size)
  var planes: [CVBuffer.Plane] = []
  var start = memory
  for extent in extents {
    planes.append(.init(base: start, width: extent.width, height: extent.height, bytesPerRow: extent.row))
    start += extent.row * extent.height
  }
  pixelBufferOut.pointee = CVBuffer(
    width: width,
    height: height,
    pixelFormat: pixelFormatType,
    planes: planes,
    isPlanar: isPlanar,
    dataSize: size,
    attributes: attributes,
    release: { free(memory) }
  )
  return kCVReturnSuccess
}

/// `nil` for what is no power of two up to 65536.
private func rowAlignment(_ attributes: CFDictionary) -> Int? {
  guard let given = attributes[kCVPixelBufferBytesPerRowAlignmentKey] else { return 64 }
  guard let number = wholeNumber(given), (1...65536).contains(number), number & (number - 1) == 0 else { return nil }
  return max(number, 64)
}

/// A buffer over the caller's bytes, which stay until `releaseCallback` is called, with `releaseRefCon`.
///
/// Answers as `CVPixelBufferCreate` does, and `kCVReturnInvalidArgument` for rows that are shorter than their pixels
/// and for formats with planes.
@discardableResult
public func CVPixelBufferCreateWithBytes(
  _ allocator: CFAllocator?,
  _ width: Int,
  _ height: Int,
  _ pixelFormatType: OSType,
  _ baseAddress: UnsafeMutableRawPointer,
  _ bytesPerRow: Int,
  _ releaseCallback: CVPixelBufferReleaseBytesCallback?,
  _ releaseRefCon: UnsafeMutableRawPointer?,
  _ pixelBufferAttributes: CFDictionary?,
  _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
) -> CVReturn {
  pixelBufferOut.pointee = nil
  guard width > 0, height > 0 else { return kCVReturnInvalidSize }
  guard let format = PixelFormat(pixelFormatType) else { return kCVReturnInvalidPixelFormat }
  let (size, overflow) = bytesPerRow.multipliedReportingOverflow(by: height)
  guard case .packed(let bytes) = format, width <= maximumBytes, bytesPerRow >= width * bytes, !overflow else {
    return kCVReturnInvalidArgument
  }
  pixelBufferOut.pointee = CVBuffer(
    width: width,
    height: height,
    pixelFormat: pixelFormatType,
    planes: [.init(base: baseAddress, width: width, height: height, bytesPerRow: bytesPerRow)],
    isPlanar: false,
    dataSize: size,
    attributes: pixelBufferAttributes ?? [:],
    release: { releaseCallback?(releaseRefCon, baseAddress) }
  )
  return kCVReturnSuccess
}

/// A buffer over the caller's planes, which stay until `releaseCallback` is called, with `releaseRefCon`.
///
/// Answers as `CVPixelBufferCreate` does, and `kCVReturnInvalidArgument` for planes that are missing, not those of the
/// format or with rows shorter than their elements.
@discardableResult
public func CVPixelBufferCreateWithPlanarBytes(
  _ allocator: CFAllocator?,
  _ width: Int,
  _ height: Int,
  _ pixelFormatType: OSType,
  _ dataPtr: UnsafeMutableRawPointer?,
  _ dataSize: Int,
  _ numberOfPlanes: Int,
  _ planeBaseAddress: UnsafeMutablePointer<UnsafeMutableRawPointer?>,
  _ planeWidth: UnsafeMutablePointer<Int>,
  _ planeHeight: UnsafeMutablePointer<Int>,
  _ planeBytesPerRow: UnsafeMutablePointer<Int>,
  _ releaseCallback: CVPixelBufferReleasePlanarBytesCallback?,
  _ releaseRefCon: UnsafeMutableRawPointer?,
  _ pixelBufferAttributes: CFDictionary?,
  _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
) -> CVReturn {
  pixelBufferOut.pointee = nil
  guard width > 0, height > 0 else { return kCVReturnInvalidSize }
  guard let format = PixelFormat(pixelFormatType) else { return kCVReturnInvalidPixelFormat }
  guard case .planar(let shapes) = format, shapes.count == numberOfPlanes, width <= maximumBytes else {
    return kCVReturnInvalidArgument
  }
  var planes: [CVBuffer.Plane] = []
  for (index, shape) in shapes.enumerated() {
    let (columns, rows) = ((width + shape.shrink - 1) / shape.shrink, (height + shape.shrink - 1) / shape.shrink)
    guard let base = planeBaseAddress[index], planeWidth[index] >= columns, planeHeight[index] >= rows,
      planeBytesPerRow[index] >= columns * shape.bytes
    else { return kCVReturnInvalidArgument }
    let row = planeBytesPerRow[index]
    planes.append(.init(base: base, width: planeWidth[index], height: planeHeight[index], bytesPerRow: row))
  }
  nonisolated(unsafe) let bases = planes.map { UnsafeRawPointer($0.base) as UnsafeRawPointer? }  // a constant
  pixelBufferOut.pointee = CVBuffer(
    width: width,
    height: height,
    pixelFormat: pixelFormatType,
    planes: planes,
    isPlanar: true,
    dataSize: dataSize,
    attributes: pixelBufferAttributes ?? [:],
    release: {
      var bases = bases
      bases.withUnsafeMutableBufferPointer {
        releaseCallback?(releaseRefCon, UnsafeRawPointer(dataPtr), dataSize, $0.count, $0.baseAddress)
      }
    }
  )
  return kCVReturnSuccess
}

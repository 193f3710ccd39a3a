import CoreVideo
import Foundation
import Testing

// As people write it for Apple's systems.

/// Buffers with one writer, then many readers; attributes of several users.
@Suite struct OwnedBufferTests {
  private func grey(_ format: OSType = kCVPixelFormatType_OneComponent8) throws -> CVMutablePixelBuffer {
    let size = CVImageSize(width: 5, height: 4)
    return try CVMutablePixelBuffer(.init(pixelFormatType: .init(rawValue: format), size: size))
  }

  /// A frame whose rows count up.
  private func frame() throws -> CVReadOnlyPixelBuffer {
    var buffer = try grey()
    buffer.accessUnsafeMutableRawPlaneBytes { planes in
      let (properties, bytes) = planes[0]
      for y in 0..<properties.size.height {
        for x in 0..<properties.size.width { bytes[y * properties.bytesPerRow + x] = UInt8(y) }
      }
    }
    let isFilled = buffer.fillExtendedPixels()
    #expect(isFilled)
    return CVReadOnlyPixelBuffer(buffer)
  }

  @Test func whatOneWroteManyRead() async throws {
    let frame = try frame()
    #expect(frame.size == CVImageSize(width: 5, height: 4) && !frame.isPlanar && frame.planeCount == 1)
    #expect(frame.pixelFormatType.rawValue == kCVPixelFormatType_OneComponent8)
    let sums = await withTaskGroup(of: Int.self) { group in
      for row in 0..<4 {
        group.addTask {
          frame.accessUnsafeRawPlaneBytes { planes in
            let start = row * planes[0].properties.bytesPerRow
            return planes[0].bytes[start..<start + 5].reduce(0) { $0 + Int($1) }
          }
        }
      }
      return await group.reduce(into: [Int]()) { $0.append($1) }
    }
    #expect(sums.sorted() == [0, 5, 10, 15])
    #expect(try frame.withUnsafeBuffer { try $0.pixels(1) } == (0..<4).flatMap { Array(repeating: $0, count: 5) })
  }

  /// Without a copy.
  @Test func buffersAreTakenOver() throws {
    let made = try grey()
    let base = made.withUnsafeBuffer { UInt(bitPattern: CVPixelBufferGetBaseAddress($0)) }
    let frame = CVReadOnlyPixelBuffer(made)
    #expect(frame.withUnsafeBuffer { UInt(bitPattern: CVPixelBufferGetBaseAddress($0)) } == base)
    let other = CVMutablePixelBuffer(unsafeBuffer: try CVBuffer.of(2, 1, kCVPixelFormatType_OneComponent8, [3, 4]))
    let pixels: [UInt8] = other.accessUnsafeRawPlaneBytes { Array($0[0].bytes.prefix(2)) }
    #expect(pixels == [3, 4])
    let third = CVReadOnlyPixelBuffer(unsafeBuffer: try CVBuffer.of(1, 1, kCVPixelFormatType_OneComponent8, [5]))
    #expect(third.accessUnsafeRawPlaneBytes { $0[0].bytes[0] } == 5)
  }

  @Test func planesAreNamed() throws {
    let buffer = try grey(kCVPixelFormatType_420YpCbCr8BiPlanarFullRange)
    let (isPlanar, count, sizes) = (buffer.isPlanar, buffer.planeCount, buffer.planeProperties.map { $0.size })
    #expect(isPlanar && count == 2)
    #expect(sizes == [CVImageSize(width: 5, height: 4), CVImageSize(width: 3, height: 2)])
    let bytes: [Int] = buffer.accessUnsafeRawPlaneBytes { planes in planes.map { $0.bytes.count } }
    #expect(bytes == [64 * 4, 64 * 2])
  }

  @Test func whatCannotBeThrows() {
    #expect(throws: CVError.invalidPixelFormat) { try grey(0x1234_5678).size }
    #expect(throws: CVError.invalidSize) {
      let format = CVPixelFormatType(rawValue: kCVPixelFormatType_32BGRA)
      return try CVMutablePixelBuffer(.init(pixelFormatType: format, size: CVImageSize(width: 0, height: 1))).size
    }
    #expect(CVError(rawValue: kCVReturnSuccess) == nil && "\(CVError.invalidSize)" == "the buffer has no pixels")
    #expect(CVError(rawValue: -1)?.description.contains("-1") == true)
  }

  @Test func typesHaveNumbers() throws {
    let buffer = try CVBuffer.of(1, 1, kCVPixelFormatType_OneComponent8, [0])
    #expect(CFGetTypeID(buffer) == CVPixelBufferGetTypeID() && CFGetTypeID(NSNull()) != CVPixelBufferGetTypeID())
  }

  /// What `CVPixelBufferCreateResolvedAttributesDictionary` makes of dictionaries; `nil` where they contradict.
  private func resolved(_ given: Any...) -> CFDictionary? {
    var result: CFDictionary?
    let status = CVPixelBufferCreateResolvedAttributesDictionary(kCFAllocatorDefault, given as CFArray, &result)
    #expect(status == (result == nil ? kCVReturnInvalidPixelBufferAttributes : kCVReturnSuccess))
    return result
  }

  @Test func attributesOfSeveralMeet() throws {
    let (bgra, argb) = (kCVPixelFormatType_32BGRA, kCVPixelFormatType_32ARGB)
    let wanted: [String: any Sendable] = [
      kCVPixelBufferWidthKey as String: 8, kCVPixelBufferPixelFormatTypeKey as String: [argb, bgra],
      kCVPixelBufferIOSurfacePropertiesKey as String: [:] as [String: String],
    ]
    let others: [CFString: Any] = [
      kCVPixelBufferWidthKey: NSNumber(value: 8), kCVPixelBufferHeightKey: 6,
      kCVPixelBufferPixelFormatTypeKey: bgra, kCVPixelBufferBytesPerRowAlignmentKey: 128,
      kCVPixelBufferMetalCompatibilityKey: true,
    ]
    let last = [kCVPixelBufferBytesPerRowAlignmentKey: 64, kCVPixelBufferMetalCompatibilityKey: false] as [String: Any]
    let both = try #require(resolved(wanted as CFDictionary, others as NSDictionary, last))
    #expect(both[kCVPixelBufferMetalCompatibilityKey] as? Bool == true)
    var pool: CVPixelBufferPool?
    var buffer: CVPixelBuffer?
    #expect(CVPixelBufferPoolCreate(nil, nil, both, &pool) == kCVReturnSuccess)
    #expect(CVPixelBufferPoolCreatePixelBuffer(nil, try #require(pool), &buffer) == kCVReturnSuccess)
    let made = try #require(buffer)
    #expect(CVPixelBufferGetWidth(made) == 8 && CVPixelBufferGetHeight(made) == 6)
    #expect(CVPixelBufferGetPixelFormatType(made) == bgra && CVPixelBufferGetBytesPerRow(made) == 128)
  }

  @Test func contradictionsAreRefused() {
    let key = kCVPixelBufferPixelFormatTypeKey
    #expect(resolved([kCVPixelBufferWidthKey: 8], [kCVPixelBufferWidthKey: 9]) == nil)
    #expect(resolved([key: [1, 2]], [key: [3, 4]]) == nil && resolved("no dictionary") == nil)
    #expect(resolved([key: [1, 2, 3]], [key: [3, 2]])?[key] as? [Int] == [2, 3])
    #expect(resolved(["Own": ["a": 1]], ["Own": ["a": 2]]) == nil)
    #expect(resolved(["Own": ["a": 1]], ["Own": ["b": 2]])?["Own"] as? [String: Int] == ["a": 1, "b": 2])
    #expect(resolved(["Own": 0.5], ["Own": 0.25]) == nil && resolved()?.isEmpty == true)
  }
}

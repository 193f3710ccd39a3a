// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Core Video's.
import Foundation

/// Makes buffers that are all alike. Each has memory of its own, which goes with it.
public final class CVPixelBufferPool {
  fileprivate let attributes: CFDictionary
  fileprivate let width: Int, height: Int, format: OSType

  fileprivate init(_ attributes: CFDictionary, _ width: Int, _ height: Int, _ format: OSType) {
    (self.attributes, self.width, self.height, self.format) = (attributes, width, height, format)
  }
}

/// What a flush of a pool lets go.
public struct CVPixelBufferPoolFlushFlags: OptionSet, Sendable {
  public let rawValue: CVOptionFlags
  public init(rawValue: CVOptionFlags) { self.rawValue = rawValue }

  public static let excessBuffers = CVPixelBufferPoolFlushFlags(rawValue: 1)
}

/// A pool of buffers of the width, height and format that `pixelBufferAttributes` names. Answers
/// `kCVReturnInvalidPixelBufferAttributes` where one of them is missing.
@discardableResult
public func CVPixelBufferPoolCreate(
  _ allocator: CFAllocator?,
  _ poolAttributes: CFDictionary?,
  _ pixelBufferAttributes: CFDictionary?,
  _ poolOut: UnsafeMutablePointer<CVPixelBufferPool?>
) -> CVReturn {
  poolOut.pointee = nil
  let attributes = pixelBufferAttributes ?? [:]
  guard let width = wholeNumber(attributes[kCVPixelBufferWidthKey]),
    let height = wholeNumber(attributes[kCVPixelBufferHeightKey]),
    let format = wholeNumber(attributes[kCVPixelBufferPixelFormatTypeKey]).flatMap({ OSType(exactly: $0) })
  else { return kCVReturnInvalidPixelBufferAttributes }
  poolOut.pointee = CVPixelBufferPool(attributes, width, height, format)
  return kCVReturnSuccess
}

/// A buffer of the pool's kind. Answers as `CVPixelBufferCreate` does.
@discardableResult
public func CVPixelBufferPoolCreatePixelBuffer(
  _ allocator: CFAllocator?,
  _ pixelBufferPool: CVPixelBufferPool,
  _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
) -> CVReturn {
  let pool = pixelBufferPool
  return CVPixelBufferCreate(allocator, pool.width, pool.height, pool.format, pool.attributes, pixelBufferOut)
}

/// Nothing is kept that could be let go.
public func CVPixelBufferPoolFlush(_ pool: CVPixelBufferPool, _ options: CVPixelBufferPoolFlushFlags) {}

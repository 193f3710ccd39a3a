import CoreGraphics
import CoreVideo
import Foundation

/// What a request found, as a value.
public protocol VisionObservation: CustomStringConvertible, Codable, Hashable, Sendable {
  var uuid: UUID { get }
  /// How sure the model is, mostly 0 to 1.
  var confidence: Float { get }
  /// Which request found it.
  var originatingRequestDescriptor: RequestDescriptor? { get }
}

/// A class, and how sure the model is of it.
public struct ClassificationObservation: VisionObservation {
  public let uuid: UUID
  public let confidence: Float
  public let originatingRequestDescriptor: RequestDescriptor?
  public let identifier: String

  public init(_ observation: VNClassificationObservation) { self.init(observation, nil) }

  init(_ observation: VNClassificationObservation, _ descriptor: RequestDescriptor?) {
    (uuid, confidence, identifier) = (observation.uuid, observation.confidence, observation.identifier)
    originatingRequestDescriptor = descriptor
  }

  /// Models of Core ML come without such curves.
  public var hasPrecisionRecallCurve: Bool { false }
  /// False: there is no curve.
  public func hasMinimumPrecision(_ minimumPrecision: Float, forRecall recall: Float) -> Bool { false }
  /// False: there is no curve.
  public func hasMinimumRecall(_ minimumRecall: Float, forPrecision precision: Float) -> Bool { false }

  public var description: String { "\(identifier) \(confidence)" }
}

/// Something in the picture, and what it may be.
public struct RecognizedObjectObservation: VisionObservation, BoundingBoxProviding {
  public let uuid: UUID
  public let confidence: Float
  public let originatingRequestDescriptor: RequestDescriptor?
  public let boundingBox: NormalizedRect
  /// By falling confidence.
  public let labels: [ClassificationObservation]

  public init(_ observation: VNRecognizedObjectObservation) { self.init(observation, nil) }

  init(_ observation: VNRecognizedObjectObservation, _ descriptor: RequestDescriptor?) {
    (uuid, confidence) = (observation.uuid, observation.confidence)
    boundingBox = NormalizedRect(normalizedRect: observation.boundingBox)
    labels = observation.labels.map { ClassificationObservation($0, descriptor) }
    originatingRequestDescriptor = descriptor
  }

  public var description: String { "\(labels.first?.description ?? "object") at \(boundingBox.cgRect)" }
}

/// A picture that a model made: bytes or halves of a format with one plane.
public struct PixelBufferObservation: VisionObservation {
  public let uuid: UUID
  public let confidence: Float
  public let originatingRequestDescriptor: RequestDescriptor?
  public let pixelFormat: OSType
  /// In pixels.
  public let size: CGSize
  public let featureName: String?
  private let bytesPerPixel: Int
  /// Rows without gaps.
  private let pixels: Data

  /// `nil` for formats that Core ML does not give.
  public init?(_ observation: VNPixelBufferObservation) { self.init(observation, nil) }

  init?(_ observation: VNPixelBufferObservation, _ descriptor: RequestDescriptor?) {
    let buffer = observation.pixelBuffer
    let isHalf = buffer.format == kCVPixelFormatType_OneComponent16Half
    guard let bytes = isHalf ? 2 : PixelLayout(pixelFormat: buffer.format)?.bytes else { return nil }
    (uuid, confidence, featureName) = (observation.uuid, observation.confidence, observation.featureName)
    (pixelFormat, size, bytesPerPixel) = (buffer.format, CVImageBufferGetEncodedSize(buffer), bytes)
    originatingRequestDescriptor = descriptor
    let (width, height) = buffer.size
    pixels = (0..<height).reduce(into: Data(capacity: width * height * bytes)) { data, y in
      data.append(Data(bytes: buffer.base + y * buffer.bytesPerRow, count: width * bytes))
    }
    withExtendedLifetime(buffer) {}
  }

  /// The picture. Throws `VNErrorCode.invalidFormat` for halves.
  public var cgImage: CGImage {
    get throws {
      let (width, height) = (Int(size.width), Int(size.height))
      return try pixels.withUnsafeBytes { bytes in
        guard let layout = PixelLayout(pixelFormat: pixelFormat), let start = bytes.baseAddress,
          let source = Bitmap(start, bytes.count, width, height, width * bytesPerPixel, layout, owner: NSNull())
        else { throw VNError(.invalidFormat, "pixels of the format \(pixelFormat) are no picture in memory") }
        return try source.copied()
      }
    }
  }

  /// The first channel of the pixel at `point`, 0 to 1 for bytes; what lies outside is that at the edge.
  public func pixel(at point: NormalizedPoint) -> Float {
    func place(_ fraction: CGFloat, _ extent: CGFloat) -> Int { Int(min(max(fraction * extent, 0), extent - 1)) }
    let index = place(1 - point.y, size.height) * Int(size.width) + place(point.x, size.width)
    return withUnsafePointer { start in
      bytesPerPixel == 2
        ? Float(start.loadUnaligned(fromByteOffset: 2 * index, as: Float16.self))
        : Float(start.load(fromByteOffset: bytesPerPixel * index, as: UInt8.self)) / 255
    }
  }

  /// Calls `body` with the pixels, rows without gaps.
  public func withUnsafePointer<R>(_ body: (UnsafeRawPointer) -> R) -> R {
    pixels.withUnsafeBytes { body($0.baseAddress!) }
  }

  public var description: String { "picture of \(Int(size.width)) × \(Int(size.height)) pixels" }
}

extension Bitmap {
  /// Its colours, in memory of their own.
  fileprivate func copied() throws -> CGImage {
    let target: PixelLayout = layout.isGrey ? .grey : .rgb
    let row = width * target.bytes
    let all = Placement(of: (width, height), Orientation(.up), .fill, into: (width, height))
    guard let all, let memory = PixelMemory(row * height),
      draw(all, into: memory.base, bytesPerRow: row, target),
      let image = Bitmap(memory.base, memory.count, width, height, row, target, owner: memory).flatMap({ CGImage($0) })
    else { throw VNError(.outOfMemory, "there is no memory for a picture of \(width) × \(height) pixels") }
    return image
  }
}

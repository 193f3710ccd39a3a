import CMLCPixels
import CoreGraphics
import CoreVideo
import MLCCore
import MLCPackage

/// Pixel buffers for the port of an image feature, and from it: pixels `[1, C, H, W]` or `[C, H, W]`, 0 to 255.
struct ImagePort {
  let name: String
  let space: Feature.ColorSpace
  let type: TensorType

  /// The pixel formats that a model takes for an image which it describes as `format`.
  static func accepted(_ format: OSType) -> [OSType] {
    switch format {
    case kCVPixelFormatType_OneComponent8, kCVPixelFormatType_OneComponent16Half: [format]
    default:
      [
        kCVPixelFormatType_32BGRA, kCVPixelFormatType_32ARGB, kCVPixelFormatType_32RGBA, kCVPixelFormatType_32ABGR,
        kCVPixelFormatType_24RGB, kCVPixelFormatType_24BGR,
      ]
    }
  }

  /// The buffer's pixels as the model takes them. Throws `MLModelError.featureType` for a buffer of another format or,
  /// where the model fixes it, another size.
  func tensor(_ buffer: CVPixelBuffer) throws(MLModelError) -> Tensor {
    let (width, height) = buffer.size
    let formats = ImagePort.accepted(space.pixelFormat)
    guard formats.contains(buffer.format) else {
      let names = formats.map { PixelFormat.name($0) }.joined(separator: ", ")
      throw MLModelError(
        .featureType,
        "the image '\(name)' takes pixel buffers of \(names), one of \(PixelFormat.name(buffer.format)) was given"
      )
    }
    let wanted = type.shape.suffix(2)
    guard zip(wanted, [height, width]).allSatisfy({ $0.constant == nil || $0.constant == $1 }) else {
      let size = wanted.reversed().map { "\($0)" }.joined(separator: " × ")
      throw MLModelError(
        .featureType,
        "the image '\(name)' is \(size) pixels wide and high, a pixel buffer of \(width) × \(height) was given"
      )
    }
    let shape = (type.rank == 4 ? [1] : []) + [space.channels, height, width]
    let tensor = space == .gray16 ? halves(buffer, shape) : planes(buffer, shape)
    return tensor.dtype == type.dtype ? tensor : tensor.converted(to: type.dtype)
  }

  private func planes(_ buffer: CVPixelBuffer, _ shape: [Int]) -> Tensor {
    let layout = PixelLayout(pixelFormat: buffer.format) ?? .bgra
    let places = (space == .bgr ? [layout.blue, layout.green, layout.red] : [layout.red, layout.green, layout.blue])
    return withExtendedLifetime(buffer) {
      Tensor(.float32, shape) { (planes: UnsafeMutableBufferPointer<Float>) in
        mlc_planes_from_pixels(
          buffer.base.assumingMemoryBound(to: UInt8.self),
          buffer.bytesPerRow,
          Int32(buffer.size.width),
          Int32(buffer.size.height),
          Int32(layout.bytes),
          places.map { Int32($0) },
          Int32(space.channels),
          planes.baseAddress
        )
      }
    }
  }

  private func halves(_ buffer: CVPixelBuffer, _ shape: [Int]) -> Tensor {
    withExtendedLifetime(buffer) {
      Tensor(.float16, shape) { (target: UnsafeMutableBufferPointer<Float16>) in
        let (width, height) = buffer.size
        for y in 0..<height {
          let row = (buffer.base + y * buffer.bytesPerRow).assumingMemoryBound(to: Float16.self)
          for x in 0..<width { target[y * width + x] = row[x] }
        }
      }
    }
  }

  /// A new buffer of an output's pixels. Throws `MLModelError.generic` where Core Video makes none.
  func buffer(_ tensor: Tensor) throws(MLModelError) -> CVPixelBuffer {
    let buffer = try CVBuffer.make(tensor.shape[tensor.rank - 1], tensor.shape[tensor.rank - 2], space.pixelFormat)
    try write(tensor, to: buffer)
    return buffer
  }

  /// An output's pixels into a buffer: in bytes rounded to nearest, what lies outside of 0 to 255 to its end.
  ///
  /// Throws `MLModelError.featureType` for a buffer of another size, or of another format than the model takes.
  func write(_ tensor: Tensor, to buffer: CVPixelBuffer) throws(MLModelError) {
    let (width, height) = (tensor.shape[tensor.rank - 1], tensor.shape[tensor.rank - 2])
    guard buffer.size == (width, height), ImagePort.accepted(space.pixelFormat).contains(buffer.format) else {
      let given = "\(buffer.size.width) × \(buffer.size.height) of \(PixelFormat.name(buffer.format))"
      throw MLModelError(
        .featureType,
        "the image '\(name)' is \(width) × \(height) of \(PixelFormat.name(space.pixelFormat)), its backing \(given)"
      )
    }
    if space == .gray16 { return writeHalves(tensor.converted(to: .float16), to: buffer) }
    let layout = PixelLayout(pixelFormat: buffer.format) ?? .bgra
    let order = space == .bgr ? [2, 1, 0] : space == .rgb ? [0, 1, 2] : [0, 0, 0]
    let map = (0..<4).map { byte -> Int32 in
      switch byte {
      case layout.red: Int32(order[0])
      case layout.green: Int32(order[1])
      case layout.blue: Int32(order[2])
      default: Int32(MLC_PIXEL_OPAQUE)
      }
    }
    tensor.converted(to: .float32).withElements(of: Float.self) { planes in
      mlc_pixels_from_planes(
        planes.baseAddress,
        Int32(width),
        Int32(height),
        buffer.base.assumingMemoryBound(to: UInt8.self),
        buffer.bytesPerRow,
        Int32(layout.bytes),
        map
      )
    }
  }

  private func writeHalves(_ tensor: Tensor, to buffer: CVPixelBuffer) {
    let (width, height) = buffer.size
    tensor.withElements(of: Float16.self) { source in
      for y in 0..<height {
        let row = (buffer.base + y * buffer.bytesPerRow).assumingMemoryBound(to: Float16.self)
        for x in 0..<width { row[x] = source[y * width + x] }
      }
    }
  }
}

extension CallerFeature {
  /// `nil` for what is no image.
  var image: ImagePort? {
    if case .image(let space) = feature.form { ImagePort(name: name, space: space, type: port.type) } else { nil }
  }
}

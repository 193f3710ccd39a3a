import CoreVideo
import Foundation
import MLCCore
import MLCRuntime
import Synchronization

/// Numbers of one type in a shape of any rank, as a Core ML model takes and gives them.
///
/// Elements are addressed by their index in row-major order, or by one index for each axis. Through `NSNumber`, as in
/// Apple's, an access may allocate; through its own Swift type, `let x: Float = array[i]`, it costs what an `Array`'s
/// does. An array may be read on several threads at once, and written on one.
public final class MLMultiArray: NSObject, NSCopying {
  public let dataType: MLMultiArrayDataType
  @usableFromInline let layout: ArrayLayout
  @usableFromInline let base: UnsafeMutableRawPointer
  /// How many elements there are, and whether they lie in row-major order without gaps.
  public let count: Int
  let isDense: Bool
  /// The raw value of the element type, and where elements lie densely once more, else 0: one comparison tells whether
  /// elements are numbers of a type and an index is a place.
  @usableFromInline let typeCode: Int
  @usableFromInline let denseTypeCode: Int
  private let numbered = AtomicLazyReference<NumberedLayout>()
  /// The pixel buffer whose memory the elements are; `nil` for arrays of other memory.
  public let pixelBuffer: CVPixelBuffer?
  private let release: ((UnsafeMutableRawPointer) -> Void)?

  init(
    _ dataType: MLMultiArrayDataType,
    _ layout: ArrayLayout,
    base: UnsafeMutableRawPointer,
    pixelBuffer: CVPixelBuffer? = nil,
    release: ((UnsafeMutableRawPointer) -> Void)?
  ) {
    (self.dataType, self.layout, self.base, self.release) = (dataType, layout, base, release)
    (count, isDense) = (layout.count, layout.isDense)
    self.pixelBuffer = pixelBuffer
    typeCode = dataType.rawValue
    denseTypeCode = layout.isDense ? typeCode : 0
  }

  deinit { release?(base) }

  /// Zeros.
  convenience init(_ dataType: MLMultiArrayDataType, _ layout: ArrayLayout) throws {
    let byteCount = layout.extent * dataType.byteCount
    guard byteCount <= maximumTensorBytes, let base = try? AlignedMemory.allocate(byteCount) else {
      throw MLModelError(.generic, "there is no memory for an array of the shape \(layout.shape)")
    }
    base.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
    self.init(dataType, layout, base: base) { AlignedMemory.free($0, byteCount) }
  }

  /// An array of zeros. Throws when `shape` has a negative extent or is too large.
  public convenience init(shape: [NSNumber], dataType: MLMultiArrayDataType) throws {
    try self.init(shape: shape.map { $0.intValue }, dataType: dataType)
  }

  convenience init(shape: [Int], dataType: MLMultiArrayDataType) throws {
    guard let layout = ArrayLayout(shape, width: dataType.byteCount) else {
      throw MLModelError(.generic, "no array can have the shape \(shape)")
    }
    try self.init(dataType, layout)
  }

  /// The size of each axis.
  public var shape: [NSNumber] { numbers.shape }
  /// How many elements lie between neighbours along each axis.
  public var strides: [NSNumber] { numbers.strides }
  private var numbers: NumberedLayout { numbered.load() ?? numbered.storeIfNil(NumberedLayout(layout)) }
  /// The first element. Valid as long as the array is.
  public var dataPointer: UnsafeMutableRawPointer { base }

  public func copy(with zone: NSZone? = nil) -> Any { self }

  // MARK: As an object

  /// Same element type, same shape, equal elements.
  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? MLMultiArray else { return false }
    if other === self { return true }
    guard other.dataType == dataType, other.layout.shape == layout.shape else { return false }
    return (0..<count).allSatisfy { double(at: place($0)) == other.double(at: other.place($0)) }
  }

  public override var hash: Int {
    var hasher = Hasher()
    hasher.combine(dataType)
    hasher.combine(layout.shape)
    return hasher.finalize()
  }

  public override var description: String {
    let type =
      switch dataType {
      case .double: "Double"
      case .float32: "Float32"
      case .float16: "Float16"
      case .int32: "Int32"
      case .int8: "Int8"
      }
    let shape = layout.shape.map { "\($0)" }.joined(separator: " × ")
    let head = (0..<min(count, 64)).map { "\(double(at: place($0)))" }.joined(separator: ", ")
    return "\(type) \(shape) array [\(head)\(count > 64 ? ", …" : "")]"
  }
}

import Foundation

/// How a model limits the shape of an array. Raw values are Core ML's.
public enum MLMultiArrayShapeConstraintType: Int, Sendable {
  case unspecified = 1
  case enumerated = 2
  case range = 3
}

/// The shapes that a model allows for an array.
public final class MLMultiArrayShapeConstraint: NSObject, Sendable {
  public let type: MLMultiArrayShapeConstraintType
  let ranges: [NSRange]
  let shapes: [[Int]]

  init(type: MLMultiArrayShapeConstraintType, ranges: [NSRange], shapes: [[Int]]) {
    (self.type, self.ranges, self.shapes) = (type, ranges, shapes)
  }

  /// For each axis the range of its size, as an `NSRange`; a size without limit has the length `NSNotFound`.
  public var sizeRangeForDimension: [NSValue] { ranges.map { NSValue(range: $0) } }
  /// All shapes, where they are enumerated.
  public var enumeratedShapes: [[NSNumber]] { shapes.map { $0.map { NSNumber(value: $0) } } }

  public override var description: String {
    if type == .enumerated { return shapes.map { $0.joined }.joined(separator: " or ") }
    return ranges.map { $0.sizes }.joined(separator: " × ")
  }

  func allows(_ shape: [Int]) -> Bool {
    if type == .enumerated { return shapes.contains(shape) }
    guard shape.count == ranges.count else { return false }
    return zip(shape, ranges).allSatisfy { size, range in
      size >= range.location && (range.length == NSNotFound || size < range.location + range.length)
    }
  }
}

/// What a model wants of an array.
public final class MLMultiArrayConstraint: NSObject, Sendable {
  public let dataType: MLMultiArrayDataType
  public let shapeConstraint: MLMultiArrayShapeConstraint
  let sizes: [Int]

  init(shape: [Int], dataType: MLMultiArrayDataType, shapeConstraint: MLMultiArrayShapeConstraint) {
    (sizes, self.dataType, self.shapeConstraint) = (shape, dataType, shapeConstraint)
  }

  /// The shape; the first of those that the model enumerates, or the smallest size where it leaves one open. Empty for
  /// an output whose shape varies.
  public var shape: [NSNumber] { sizes.map { NSNumber(value: $0) } }

  public override var description: String { "MultiArray (\(dataType), \(shapeConstraint))" }
}

extension [Int] {
  /// `1 × 3 × 224`
  var joined: String { map { "\($0)" }.joined(separator: " × ") }
}

extension NSRange {
  /// `4`, `1...64`, or `1...` where there is no limit.
  var sizes: String {
    if length == NSNotFound { return "\(location)..." }
    return length < 2 ? "\(location)" : "\(location)...\(location + length - 1)"
  }
}

/// What a model wants of a state.
public final class MLStateConstraint: NSObject, Sendable {
  public let bufferShape: [Int]
  public let dataType: MLMultiArrayDataType

  init(bufferShape: [Int], dataType: MLMultiArrayDataType) {
    (self.bufferShape, self.dataType) = (bufferShape, dataType)
  }

  public override var description: String { "State (\(dataType), \(bufferShape.joined))" }
}

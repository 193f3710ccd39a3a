import Foundation

extension MLMultiArrayShapeConstraint: NSSecureCoding {
  public static var supportsSecureCoding: Bool { true }

  public func encode(with coder: NSCoder) {
    coder.encode(type.rawValue, forKey: "type")
    coder.encode(numbers: ranges.flatMap { [$0.location, $0.length] }, forKey: "ranges")
    coder.encode(numbers: shapes.map { $0.count }, forKey: "ranks")
    coder.encode(numbers: shapes.flatMap { $0 }, forKey: "extents")
  }

  /// `nil` for an archive without the constraint of a shape.
  public convenience init?(coder: NSCoder) {
    guard let type: MLMultiArrayShapeConstraintType = coder.choice(forKey: "type"),
      let ends = coder.numbers(forKey: "ranges"), ends.count.isMultiple(of: 2), ends.allSatisfy({ $0 >= 0 }),
      let ranks = coder.numbers(forKey: "ranks"), let extents = coder.numbers(forKey: "extents")
    else { return nil }
    var (shapes, rest) = ([[Int]](), extents[...])
    for rank in ranks {
      guard (0...rest.count).contains(rank) else { return nil }
      shapes.append(Array(rest.prefix(rank)))
      rest = rest.dropFirst(rank)
    }
    guard rest.isEmpty else { return nil }
    let ranges = stride(from: 0, to: ends.count, by: 2).map { NSRange(location: ends[$0], length: ends[$0 + 1]) }
    self.init(type: type, ranges: ranges, shapes: shapes)
  }
}

extension MLMultiArrayConstraint: NSSecureCoding {
  public static var supportsSecureCoding: Bool { true }

  public func encode(with coder: NSCoder) {
    coder.encode(dataType.rawValue, forKey: "dataType")
    coder.encode(numbers: sizes, forKey: "shape")
    coder.encode(shapeConstraint, forKey: "shapeConstraint")
  }

  /// `nil` for an archive without the constraint of an array.
  public convenience init?(coder: NSCoder) {
    guard let dataType: MLMultiArrayDataType = coder.choice(forKey: "dataType"),
      let sizes = coder.numbers(forKey: "shape"),
      let constraint = coder.object(MLMultiArrayShapeConstraint.self, forKey: "shapeConstraint")
    else { return nil }
    self.init(shape: sizes, dataType: dataType, shapeConstraint: constraint)
  }
}

extension MLStateConstraint: NSSecureCoding {
  public static var supportsSecureCoding: Bool { true }

  public func encode(with coder: NSCoder) {
    coder.encode(dataType.rawValue, forKey: "dataType")
    coder.encode(numbers: bufferShape, forKey: "shape")
  }

  /// `nil` for an archive without the constraint of a state.
  public convenience init?(coder: NSCoder) {
    guard let dataType: MLMultiArrayDataType = coder.choice(forKey: "dataType"),
      let shape = coder.numbers(forKey: "shape")
    else { return nil }
    self.init(bufferShape: shape, dataType: dataType)
  }
}

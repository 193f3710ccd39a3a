import Foundation
import MLCCore
import MLCPackage

/// What a model says of one of its features.
public final class MLFeatureDescription: NSObject, NSCopying, Sendable {
  public let name: String
  public let type: MLFeatureType
  public let isOptional: Bool
  public let multiArrayConstraint: MLMultiArrayConstraint?
  public let stateConstraint: MLStateConstraint?
  /// `nil`: compiled packages take images as arrays.
  public var imageConstraint: MLImageConstraint? { nil }
  /// `nil`: compiled packages have no dictionaries.
  public var dictionaryConstraint: MLDictionaryConstraint? { nil }
  /// Of a list of texts.
  public let sequenceConstraint: MLSequenceConstraint?

  init(
    name: String,
    type: MLFeatureType,
    multiArrayConstraint: MLMultiArrayConstraint? = nil,
    stateConstraint: MLStateConstraint? = nil,
    sequenceConstraint: MLSequenceConstraint? = nil
  ) {
    (self.name, self.type, isOptional) = (name, type, false)
    (self.multiArrayConstraint, self.stateConstraint) = (multiArrayConstraint, stateConstraint)
    self.sequenceConstraint = sequenceConstraint
  }

  /// Whether a prediction takes `value` for this feature.
  public func isAllowedValue(_ value: MLFeatureValue) -> Bool {
    if let constraint = sequenceConstraint {
      guard let sequence = value.sequenceValue, sequence.type == constraint.valueDescription.type else { return false }
      return constraint.countRange.contains(sequence.stringValues.count)
    }
    guard let constraint = multiArrayConstraint else { return value.type == type }
    guard let array = value.multiArrayValue else { return false }
    return constraint.dataType == array.dataType && constraint.shapeConstraint.allows(array.layout.shape)
  }

  public func copy(with zone: NSZone? = nil) -> Any { self }

  public override var description: String {
    guard let constraint = multiArrayConstraint else { return "\(name) : \(type)" }
    return "\(name) : MultiArray (\(constraint.dataType), \(constraint.shape.map { "\($0)" }.joined(separator: " × ")))"
  }
}

extension MLFeatureDescription {
  /// A state, which `port` brings into the function.
  convenience init(state name: String, _ port: FunctionInterface.Port) {
    let shape = port.type.shape.map { $0.constant ?? 0 }
    let constraint = MLStateConstraint(bufferShape: shape, dataType: port.type.dtype.multiArrayDataType)
    self.init(name: name, type: .state, stateConstraint: constraint)
  }

  /// An input or output of a compiled function.
  convenience init(_ port: FunctionInterface.Port, in interface: FunctionInterface, isInput: Bool) {
    if let feature = TextFeature(port.type) {
      self.init(feature, port)
      return
    }
    let dataType = port.type.dtype.multiArrayDataType
    let ranges = port.type.shape.map { $0.sizeRange(interface.symbols) }
    let shapes = port.type.enumeratedShapes(interface.enumerations)
    let shape =
      shapes.first.map { shapes.count == 1 || isInput ? $0 : [] } ?? (isInput ? ranges.map { $0.location } : [])
    let constraint = MLMultiArrayShapeConstraint(
      type: shapes.isEmpty ? .range : .enumerated,
      ranges: ranges,
      shapes: shapes
    )
    self.init(
      name: port.name,
      type: .multiArray,
      multiArrayConstraint: MLMultiArrayConstraint(shape: shape, dataType: dataType, shapeConstraint: constraint)
    )
  }
}

extension TensorType {
  /// The shapes that this comes in, the model's default first: one when it is fixed, none when a size is free in a
  /// range.
  fileprivate func enumeratedShapes(_ enumerations: [SizeEnumeration]) -> [[Int]] {
    if let staticShape { return [staticShape] }
    let symbols = shape.reduce(into: Set<String>()) { $0.formUnion($1.symbols) }
    guard let enumeration = enumerations.first(where: { symbols.isSubset(of: $0.symbols) }) else { return [] }
    let shapes = enumeration.choices.compactMap { choice -> [Int]? in
      let numbers = Dictionary(uniqueKeysWithValues: zip(enumeration.symbols, choice))
      let extents = shape.compactMap { $0.evaluate(numbers) }
      return extents.count == rank ? extents : nil
    }
    return shapes.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }
}

extension Dim {
  /// The sizes this can be; a size without limit has the length `NSNotFound`.
  fileprivate func sizeRange(_ symbols: [FunctionInterface.Symbol]) -> NSRange {
    if let constant { return NSRange(location: constant, length: 1) }
    guard let name = symbol, let range = symbols.first(where: { $0.name == name })?.range else {
      return NSRange(location: 1, length: NSNotFound)
    }
    let isOpen = range.upperBound >= Int.max - 1
    return NSRange(location: range.lowerBound, length: isOpen ? NSNotFound : range.count)
  }
}

extension MLFeatureDescription {
  private convenience init(_ feature: TextFeature, _ port: FunctionInterface.Port) {
    switch feature {
    case .text: self.init(name: port.name, type: .string)
    case .list:
      let count = port.type.staticShape?.reduce(1, *)
      let constraint = MLSequenceConstraint(
        valueDescription: MLFeatureDescription(name: port.name, type: .string),
        countRange: count.map { NSRange(location: $0, length: 1) } ?? NSRange(location: 0, length: NSNotFound)
      )
      self.init(name: port.name, type: .sequence, sequenceConstraint: constraint)
    }
  }
}

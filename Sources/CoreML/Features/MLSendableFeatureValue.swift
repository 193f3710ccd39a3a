import Foundation
import MLCCore

/// The value of one feature as a value, which goes from task to task; `MLFeatureValue(_:)` makes an object of it.
///
/// Each value reads as what it was made of, and as `nil` through every other property.
public struct MLSendableFeatureValue: Sendable, Equatable, CustomDebugStringConvertible {
  fileprivate enum Content: Sendable, Equatable {
    case undefined
    case integer(Int)
    case float16(Float16)
    case float(Float)
    case double(Double)
    case text(String)
    case texts([String])
    case byText([String: Double])
    case byInteger([Int: Double])
    case integers([Int])
    case float16s(MLShapedArray<Float16>)
    case floats(MLShapedArray<Float>)
    case doubles(MLShapedArray<Double>)
    case int32s(MLShapedArray<Int32>)
    case int8s(MLShapedArray<Int8>)
  }

  public let type: MLFeatureType
  fileprivate let content: Content

  private init(_ type: MLFeatureType, _ content: Content) { (self.type, self.content) = (type, content) }

  public init(_ value: Int) { self.init(.int64, .integer(value)) }
  public init(_ value: Int32) { self.init(.int64, .integer(Int(value))) }
  public init(_ value: Float16) { self.init(.double, .float16(value)) }
  public init(_ value: Float) { self.init(.double, .float(value)) }
  public init(_ value: Double) { self.init(.double, .double(value)) }
  public init(_ value: String) { self.init(.string, .text(value)) }
  /// A sequence of strings.
  public init(_ value: [String]) { self.init(.sequence, .texts(value)) }
  public init(_ value: [String: Int]) { self.init(.dictionary, .byText(value.mapValues { Double($0) })) }
  public init(_ value: [String: Double]) { self.init(.dictionary, .byText(value)) }
  public init(_ value: [Int: Int]) { self.init(.dictionary, .byInteger(value.mapValues { Double($0) })) }
  public init(_ value: [Int: Double]) { self.init(.dictionary, .byInteger(value)) }

  /// A multi-array with these elements.
  public init<Scalar: MLShapedArrayScalar>(_ value: MLShapedArray<Scalar>) {
    let content: Content =
      switch value {
      case let array as MLShapedArray<Float16>: .float16s(array)
      case let array as MLShapedArray<Float>: .floats(array)
      case let array as MLShapedArray<Double>: .doubles(array)
      case let array as MLShapedArray<Int32>: .int32s(array)
      case let array as MLShapedArray<Int8>: .int8s(array)
      default: .doubles(MLShapedArray(converting: value))
      }
    self.init(.multiArray, content)
  }

  /// A value of `type` that is missing.
  public init(undefined type: MLFeatureType) { self.init(type, .undefined) }

  /// A copy of an object's value; `nil` for images, and for what has no value of its own.
  public init?(_ value: MLFeatureValue) {
    if value.isUndefined {
      self.init(undefined: value.type)
      return
    }
    switch value.type {
    case .int64: self.init(Int(value.int64Value))
    case .double: self.init(value.doubleValue)
    case .string: self.init(value.stringValue)
    case .multiArray:
      guard let array = value.multiArrayValue else { return nil }
      self.init(array)
    case .sequence:
      guard let sequence = value.sequenceValue else { return nil }
      let isText = sequence.type == .string
      self.init(.sequence, isText ? .texts(sequence.stringValues) : .integers(sequence.int64Values.map(\.intValue)))
    case .dictionary:
      guard let content = Content(value) else { return nil }
      self.init(.dictionary, content)
    case .image, .state, .invalid: return nil
    }
  }

  private init(_ array: MLMultiArray) {
    switch array.dataType {
    case .float16: self.init(MLShapedArray<Float16>(array))
    case .float32: self.init(MLShapedArray<Float>(array))
    case .double: self.init(MLShapedArray<Double>(array))
    case .int32: self.init(MLShapedArray<Int32>(array))
    case .int8: self.init(MLShapedArray<Int8>(array))
    }
  }
}

// MARK: Reading

extension MLSendableFeatureValue {
  public var isUndefined: Bool { content == .undefined }
  /// Whether it is one number.
  public var isScalar: Bool {
    switch content {
    case .integer, .float16, .float, .double: true
    default: false
    }
  }
  /// Whether it is an array, of any element type.
  public var isShapedArray: Bool { type == .multiArray && !isUndefined }

  public var integerValue: Int? { if case .integer(let value) = content { value } else { nil } }
  public var float16Value: Float16? { if case .float16(let value) = content { value } else { nil } }
  public var floatValue: Float? { if case .float(let value) = content { value } else { nil } }
  public var doubleValue: Double? { if case .double(let value) = content { value } else { nil } }
  public var stringValue: String? { if case .text(let value) = content { value } else { nil } }
  public var stringArrayValue: [String]? { if case .texts(let value) = content { value } else { nil } }
  public var stringDictionaryValue: [String: Double]? { if case .byText(let value) = content { value } else { nil } }
  public var integerDictionaryValue: [Int: Double]? { if case .byInteger(let value) = content { value } else { nil } }

  /// The array; `nil` when the value is none or has other elements than `Scalar`.
  public func shapedArrayValue<Scalar: MLShapedArrayScalar>(of type: Scalar.Type) -> MLShapedArray<Scalar>? {
    switch content {
    case .float16s(let array): array as? MLShapedArray<Scalar>
    case .floats(let array): array as? MLShapedArray<Scalar>
    case .doubles(let array): array as? MLShapedArray<Scalar>
    case .int32s(let array): array as? MLShapedArray<Scalar>
    case .int8s(let array): array as? MLShapedArray<Scalar>
    default: nil
    }
  }

  public var debugDescription: String { MLFeatureValue(self).description }
}

extension MLSendableFeatureValue.Content {
  /// The entries of a dictionary, whose keys are all strings or all integers.
  fileprivate init?(_ value: MLFeatureValue) {
    guard let (keys, numbers) = value.keysAndNumbers(isText: true, .float64) else {
      guard let (keys, numbers) = value.keysAndNumbers(isText: false, .float64) else { return nil }
      self = .byInteger(Dictionary(zip(keys.integers, numbers.doubles)) { first, _ in first })
      return
    }
    self = .byText(Dictionary(zip(keys.strings, numbers.doubles)) { first, _ in first })
  }
}

extension MLFeatureValue {
  /// The object of a value that came from another task. Its array, if it is one, is a copy.
  public convenience init(_ sendableFeatureValue: MLSendableFeatureValue) {
    switch sendableFeatureValue.content {
    case .undefined: self.init(undefined: sendableFeatureValue.type)
    case .integer(let value): self.init(int64: Int64(value))
    case .float16(let value): self.init(double: Double(value))
    case .float(let value): self.init(double: Double(value))
    case .double(let value): self.init(double: value)
    case .text(let value): self.init(string: value)
    case .texts(let value): self.init(sequence: MLSequence(strings: value))
    case .integers(let value): self.init(sequence: MLSequence(int64s: value.map { NSNumber(value: $0) }))
    case .byText(let value): self.init(entries: value.map { (AnyHashable($0), $1) })
    case .byInteger(let value): self.init(entries: value.map { (AnyHashable(NSNumber(value: $0)), $1) })
    case .float16s(let array): self.init(shapedArray: array)
    case .floats(let array): self.init(shapedArray: array)
    case .doubles(let array): self.init(shapedArray: array)
    case .int32s(let array): self.init(shapedArray: array)
    case .int8s(let array): self.init(shapedArray: array)
    }
  }

  private convenience init(entries: [(AnyHashable, Double)]) {
    let numbers = entries.map { ($0.0, NSNumber(value: $0.1)) }
    do { try self.init(dictionary: Dictionary(numbers) { first, _ in first }) } catch {
      preconditionFailure("the keys of a dictionary are of one kind: \(error)")
    }
  }
}

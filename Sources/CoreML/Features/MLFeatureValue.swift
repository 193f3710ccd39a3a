import CoreVideo
import Foundation

/// The value of one feature: what a model takes or gives under one name.
public final class MLFeatureValue: NSObject, NSCopying {
  private enum Content {
    case undefined
    case int64(Int64)
    case double(Double)
    case string(String)
    case multiArray(MLMultiArray)
    case dictionary([AnyHashable: NSNumber])
    case sequence(MLSequence)
    case image(CVPixelBuffer)
  }

  public let type: MLFeatureType
  private let content: Content

  private init(_ type: MLFeatureType, _ content: Content) { (self.type, self.content) = (type, content) }

  public convenience init(int64 value: Int64) { self.init(.int64, .int64(value)) }
  public convenience init(double value: Double) { self.init(.double, .double(value)) }
  public convenience init(string value: String) { self.init(.string, .string(value)) }
  /// The array itself, not a copy.
  public convenience init(multiArray value: MLMultiArray) { self.init(.multiArray, .multiArray(value)) }
  /// The buffer itself, not a copy.
  public convenience init(pixelBuffer value: CVPixelBuffer) { self.init(.image, .image(value)) }
  public convenience init(sequence: MLSequence) { self.init(.sequence, .sequence(sequence)) }
  /// A value of `type` that is missing.
  public convenience init(undefined type: MLFeatureType) { self.init(type, .undefined) }

  /// Throws when the keys are not all strings or all integers.
  public convenience init(dictionary value: [AnyHashable: NSNumber]) throws {
    let strings = value.keys.allSatisfy { $0.base is String }
    guard strings || value.keys.allSatisfy({ $0.base is any BinaryInteger || $0.base is NSNumber }) else {
      throw MLModelError(.featureType, "the keys of a dictionary are all strings or all integers")
    }
    self.init(.dictionary, .dictionary(value))
  }

  public convenience init<Scalar: MLShapedArrayScalar>(shapedArray: MLShapedArray<Scalar>) {
    self.init(multiArray: MLMultiArray(shapedArray))
  }

  public func copy(with zone: NSZone? = nil) -> Any { self }

  // MARK: The value

  public var isUndefined: Bool { if case .undefined = content { true } else { false } }
  /// 0 unless the value is an integer.
  public var int64Value: Int64 { if case .int64(let value) = content { value } else { 0 } }
  /// 0 unless the value is a double.
  public var doubleValue: Double { if case .double(let value) = content { value } else { 0 } }
  /// Empty unless the value is a string.
  public var stringValue: String { if case .string(let value) = content { value } else { "" } }
  public var multiArrayValue: MLMultiArray? { if case .multiArray(let value) = content { value } else { nil } }
  /// Empty unless the value is a dictionary.
  public var dictionaryValue: [AnyHashable: NSNumber] {
    if case .dictionary(let value) = content { value } else { [:] }
  }
  /// `nil` unless the value is an image.
  public var imageBufferValue: CVPixelBuffer? { if case .image(let value) = content { value } else { nil } }
  public var sequenceValue: MLSequence? { if case .sequence(let value) = content { value } else { nil } }

  /// The array's elements; `nil` when the value is no array or has other elements than `Scalar`.
  public func shapedArrayValue<Scalar: MLShapedArrayScalar>(of type: Scalar.Type) -> MLShapedArray<Scalar>? {
    guard let array = multiArrayValue, array.dataType == Scalar.multiArrayDataType else { return nil }
    return MLShapedArray(array)
  }

  // MARK: As an object

  public func isEqual(to value: MLFeatureValue) -> Bool {
    guard type == value.type else { return false }
    return switch (content, value.content) {
    case (.undefined, .undefined): true
    case (.int64(let a), .int64(let b)): a == b
    case (.double(let a), .double(let b)): a == b
    case (.string(let a), .string(let b)): a == b
    case (.multiArray(let a), .multiArray(let b)): a == b
    case (.dictionary(let a), .dictionary(let b)): a == b
    case (.sequence(let a), .sequence(let b)): a == b
    case (.image(let a), .image(let b)): a == b
    default: false
    }
  }

  public override func isEqual(_ object: Any?) -> Bool { (object as? MLFeatureValue).map { isEqual(to: $0) } ?? false }

  public override var hash: Int {
    switch content {
    case .undefined: type.hashValue
    case .int64(let value): value.hashValue
    case .double(let value): value.hashValue
    case .string(let value): value.hashValue
    case .multiArray(let value): value.hash
    case .dictionary(let value): value.hashValue
    case .sequence(let value): value.hash
    case .image(let value): value.hashValue
    }
  }

  public override var description: String {
    switch content {
    case .undefined: "\(type) : undefined"
    case .int64(let value): "Int64 : \(value)"
    case .double(let value): "Double : \(value)"
    case .string(let value): "String : \(value)"
    case .image(let value): "Image : \(value)"
    case .multiArray(let value): "MultiArray : \(value.description)"
    case .dictionary(let value): "Dictionary : \(value)"
    case .sequence(let value): "Sequence : \(value.description)"
    }
  }
}

extension MLFeatureValue {
  /// The feature that stands for `value`, which may be one already, an array, a pixel buffer, a string, a number or
  /// a dictionary of numbers.
  ///
  /// Throws `MLModelError.featureType` for anything else.
  convenience init(representing value: Any, named name: String) throws {
    switch value {
    case let value as MLFeatureValue: self.init(value)
    case let array as MLMultiArray: self.init(multiArray: array)
    case let buffer as CVPixelBuffer: self.init(pixelBuffer: buffer)
    case let text as String: self.init(string: text)
    case let sequence as MLSequence: self.init(sequence: sequence)
    case let array as MLShapedArray<Float>: self.init(shapedArray: array)
    case let array as MLShapedArray<Double>: self.init(shapedArray: array)
    case let array as MLShapedArray<Int32>: self.init(shapedArray: array)
    case let array as MLShapedArray<Float16>: self.init(shapedArray: array)
    case let array as MLShapedArray<Int8>: self.init(shapedArray: array)
    case let value as MLSendableFeatureValue: self.init(value)
    case let number as any BinaryFloatingPoint: self.init(double: Double(number))
    case let flag as Bool: self.init(int64: flag ? 1 : 0)
    case let number as any BinaryInteger: self.init(int64: Int64(clamping: number))
    case let number as NSNumber: self.init(number)
    case let dictionary as [AnyHashable: NSNumber]: try self.init(dictionary: dictionary)
    default:
      throw MLModelError(.featureType, "the value of '\(name)' is a \(Swift.type(of: value)), which is no feature")
    }
  }

  private convenience init(_ other: MLFeatureValue) { self.init(other.type, other.content) }

  /// A double when the number is stored as one, an integer else.
  private convenience init(_ number: NSNumber) {
    let kind = String(cString: number.objCType)
    if kind == "d" || kind == "f" { self.init(double: number.doubleValue) } else { self.init(int64: number.int64Value) }
  }
}

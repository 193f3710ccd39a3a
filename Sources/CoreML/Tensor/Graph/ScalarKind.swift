import CMLCTensor

/// The element types of tensors.
enum ScalarKind: UInt32, Sendable, CaseIterable {
  case float32, float16, int32, int16, int8, uint32, uint16, uint8, bool

  init(_ type: any MLTensorScalar.Type) {
    guard let kind = Self.allCases.first(where: { $0.scalarType == type }) else {
      preconditionFailure("tensors cannot have elements of type \(type)")
    }
    self = kind
  }

  var scalarType: any MLTensorScalar.Type {
    switch self {
    case .float32: Float.self
    case .float16: Float16.self
    case .int32: Int32.self
    case .int16: Int16.self
    case .int8: Int8.self
    case .uint32: UInt32.self
    case .uint16: UInt16.self
    case .uint8: UInt8.self
    case .bool: Bool.self
    }
  }

  /// Bytes of an element.
  var width: Int {
    switch self {
    case .float32, .int32, .uint32: 4
    case .float16, .int16, .uint16: 2
    case .int8, .uint8, .bool: 1
    }
  }

  var isFloat: Bool { self == .float32 || self == .float16 }
  var isUnsigned: Bool { self == .uint32 || self == .uint16 || self == .uint8 || self == .bool }
  var code: mlct_type { mlct_type(rawValue) }

  /// The element at `place`.
  func number(at place: UnsafeRawPointer) -> Double {
    switch self {
    case .float32: Double(place.loadUnaligned(as: Float.self))
    case .float16: Double(place.loadUnaligned(as: Float16.self))
    case .int32: Double(place.loadUnaligned(as: Int32.self))
    case .int16: Double(place.loadUnaligned(as: Int16.self))
    case .int8: Double(place.loadUnaligned(as: Int8.self))
    case .uint32: Double(place.loadUnaligned(as: UInt32.self))
    case .uint16: Double(place.loadUnaligned(as: UInt16.self))
    case .uint8, .bool: Double(place.loadUnaligned(as: UInt8.self))
    }
  }

  /// The lane of 32 bits that stands for `number`: integers truncate toward zero and saturate.
  func lane(_ number: Double) -> UInt32 {
    switch self {
    case .float32: Float(number).bitPattern
    case .float16: Float(Float16(number)).bitPattern
    case .int32: UInt32(bitPattern: Int32.saturating(number))
    case .int16: UInt32(bitPattern: Int32(Int16.saturating(number)))
    case .int8: UInt32(bitPattern: Int32(Int8.saturating(number)))
    case .uint32: UInt32.saturating(number)
    case .uint16: UInt32(UInt16.saturating(number))
    case .uint8: UInt32(UInt8.saturating(number))
    case .bool: number == 0 ? 0 : 1
    }
  }

  /// A scalar as a number, exactly.
  static func number<Scalar: MLTensorScalar>(_ scalar: Scalar) -> Double {
    let kind = ScalarKind(Scalar.self)
    return withUnsafeBytes(of: scalar) { bytes in bytes.baseAddress.map { kind.number(at: $0) } ?? 0 }
  }
}

import CoreMLProto
import Foundation
import MLCCore

extension MILValue {
  /// A constant in place.
  init(immediate tensor: Tensor) {
    self.init()
    type = MILValueType(tensor.type)
    immediateValue.tensor = MILTensorValue(tensor)
  }

  init(_ text: String) { self.init(immediate: Tensor([], strings: [text])) }

  /// A constant in the weights file.
  init(_ type: TensorType, in file: String, at offset: UInt64) {
    self.init()
    self.type = MILValueType(type)
    blobFileValue.fileName = file
    blobFileValue.offset = offset
  }
}

extension MILTensorValue {
  /// Types that have a field of their own are numbers there, 16-bit integers among `ints`; the others are packed bytes.
  init(_ tensor: Tensor) {
    self.init()
    switch tensor.dtype {
    case .float32: floats.values = tensor.withElements(of: Float.self) { Array($0) }
    case .float64: doubles.values = tensor.withElements(of: Double.self) { Array($0) }
    case .int32, .int16, .uint16: ints.values = tensor.integers.map { Int32($0) }
    case .int64: longInts.values = tensor.withElements(of: Int64.self) { Array($0) }
    case .bool: bools.values = tensor.withElements(of: UInt8.self) { $0.map { $0 != 0 } }
    case .string: strings.values = tensor.strings
    default: bytes.values = tensor.withBytes { Data($0) }
    }
  }
}

extension Tensor {
  /// Whether the constant goes to the weights file: more than ten elements, of a type that the file has. Long integers
  /// go there only when they are many, because older loaders want them in place.
  var belongsInBlob: Bool {
    guard count > 10, BlobFile.code(dtype) != nil else { return false }
    return dtype != .int32 && dtype != .uint32 || count > 1 << 20
  }
}

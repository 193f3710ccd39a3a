import Foundation
import MLCCore
import MLCProtobuf
import ONNXProto

/// The elements of one `TensorProto`, which sit in one of its fields, decoded or left in the file.
struct ONNXElements {
  private let proto: Onnx_TensorProto
  private let payloads: [ProtobufScan.Payload]
  private let storage: Storage
  private let name: String

  init(_ proto: Onnx_TensorProto, _ payloads: [ProtobufScan.Payload], _ storage: Storage, _ name: String) {
    (self.proto, self.payloads, self.storage, self.name) = (proto, payloads, storage, name)
  }

  func strings(_ shape: [Int], _ count: Int) throws(Diagnostic) -> Tensor {
    guard proto.dataLocation != .external, payloads.isEmpty, !proto.hasRawData else {
      throw Diagnostic("onnx.tensor-data", "\(name) holds strings outside of its string field")
    }
    guard proto.stringData.count == count else { throw wrongSize("\(proto.stringData.count) strings", shape) }
    var values: [String] = []
    for bytes in proto.stringData {
      guard let value = String(validating: bytes, as: UTF8.self) else {
        throw Diagnostic("onnx.string", "a string of \(name) is not UTF-8")
      }
      values.append(value)
    }
    return Tensor(shape, strings: values)
  }

  /// Elements of any type but `string`.
  func tensor(_ dtype: DType, _ shape: [Int], _ count: Int) throws(Diagnostic) -> Tensor {
    let field = try source(of: dtype, count)
    let payload = payloads.first.map { UnsafeRawBufferPointer(rebasing: storage.bytes[$0.range]) }
    switch (field, payload) {
    case (ONNXWire.rawData, nil):
      return try copy(dtype, shape, proto.rawData.count) { proto.rawData.copyBytes(to: $0) }
    case (ONNXWire.floatData, nil):
      return try copy(dtype, shape, proto.floatData.count * 4) { out in
        proto.floatData.withUnsafeBytes { out.copyMemory(from: $0) }
      }
    case (ONNXWire.doubleData, nil):
      return try copy(dtype, shape, proto.doubleData.count * 8) { out in
        proto.doubleData.withUnsafeBytes { out.copyMemory(from: $0) }
      }
    case (ONNXWire.rawData, _?), (ONNXWire.floatData, _?), (ONNXWire.doubleData, _?):
      guard let view = Tensor(dtype, shape, storage: storage, range: payloads[0].range) else {
        throw wrongSize("\(payloads[0].range.count) bytes", shape)
      }
      return view
    case (ONNXWire.int32Data, nil):
      return try narrow(dtype, shape, proto.int32Data.count, proto.int32Data.lazy.map { UInt64(bitPattern: Int64($0)) })
    case (ONNXWire.int64Data, nil):
      return try narrow(dtype, shape, proto.int64Data.count, proto.int64Data.lazy.map { UInt64(bitPattern: $0) })
    case (ONNXWire.uint64Data, nil): return try narrow(dtype, shape, proto.uint64Data.count, proto.uint64Data)
    case (_, let bytes?):
      // A varint ends with its only byte below 0x80.
      let entries = bytes.reduce(0) { $0 + ($1 < 0x80 ? 1 : 0) }
      var rest = bytes[...]
      return try narrow(dtype, shape, entries, AnyIterator { rest.takeVarint() })
    default: throw wrongSize("0 bytes", shape)
    }
  }

  /// The one field that holds elements. Throws `onnx.tensor-data` when there are several, or one that does not go with
  /// the type.
  private func source(of dtype: DType, _ count: Int) throws(Diagnostic) -> UInt32 {
    var fields = payloads.map { $0.field }
    if proto.hasRawData, !proto.rawData.isEmpty { fields.append(ONNXWire.rawData) }
    if !proto.floatData.isEmpty { fields.append(ONNXWire.floatData) }
    if !proto.int32Data.isEmpty { fields.append(ONNXWire.int32Data) }
    if !proto.int64Data.isEmpty { fields.append(ONNXWire.int64Data) }
    if !proto.doubleData.isEmpty { fields.append(ONNXWire.doubleData) }
    if !proto.uint64Data.isEmpty { fields.append(ONNXWire.uint64Data) }
    let typed = Self.typedField(dtype)
    guard fields.count <= 1, proto.stringData.isEmpty else {
      throw Diagnostic("onnx.tensor-data", "\(name) holds its elements in several pieces")
    }
    guard let field = fields.first else { return ONNXWire.rawData }
    guard field == ONNXWire.rawData || field == typed else {
      throw Diagnostic("onnx.tensor-data", "\(name) holds \(dtype.rawValue) elements in a field for another type")
    }
    return field
  }

  private static func typedField(_ dtype: DType) -> UInt32 {
    switch dtype {
    case .float32: ONNXWire.floatData
    case .float64: ONNXWire.doubleData
    case .int64: ONNXWire.int64Data
    case .uint32, .uint64: ONNXWire.uint64Data
    default: ONNXWire.int32Data
    }
  }

  private func copy(
    _ dtype: DType,
    _ shape: [Int],
    _ byteCount: Int,
    _ write: (UnsafeMutableRawBufferPointer) -> Void
  ) throws(Diagnostic) -> Tensor {
    // Checked before memory is taken: the shape may claim far more than the file holds.
    guard dtype.byteCount(shape.reduce(1, *)) == byteCount else { throw wrongSize("\(byteCount) bytes", shape) }
    return Tensor(dtype, shape, storage: Storage(byteCount: byteCount, write))!
  }

  /// Keeps the low bits of each of `entries` values. Types narrower than a byte come as packed bytes.
  private func narrow(
    _ dtype: DType,
    _ shape: [Int],
    _ entries: Int,
    _ values: some Sequence<UInt64>
  ) throws(Diagnostic) -> Tensor {
    let count = shape.reduce(1, *)
    let wanted = dtype.isPacked ? dtype.byteCount(count)! : count
    guard entries == wanted else { throw wrongSize("\(entries) entries", shape) }
    func write<T: FixedWidthInteger & BitwiseCopyable>(_: T.Type) -> Storage {
      Storage(byteCount: wanted * MemoryLayout<T>.size) { memory in
        let out = memory.bindMemory(to: T.self)
        for (index, value) in zip(out.indices, values) { out[index] = T(truncatingIfNeeded: value) }
      }
    }
    let storage =
      switch dtype.bitWidth {
      case 64: write(UInt64.self)
      case 32: write(UInt32.self)
      case 16: write(UInt16.self)
      default: write(UInt8.self)
      }
    return Tensor(dtype, shape, storage: storage)!
  }

  private func wrongSize(_ found: String, _ shape: [Int]) -> Diagnostic {
    Diagnostic("onnx.tensor-size", "\(name) holds \(found), which is not what its type and shape \(shape) need")
  }
}

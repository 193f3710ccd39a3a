import MLCCore
import MLCProtobuf
import ONNXProto

extension ONNXReader {
  /// A dense tensor: a view into the model file or an external file where the element encoding allows, else a copy.
  ///
  /// Throws `onnx.tensor-type`, `onnx.tensor-shape`, `onnx.tensor-size`, `onnx.tensor-data`, `onnx.tensor-segment`, or
  /// what `ONNXExternalData` throws, naming the tensor.
  func tensor(_ proto: Onnx_TensorProto, attribute: String? = nil) throws(Diagnostic) -> Tensor {
    let name = attribute.map { "attribute '\($0)'" } ?? "tensor '\(proto.name)'"
    guard let dtype = DType(onnx: Int(proto.dataType)) else {
      let type = DType.unsupportedONNXName(Int(proto.dataType))
      throw Diagnostic("onnx.tensor-type", "\(name) is of \(type), which mlc has not", kind: .unsupported)
    }
    let shape = proto.dims.map(Int.init)
    let count = try Self.checkedCount(dtype, shape, name)
    guard !proto.hasSegment else {
      throw Diagnostic("onnx.tensor-segment", "\(name) is a segment of a larger tensor", kind: .unsupported)
    }
    let elements = ONNXElements(proto, scan.payloads(in: proto.unknownFields), storage, name)
    if dtype == .string { return try elements.strings(shape, count) }
    if proto.dataLocation == .external {
      return try external.tensor(dtype, shape, proto.externalData, name)
    }
    return Self.normalizingBooleans(try elements.tensor(dtype, shape, count))
  }

  /// The number of elements. Throws `onnx.tensor-shape` unless extents are non-negative, at most 64, and their product
  /// within `maximumTensorBytes`.
  static func checkedCount(_ dtype: DType, _ shape: [Int], _ name: String) throws(Diagnostic) -> Int {
    guard shape.count <= 64, let count = shape.checkedProduct, count <= maximumTensorBytes,
      let bytes = dtype.byteCount(count), bytes <= maximumTensorBytes
    else {
      let extents = shape.prefix(8).map(String.init).joined(separator: ", ") + (shape.count > 8 ? ", …" : "")
      throw Diagnostic("onnx.tensor-shape", "\(name) has an impossible shape [\(extents)]")
    }
    return count
  }

  /// A `bool` byte is 0 or 1; files hold others.
  static func normalizingBooleans(_ tensor: Tensor) -> Tensor {
    guard tensor.dtype == .bool, tensor.withBytes({ $0.contains { $0 > 1 } }) else { return tensor }
    return Tensor(.bool, tensor.shape) { (out: UnsafeMutableBufferPointer<UInt8>) in
      tensor.withBytes { for (index, byte) in $0.enumerated() { out[index] = byte == 0 ? 0 : 1 } }
    }
  }
}

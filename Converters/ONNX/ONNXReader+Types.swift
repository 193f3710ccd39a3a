import MLCCore
import ONNXProto

extension ONNXReader {
  func valueInfo(_ proto: Onnx_ValueInfoProto) -> ONNXValueInfo { valueInfo(proto.name, proto.type) }

  func valueInfo(_ name: String, _ proto: Onnx_TypeProto) -> ONNXValueInfo {
    var info = ONNXValueInfo(name: name)
    switch proto.value {
    case .tensorType(let tensor):
      let shape = tensor.hasShape ? tensor.shape : nil
      fill(&info, Int(tensor.elemType), shape)
    case .sparseTensorType: info.unsupported = "sparse tensor"
    case .sequenceType(let sequence):
      info = valueInfo(name, sequence.elemType)
      // Sequences of sequences have no place in a graph.
      if info.isSequence || info.keys != nil {
        info = ONNXValueInfo(name: name, unsupported: "sequence of \(info.isSequence ? "sequences" : "maps")")
      }
      info.isSequence = true
    case .optionalType(let optional):
      info = valueInfo(name, optional.elemType)
      info.isOptional = true
    case .mapType(let map):
      info = valueInfo(name, map.valueType)
      info.keys = DType(onnx: Int(map.keyType))
      guard !info.isSequence, !info.isOptional, let keys = info.keys, let dtype = info.dtype,
        keys == .string || keys.isInteger
      else { return ONNXValueInfo(name: name, unsupported: "map of what is no scalar") }
      info.type = TensorType(dtype, [.symbol("\(name)_count")])
    case .opaqueType(let opaque): info.unsupported = "opaque \(opaque.domain).\(opaque.name)"
    case nil: break
    }
    return info
  }

  private func fill(_ info: inout ONNXValueInfo, _ elementType: Int, _ shape: Onnx_TensorShapeProto?) {
    guard let dtype = DType(onnx: elementType) else {
      // 0 is "undefined": the file leaves the type to inference.
      info.unsupported = elementType == 0 ? nil : DType.unsupportedONNXName(elementType)
      return
    }
    info.dtype = dtype
    guard let shape else { return }
    let dims = shape.dim.enumerated().map { axis, dim in extent(dim, or: "\(info.name)_d\(axis)") }
    info.type = TensorType(dtype, dims)
  }

  /// A number, or a symbol. Exporters write `?`, `None` and -1 for extents that have nothing in common.
  private func extent(_ proto: Onnx_TensorShapeProto.Dimension, or fresh: String) -> Dim {
    switch proto.value {
    case .dimValue(let value) where value >= 0: Dim(Int(value))
    case .dimParam(let name) where !["", "?", "None", "-1"].contains(name): .symbol(name)
    default: .symbol(fresh)
    }
  }
}

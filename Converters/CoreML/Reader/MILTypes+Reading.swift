import CoreMLProto
import MLCCore

extension TensorType {
  /// What a state holds: a tensor of fixed size. Throws `coreml.state`, and as `init(_:symbol:)` does.
  init(state type: MILValueType) throws(Diagnostic) {
    try self.init(type.stateType.wrappedType)
    guard staticShape != nil else {
      throw Diagnostic("coreml.state", "a state has an open size", kind: .unsupported)
    }
  }

  /// A list is a tensor with its length in front, which is open whatever the type says of its beginning. Unknown
  /// extents are the symbols `symbol` gives for their axes. Throws `coreml.type`.
  init(_ type: MILValueType, symbol: (Int) -> Dim = { .symbol("d\($0)") }) throws(Diagnostic) {
    if case .listType(let list)? = type.type {
      if case .listType? = list.type.type { throw Diagnostic("coreml.type", "a list of lists", kind: .unsupported) }
      let element = try TensorType(list.type) { symbol($0 + 1) }
      self.init(element.dtype, [symbol(0)] + element.shape)
      return
    }
    guard case .tensorType(let tensor)? = type.type else {
      let what =
        switch type.type {
        case .stateType?: "a state"
        case .dictionaryType?: "a dictionary"
        case .tupleType?: "a tuple"
        default: "nothing"
        }
      throw Diagnostic("coreml.type", "a value is \(what); mlc takes tensors", kind: .unsupported)
    }
    guard let dtype = DType(tensor.dataType) else {
      throw Diagnostic("coreml.type", "a tensor has element type \(tensor.dataType)", kind: .unsupported)
    }
    guard tensor.dimensions.count <= 64, tensor.rank <= 64 else {
      throw Diagnostic("coreml.type", "a tensor has \(tensor.dimensions.count) axes")
    }
    guard tensor.rank == tensor.dimensions.count else {
      throw Diagnostic("coreml.type", "a tensor of unknown rank", kind: .unsupported)
    }
    var shape: [Dim] = []
    for (axis, dimension) in tensor.dimensions.enumerated() {
      switch dimension.dimension {
      case .constant(let constant)?:
        guard let size = Int(exactly: constant.size), size <= 1 << 40 else {
          throw Diagnostic("coreml.type", "an extent is \(constant.size)")
        }
        shape.append(Dim(size))
      case .unknown(let unknown)? where !unknown.variadic: shape.append(symbol(axis))
      default: throw Diagnostic("coreml.type", "a tensor of unknown rank", kind: .unsupported)
      }
    }
    self.init(dtype, shape)
  }
}

extension Tensor {
  /// `nil` when the elements are not as many as the shape says, or of another kind than the element type.
  init?(_ value: MILTensorValue, _ dtype: DType, _ shape: [Int]) {
    guard let count = shape.checkedProduct else { return nil }
    switch (value.value, dtype) {
    case (.floats(let list)?, .float32) where list.values.count == count: self.init(shape, floats: list.values)
    case (.doubles(let list)?, .float64) where list.values.count == count: self.init(.float64, shape, list.values)
    case (.ints(let list)?, _) where dtype.isInteger && list.values.count == count:
      self.init(dtype, shape, list.values.map { Int($0) })
    case (.longInts(let list)?, _) where dtype.isInteger && list.values.count == count:
      self.init(dtype, shape, list.values.map { Int($0) })
    case (.bools(let list)?, .bool) where list.values.count == count:
      self.init(.bool, shape, list.values.map { $0 ? 1 : 0 })
    case (.strings(let list)?, .string) where list.values.count == count: self.init(shape, strings: list.values)
    case (.bytes(let list)?, _) where dtype != .string && dtype != .bool:
      guard dtype.byteCount(count) == list.values.count else { return nil }
      let bytes = list.values
      self.init(dtype, shape, storage: Storage(byteCount: bytes.count) { $0.copyBytes(from: bytes) })
    case (nil, _) where count == 0 && dtype != .string:
      self.init(dtype, shape, storage: Storage(byteCount: 0) { _ in })
    case (.ints?, _), (.floats?, _), (.bools?, _), (.strings?, _), (.longInts?, _), (.doubles?, _), (.bytes?, _),
      (nil, _):
      return nil
    }
  }
}

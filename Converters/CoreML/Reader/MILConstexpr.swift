import MLCCore
import MLCGraph
import MLCOps

/// Compressed constants: they stay operations of the graph, in the form that iOS 18 has. What earlier systems hold as
/// attributes is brought to that form without touching the bytes.
enum MILConstexpr {
  static func handles(_ type: String) -> Bool {
    type == "constexpr_affine_dequantize" || OperatorSet.named(type) is any ConstantExpression.Type
  }

  static func wrong(_ what: String) -> Diagnostic { Diagnostic("coreml.compressed", what) }

  /// Appends the operation and enters its results. Throws `coreml.compressed`, and what inference throws.
  static func convert(_ source: MILNode, in context: inout MILContext) throws(Diagnostic) {
    let node = try current(source)
    guard let type = OperatorSet.named(node.type) as? any ConstantExpression.Type else {
      throw wrong("\(node.type) is no compressed constant")
    }
    var op: any Operator = type.init()
    var (values, operands) = ([[ValueID]](), [[MILEntry]]())
    for port in type.portNames {
      operands.append(node.arguments[port] ?? [])
      values.append(try context.values(node, port))
    }
    for name in node.arguments.keys.sorted() where !type.portNames.contains(name) {
      guard type.attributeNames.contains(name) else {
        throw Diagnostic("coreml.parameter", "mlc's \(node.type) has no parameter '\(name)'", kind: .unsupported)
      }
      try MILGenericImport.set(name, of: &op, node)
    }
    let results = try context.builder.append(op, values, names: node.outputs.map(\.name), origin: node.origin)
    guard results.count == node.outputs.count else { throw Diagnostic("coreml.outputs", "wrong number of outputs") }
    let expression = try MILExpression(op, operands)
    for (index, output) in node.outputs.enumerated() {
      context.entries[output.name] = .compressed(results[index], expression, output: index)
    }
  }

  /// The node with every constant as an argument, in the form of iOS 18.
  private static func current(_ node: MILNode) throws(Diagnostic) -> MILNode {
    var result = node
    for (name, tensor) in node.attributes where result.arguments[name] == nil {
      result.arguments[name] = [.constant(tensor)]
    }
    switch node.type {
    case "constexpr_affine_dequantize": try bringAffine(&result)
    case "constexpr_lut_to_dense" where result.arguments["shape"] != nil: try bringPalette(&result)
    case "constexpr_sparse_to_dense" where result.arguments["shape"] != nil: try bringMask(&result)
    default: break
    }
    return result
  }

  /// Scale and zero point, numbers or vectors along `axis`, get the rank of the data. A zero point of zeros goes.
  private static func bringAffine(_ node: inout MILNode) throws(Diagnostic) {
    let (data, zero, scale) = (
      try node.required("quantized_data"), try node.required("zero_point"), try node.required("scale")
    )
    let axis = try node.integer("axis") ?? 0
    let position = axis < 0 ? axis + data.rank : axis
    guard scale.dtype.isFloat, zero.dtype != .string, data.shape.indices.contains(position) else {
      throw wrong("constexpr_affine_dequantize of \(data.type) along axis \(axis)")
    }
    let extent = data.shape[position]
    for vector in [zero, scale] where vector.rank > 1 || vector.count != 1 && vector.count != extent {
      throw wrong("\(vector.count) scales or zero points for an extent of \(extent)")
    }
    let count = max(zero.count, scale.count)
    let grid = data.shape.indices.map { $0 == position ? count : 1 }
    node.type = ConstexprBlockwiseShiftScale.name
    node.arguments = ["data": [.constant(data)], "scale": [.constant(scale.repeated(count).reshaped(grid))]]
    if zero.doubles.contains(where: { $0 != 0 }) {
      node.arguments["offset"] = [.constant(zero.repeated(count).reshaped(grid))]
    }
  }

  /// Indices in packed bytes beside their shape, one table for all of them.
  private static func bringPalette(_ node: inout MILNode) throws(Diagnostic) {
    let (packed, lut) = (try node.required("indices"), try node.required("lut"))
    let shape = try extents(node)
    let types = Dictionary(
      uniqueKeysWithValues: [DType.uint1, .uint2, .uint3, .uint4, .uint6, .uint8].map { ($0.bitWidth, $0) }
    )
    guard lut.rank == 1, lut.count >= 2, lut.count.nonzeroBitCount == 1,
      let dtype = types[lut.count.trailingZeroBitCount]
    else { throw wrong("constexpr_lut_to_dense with a table of \(lut.type)") }
    guard packed.dtype == .uint8, let indices = packed.viewed(as: dtype, shape) else {
      throw wrong("\(packed.count) bytes of indices for shape \(shape)")
    }
    let table = lut.reshaped([Int](repeating: 1, count: shape.count) + [lut.count, 1])
    node.arguments = ["indices": [.constant(indices)], "lut": [.constant(table)]]
  }

  /// A mask in packed bytes beside its shape.
  private static func bringMask(_ node: inout MILNode) throws(Diagnostic) {
    let (packed, data) = (try node.required("mask"), try node.required("nonzero_data"))
    let shape = try extents(node)
    guard packed.dtype == .uint8, let mask = packed.viewed(as: .uint1, shape) else {
      throw wrong("a mask of \(packed.type) for shape \(shape)")
    }
    node.arguments = ["mask": [.constant(mask)], "nonzero_data": [.constant(data)]]
  }

  private static func extents(_ node: MILNode) throws(Diagnostic) -> [Int] {
    let shape = try node.required("shape")
    guard shape.dtype.isInteger, shape.rank == 1, shape.count <= 64 else { throw wrong("the shape is \(shape.type)") }
    return shape.integers
  }
}

/// What a compressed constant is computed from, for those who need its numbers as the model is read.
struct MILExpression: Sendable {
  private let op: any Operator
  private let operands: [[MILEntry]]
  private let depth: Int

  /// Throws `coreml.compressed` when expressions of expressions go too deep.
  init(_ op: any Operator, _ operands: [[MILEntry]]) throws(Diagnostic) {
    (self.op, self.operands) = (op, operands)
    var depth = 0
    for case .compressed(_, let inner, _) in operands.joined() { depth = max(depth, inner.depth) }
    guard depth < 8 else { throw MILConstexpr.wrong("compressed constants are nested more than 8 deep") }
    self.depth = depth + 1
  }

  /// The results. Throws what the operators throw.
  func expanded() throws(Diagnostic) -> [Tensor] {
    var arguments: [[Tensor]] = []
    for port in operands {
      var tensors: [Tensor] = []
      for entry in port { tensors.append(try entry.tensor()) }
      arguments.append(tensors)
    }
    return try op.evaluate(Operands(type(of: op).portNames, arguments))
  }
}

extension Tensor {
  /// The only element of a tensor `count` times in a vector; other tensors as they are.
  fileprivate func repeated(_ count: Int) -> Tensor {
    if self.count == count { return self }
    return dtype.isFloat
      ? Tensor(dtype, [count], [Double](repeating: doubles[0], count: count))
      : Tensor(dtype, [count], [Int](repeating: integers[0], count: count))
  }
}

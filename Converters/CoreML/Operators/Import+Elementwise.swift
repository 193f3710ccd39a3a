import MLCCore
import MLCGraph
import MLCOps

/// `min(x ≥ 0 ? x : alpha·x, beta)`
func importClampedRelu(_ node: MILNode, _ context: inout MILContext) throws(Diagnostic) -> [ValueID] {
  let x = try context.value(node, "x")
  var leaky = LeakyRelu()
  leaky.alpha = try node.number("alpha") ?? 0
  let y = try context.append(node, leaky, [x], last: false)[0]
  let limit = context.scalar(node, try node.number("beta") ?? .infinity, like: x)
  return try context.append(node, Minimum(), [y, limit])
}

/// `alpha·x + beta`
func importLinearActivation(_ node: MILNode, _ context: inout MILContext) throws(Diagnostic) -> [ValueID] {
  let x = try context.value(node, "x")
  let alpha = context.scalar(node, try node.number("alpha") ?? 1, like: x)
  let scaled = try context.append(node, Mul(), [x, alpha], last: false)[0]
  return try context.append(node, Add(), [scaled, context.scalar(node, try node.number("beta") ?? 0, like: x)])
}

/// `alpha·tanh(beta·x)`
func importScaledTanh(_ node: MILNode, _ context: inout MILContext) throws(Diagnostic) -> [ValueID] {
  let x = try context.value(node, "x")
  let beta = context.scalar(node, try node.number("beta") ?? 1, like: x)
  let inner = try context.append(node, Mul(), [x, beta], last: false)[0]
  let tanh = try context.append(node, Tanh(), [inner], last: false)[0]
  return try context.append(node, Mul(), [tanh, context.scalar(node, try node.number("alpha") ?? 1, like: x)])
}

/// `max(x, alpha)`
func importThreshold(_ node: MILNode, _ context: inout MILContext) throws(Diagnostic) -> [ValueID] {
  let x = try context.value(node, "x")
  return try context.append(node, Maximum(), [x, context.scalar(node, try node.number("alpha") ?? 0, like: x)])
}

/// `x / √(Σ x² + epsilon)` over the last three axes.
func importL2Norm(_ node: MILNode, _ context: inout MILContext) throws(Diagnostic) -> [ValueID] {
  let x = try context.value(node, "x")
  guard context.builder.fact(x).rank >= 3 else { throw Diagnostic("coreml.parameter", "l2_norm needs three axes") }
  let sum = try context.append(node, ReduceSumSquare(axes: [-3, -2, -1], keepDims: true), [x], last: false)[0]
  let scale = try context.append(node, Rsqrt(epsilon: try node.number("epsilon") ?? 1e-6), [sum], last: false)[0]
  return try context.append(node, Mul(), [x, scale])
}

/// MIL's `alpha: T[C]` belongs to the second axis.
func importPrelu(_ node: MILNode, _ context: inout MILContext) throws(Diagnostic) -> [ValueID] {
  let x = try context.value(node, "x")
  let alpha = try node.required("alpha")
  let rank = context.builder.fact(x).rank
  guard alpha.rank == 1, alpha.dtype.isFloat, rank >= 2 else {
    return try MILGenericImport.convert(node, in: &context)
  }
  let shape = [alpha.count] + [Int](repeating: 1, count: rank - 2)
  let value = alpha.converted(to: context.builder.fact(x).dtype).reshaped(shape)
  let id = context.builder.constant(value, name: "\(node.name)_alpha", origin: node.origin)
  return try context.append(node, Prelu(), [x, id])
}

/// MIL adds `input_bias` where `bias` is added.
func importGRU(_ node: MILNode, _ context: inout MILContext) throws(Diagnostic) -> [ValueID] {
  guard let second = try node.constant("input_bias") else { return try MILGenericImport.convert(node, in: &context) }
  guard try !node.flag("reset_after"), second.dtype.isFloat else {
    throw Diagnostic("coreml.parameter", "gru with 'reset_after' and 'input_bias' is not supported", kind: .unsupported)
  }
  var arguments = node.arguments
  arguments["input_bias"] = nil
  var bias = second
  if let first = try node.constant("bias") {
    guard first.shape == second.shape, first.dtype.isFloat else { throw Diagnostic("coreml.parameter", "the biases differ in shape") }
    bias = Tensor(first.dtype, first.shape, zip(first.doubles, second.doubles).map { $0 + $1 })
  }
  arguments["bias"] = [.constant(bias)]
  let plain = MILNode(
    type: node.type,
    name: node.name,
    arguments: arguments,
    attributes: node.attributes,
    outputs: node.outputs,
    origin: node.origin
  )
  return try MILGenericImport.convert(plain, in: &context)
}

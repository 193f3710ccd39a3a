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

/// `x` where `x ≥ alpha`, else 0; the operator of the graph, which is ONNX', leaves out `x = alpha` and NaN.
func importThresholdedRelu(_ node: MILNode, _ context: inout MILContext) throws(Diagnostic) -> [ValueID] {
  let x = try context.value(node, "x")
  let alpha = context.scalar(node, try node.number("alpha") ?? 1, like: x)
  let isLess = try context.append(node, Less(), [x, alpha], last: false)[0]
  return try context.append(node, Select(), [isLess, context.scalar(node, 0, like: x), x])
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

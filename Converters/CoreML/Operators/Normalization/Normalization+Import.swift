import MLCCore
import MLCGraph
import MLCOps

/// `x / √(Σ x² + epsilon)` over the last three axes.
func importL2Norm(_ node: MILNode, _ context: inout MILContext) throws(Diagnostic) -> [ValueID] {
  let x = try context.value(node, "x")
  guard context.builder.fact(x).rank >= 3 else { throw Diagnostic("coreml.parameter", "l2_norm needs three axes") }
  let sum = try context.append(node, ReduceSumSquare(axes: [-3, -2, -1], keepDims: true), [x], last: false)[0]
  let scale = try context.append(node, Rsqrt(epsilon: try node.number("epsilon") ?? 1e-6), [sum], last: false)[0]
  return try context.append(node, Mul(), [x, scale])
}

import MLCCore
import MLCGraph
import MLCOps

/// MIL adds `input_bias` where `bias` is added; with `reset_after`, what of `bias` belongs to the output gate is added
/// before the reset.
func importGRU(_ node: MILNode, _ context: inout MILContext) throws(Diagnostic) -> [ValueID] {
  guard let second = try node.constant("input_bias") else { return try MILGenericImport.convert(node, in: &context) }
  var plain = node
  plain.arguments["input_bias"] = nil
  let first = try node.constant("bias") ?? Tensor(second.dtype, second.shape, second.doubles.map { _ in 0.0 })
  guard first.shape == second.shape, first.dtype.isFloat, second.dtype.isFloat, first.rank == 1,
    first.count.isMultiple(of: 3)
  else { throw Diagnostic("coreml.parameter", "the biases are \(first.type) and \(second.type)") }
  let hidden = first.count / 3
  var (own, sums) = (first.doubles, second.doubles)
  if try node.flag("reset_after") {
    let output = Array(own[hidden..<2 * hidden])
    plain.arguments["hidden_bias"] = [.constant(Tensor(first.dtype, [hidden], output))]
    own.replaceSubrange(hidden..<2 * hidden, with: output.map { _ in 0 })
  }
  for index in sums.indices { sums[index] += own[index] }
  plain.arguments["bias"] = [.constant(Tensor(first.dtype, first.shape, sums))]
  return try MILGenericImport.convert(plain, in: &context)
}

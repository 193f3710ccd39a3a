import MLCCore
import MLCGraph
import MLCOps

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
    guard first.shape == second.shape, first.dtype.isFloat else {
      throw Diagnostic("coreml.parameter", "the biases differ in shape")
    }
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

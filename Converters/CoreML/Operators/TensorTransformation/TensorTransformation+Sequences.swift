import MLCCore
import MLCGraph
import MLCOps

/// The first `lengths` elements along `seq_axis` in reverse, for each of `batch_axis`.
func importReverseSequence(_ node: MILNode, _ context: inout MILContext) throws(Diagnostic) -> [ValueID] {
  let (x, lengths) = (try context.value(node, "x"), try context.value(node, "lengths"))
  let (batch, time) = (try node.integer("batch_axis") ?? 0, try node.integer("seq_axis") ?? 0)
  return [try context.reversedSequences(x, lengths, batch: batch, time: time)]
}

func importSlidingWindows(_ node: MILNode, _ context: inout MILContext) throws(Diagnostic) -> [ValueID] {
  let x = try context.value(node, "x")
  guard let axis = try node.integer("axis"), let size = try node.integer("size"),
    case let place = axis < 0 ? axis + context.fact(x).rank : axis, context.fact(x).shape.indices.contains(place)
  else { throw Diagnostic("coreml.parameter", "'axis' or 'size' does not fit \(context.fact(x).type)") }
  return [try context.slidingWindows(x, axis: place, size: size, stride: try node.integer("stride") ?? 1)]
}

import MLCCore
import MLCGraph
import MLCOps

/// The label of the greatest probability, and the probabilities in the order of the labels.
func importClassify(_ node: MILNode, _ context: inout MILContext) throws(Diagnostic) -> [ValueID] {
  let probabilities = try context.value(node, "probabilities")
  let classes = try node.required("classes")
  guard classes.rank == 1, classes.count > 0, classes.dtype == .string || classes.dtype.isInteger else {
    throw Diagnostic("coreml.parameter", "'classes' is \(classes.type)")
  }
  let line = try context.reshape(probabilities, [Dim(classes.count)])
  let best = try context.apply(ReduceArgmax(axis: 0), line)
  context.labels[line] = ClassLabels(classes)
  return [try context.apply(Gather(axis: 0), context.constant(classes, "classes"), best), line]
}

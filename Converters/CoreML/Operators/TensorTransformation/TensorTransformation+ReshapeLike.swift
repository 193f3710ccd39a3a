import MLCCore
import MLCGraph
import MLCOps

/// The extents of each reference from `begins` up to `ends`, or to its last, joined.
func importReshapeLike(_ node: MILNode, _ context: inout MILContext) throws(Diagnostic) -> [ValueID] {
  let (x, references) = (try context.value(node, "x"), try context.values(node, "ref_tensors"))
  let lists = try ["begins", "ends", "end_masks"].map { (name) throws(Diagnostic) in
    try (node.arguments[name] ?? []).map { (entry) throws(Diagnostic) in try entry.tensor() }
  }
  guard !references.isEmpty, lists.allSatisfy({ $0.count == references.count }),
    lists.joined().allSatisfy({ $0.count == 1 && $0.dtype != .string && !$0.dtype.isFloat })
  else { throw Diagnostic("coreml.parameter", "reshape_like needs as many begins, ends and end_masks as references") }
  var parts: [ValueID] = []
  for (index, reference) in references.enumerated() {
    let isOpen = lists[2][index].integers[0] != 0
    let end = isOpen ? nil : lists[1][index].integers[0]
    parts.append(try context.apply(Shape(start: lists[0][index].integers[0], end: end, dtype: .int32), reference))
  }
  return [try context.apply(Reshape(allowZero: true), x, try context.concat(parts, axis: 0))]
}

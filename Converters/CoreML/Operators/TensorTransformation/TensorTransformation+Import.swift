import MLCCore
import MLCGraph
import MLCOps

/// The end is begin plus size; a size of −1 takes what is left.
func importSliceBySize(_ node: MILNode, _ context: inout MILContext) throws(Diagnostic) -> [ValueID] {
  let x = try context.value(node, "x")
  let (begin, size) = (try node.required("begin"), try node.required("size"))
  let rank = context.builder.fact(x).rank
  guard begin.dtype.isInteger, size.dtype.isInteger, begin.count == rank, size.count == rank else {
    throw Diagnostic("coreml.parameter", "begin and size need one integer per axis")
  }
  let (starts, sizes) = (begin.integers, size.integers)
  let ends = zip(starts, sizes).map { $0 &+ $1 }
  let open = zip(starts, sizes).map { $1 == -1 || ($0 < 0 && $0 &+ $1 == 0) }
  let slice = SliceByIndex(beginMask: [], endMask: open)
  return try context.append(node, slice, [x, context.list(node, starts), context.list(node, ends)])
}

import MLCCore
import MLCGraph
import MLCOps

/// Blocks of height and width become batches, those of the block's first element first.
func importSpaceToBatch(_ node: MILNode, _ context: inout MILContext) throws(Diagnostic) -> [ValueID] {
  var x = try context.value(node, "x")
  let (block, amounts) = try blocks(node, "paddings", x, context)
  x = try context.apply(Pad(mode: "constant"), x, context.list(amounts), context.scalar(0, like: x))
  let shape = context.fact(x).shape
  let inner = zip(shape[2...], block).flatMap { [$0.floorDiv(Dim($1)), Dim($1)] }
  let cut = try context.reshape(x, Array(shape[..<2]) + inner)
  let turned = try context.apply(Transpose([3, 5, 0, 1, 2, 4]), cut)
  return [try context.reshape(turned, [shape[0] * Dim(block[0] * block[1]), shape[1], inner[0], inner[2]])]
}

/// What `space_to_batch` undoes.
func importBatchToSpace(_ node: MILNode, _ context: inout MILContext) throws(Diagnostic) -> [ValueID] {
  let x = try context.value(node, "x")
  let (block, amounts) = try blocks(node, "crops", x, context)
  let shape = context.fact(x).shape
  let batch = shape[0].floorDiv(Dim(block[0] * block[1]))
  let cut = try context.reshape(x, [Dim(block[0]), Dim(block[1]), batch] + shape[1...])
  let turned = try context.apply(Transpose([2, 3, 4, 0, 5, 1]), cut)
  let whole = try context.reshape(turned, [batch, shape[1], shape[2] * Dim(block[0]), shape[3] * Dim(block[1])])
  return [
    try context.apply(Pad(mode: "constant"), whole, context.list(amounts.map { -$0 }), context.scalar(0, like: x))
  ]
}

/// The block, and the amounts before and after height and width.
private func blocks(_ node: MILNode, _ name: String, _ x: ValueID, _ context: MILContext) throws(Diagnostic)
  -> (block: [Int], amounts: [Int])
{
  let (block, amounts) = (try node.integers("block_shape", count: 2), try node.integers(name, count: 4))
  guard context.fact(x).rank == 4, block.allSatisfy({ (1...1 << 20).contains($0) }),
    amounts.allSatisfy({ (0...1 << 20).contains($0) })
  else { throw Diagnostic("coreml.parameter", "blocks of \(block) of \(context.fact(x).type), \(name) \(amounts)") }
  return (block, amounts)
}

import MLCCore
import MLCGraph
import MLCOps

/// `alpha·log(1 + exp(beta·x))`, both one for each of the second axis.
func importSoftplusParametric(_ node: MILNode, _ context: inout MILContext) throws(Diagnostic) -> [ValueID] {
  let x = try context.value(node, "x")
  let fact = context.fact(x)
  var vectors: [ValueID] = []
  for name in ["alpha", "beta"] {
    let vector = try node.required(name)
    guard vector.rank == 1, vector.dtype.isFloat, fact.rank >= 2 else {
      throw Diagnostic("coreml.parameter", "'\(name)' is \(vector.type) for \(fact.type)")
    }
    let shape = [vector.count] + [Int](repeating: 1, count: fact.rank - 2)
    vectors.append(context.constant(vector.converted(to: fact.dtype).reshaped(shape), name))
  }
  let soft = try context.apply(Softplus(), try context.apply(Mul(), x, vectors[1]))
  return [try context.apply(Mul(), soft, vectors[0])]
}

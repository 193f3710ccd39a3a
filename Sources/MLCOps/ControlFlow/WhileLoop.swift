import MLCCore
import MLCGraph

/// `loop_vars` carried through block `body` as long as block `cond` of them holds: `loop_vars: Tᵢ[*Sᵢ]…` → as many
/// values.
///
/// `cond` yields one truth value, `body` the next values. A carried value keeps its type and rank; an extent that
/// `body` changes becomes a fresh symbol. Throws `while_loop.cond`, `while_loop.body`, `while_loop.iterations` beyond
/// 2³¹. Source: MIL `while_loop`.
package struct WhileLoop: RegionOperator {
  package static let schema = Schema<WhileLoop>(
    "while_loop",
    [.variadic("loop_vars"), .block("cond"), .block("body"), .output("y")]
  )
  package init() {}

  package func infer(_ inputs: Operands<Fact>) throws(Diagnostic) -> [Fact] {
    let carried = inputs[all: "loop_vars"]
    guard inputs.blocks.count == 2, inputs.blocks[0].count == 1, inputs.blocks[0][0].dtype == .bool else {
      throw Diagnostic("while_loop.cond", "the condition does not yield one truth value")
    }
    let next = inputs.blocks[1]
    let fits = zip(carried, next).allSatisfy { $0.dtype == $1.dtype && $0.rank == $1.rank }
    guard next.count == carried.count, fits else {
      let types = (carried.map { $0.type.description }, next.map { $0.type.description })
      throw Diagnostic("while_loop.body", "the body takes \(types.0) and yields \(types.1)")
    }
    return carried.indices.map { index in
      let (a, b) = (carried[index], next[index])
      return Fact(
        a.dtype,
        a.shape.indices.map { k in a.shape[k] == b.shape[k] ? a.shape[k] : inputs.fresh("out\(index)_d\(k)") }
      )
    }
  }

  package func evaluate(
    _ inputs: Operands<Tensor>,
    run: (Int, [Tensor]) throws(Diagnostic) -> [Tensor]
  ) throws(Diagnostic) -> [Tensor] {
    var values = inputs[all: "loop_vars"]
    for _ in 0..<1 << 31 {
      let holds = try run(0, values)
      guard holds.count == 1, holds[0].count == 1 else {
        throw Diagnostic("while_loop.cond", "the condition does not yield one truth value")
      }
      if holds[0].integers[0] == 0 { return values }
      values = try run(1, values)
    }
    throw Diagnostic("while_loop.iterations", "the loop does not end")
  }
}

import MLCCore
import MLCGraph

/// The results of block `true_branch` where `pred` holds, else those of `false_branch`: `pred: bool` of one element →
/// what the blocks yield.
///
/// Both blocks yield as many values, of equal types and ranks; an extent on which they differ becomes a fresh symbol.
/// Throws `cond.outputs`, `cond.dtype`, `cond.rank`, `cond.pred`. Source: MIL `cond`, ONNX `If`.
package struct Cond: RegionOperator {
  package static let schema = Schema<Cond>(
    "cond",
    [.input("pred"), .block("true_branch"), .block("false_branch"), .output("y")]
  )
  package init() {}

  package func infer(_ inputs: Operands<Fact>) throws(Diagnostic) -> [Fact] {
    guard inputs["pred"].dtype == .bool else { throw Diagnostic.dtype("cond", inputs["pred"].dtype, "pred") }
    if let count = inputs["pred"].type.staticShape?.checkedProduct, count != 1 {
      throw Diagnostic("cond.pred", "the predicate is \(inputs["pred"].type), not one truth value")
    }
    guard inputs.blocks.count == 2, inputs.blocks[0].count == inputs.blocks[1].count else {
      throw Diagnostic("cond.outputs", "the branches yield \(inputs.blocks.map { $0.count }) values")
    }
    var facts: [Fact] = []
    for (index, pair) in zip(inputs.blocks[0], inputs.blocks[1]).enumerated() {
      let (a, b) = pair
      guard a.dtype == b.dtype else {
        throw Diagnostic("cond.dtype", "output \(index) is \(a.type) in one branch and \(b.type) in the other")
      }
      guard a.rank == b.rank else {
        let message = "output \(index) is \(a.type) in one branch and \(b.type) in the other"
        throw Diagnostic("cond.rank", message, kind: .unsupported)
      }
      let shape = a.shape.indices.map { k in a.shape[k] == b.shape[k] ? a.shape[k] : inputs.fresh("out\(index)_d\(k)") }
      facts.append(Fact(TensorType(a.dtype, shape), elements: a.elements == b.elements ? a.elements : nil))
    }
    return facts
  }

  package func evaluate(
    _ inputs: Operands<Tensor>,
    run: (Int, [Tensor]) throws(Diagnostic) -> [Tensor]
  ) throws(Diagnostic) -> [Tensor] {
    guard inputs["pred"].count == 1 else {
      throw Diagnostic("cond.pred", "the predicate has \(inputs["pred"].count) elements, not one")
    }
    return try run(inputs["pred"].integers[0] != 0 ? 0 : 1, [])
  }
}

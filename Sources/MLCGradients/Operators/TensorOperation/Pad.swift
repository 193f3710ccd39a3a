import MLCCore
import MLCGraph
import MLCOps

/// What was added is taken away; the constant has the sum of the gradients of what was added.
extension Pad: Differentiable {
  package func gradientObstacle(_ inputs: Operands<Fact>) -> String? {
    if mode == "constant" { return nil }
    let extents = inputs["x"].type.staticShape
    return extents == nil || inputs["pad"].value == nil ? "open sizes decide what mode '\(mode)' repeats" : nil
  }

  package func differentiate(_ context: inout GradientContext) throws(Diagnostic) {
    let g = try context.gradient()
    if mode != "constant" { return try giveRepeated(g, &context) }
    let amounts = try context.value(-.value(context["pad"]))
    let inner = try context.apply(Pad(), g, amounts, context.scalar(0, like: g))
    try context.give(.value(inner), to: "x")
    guard context.wants("constant_val") else { return }
    let all = try context.apply(ReduceSum(), g)
    let kept = try context.apply(ReduceSum(), inner)
    try context.give(.value(all) - .value(kept), to: "constant_val")
  }

  /// Elements that stand at several places have the sum of their gradients.
  private func giveRepeated(_ g: ValueID, _ context: inout GradientContext) throws(Diagnostic) {
    guard context.wants("x"), let amounts = context.fact(context["pad"]).value?.integers else { return }
    var result = g
    for (number, slot) in stride(from: 0, to: amounts.count, by: 2).enumerated() {
      let axis = context.rank("x") - amounts.count / 2 + number
      guard let extent = context.shape("x")[axis].constant else { continue }
      if amounts[slot] == 0, amounts[slot + 1] == 0 { continue }
      let places = try sources(extent, before: amounts[slot], after: amounts[slot + 1])
      let hits = places.flatMap { place in (0..<extent).map { $0 == place ? 1.0 : 0 } }
      result = try context.contracted(result, axis, by: Tensor(.float32, [places.count, extent], hits))
    }
    try context.give(.value(result), to: "x")
  }

  /// The elements of an axis of extent `n` that stand where `before` and `after` are added around it.
  private func sources(_ n: Int, before: Int, after: Int) throws(Diagnostic) -> [Int] {
    let places = [Tensor(.int64, [n], Array(0..<n))]
    let operands = [places, [Tensor(.int64, [2], [before, after])], []]
    return try evaluate(Operands(Pad.portNames, operands))[0].integers
  }
}

import MLCCore
import MLCGraph
import MLCOps

/// With `r = 1/√(variance + epsilon)` and the sums over all but the channels `S = Σ g`, `P = Σ g·(x − mean)`:
/// `g·γ·r` for x, `−γ·r·S` for the mean, `−½·γ·r³·P` for the variance, `r·P` for γ, `S` for β.
///
/// Source: Ioffe, Szegedy, "Batch normalization: accelerating deep network training by reducing internal covariate
/// shift", ICML 2015, section 3.
extension BatchNorm: Differentiable {
  package func differentiate(_ context: inout GradientContext) throws(Diagnostic) {
    let others = (0..<context.rank("x")).filter { $0 != 1 }
    let g = try context.widened(try context.gradient())
    let x = try context.widened(context["x"])
    let r = Formula.value(try context.vector("variance", like: x)).applying(Rsqrt(epsilon: epsilon))
    let gamma = try context[optional: "gamma"].map { (_) throws(Diagnostic) in
      Formula.value(try context.vector("gamma", like: x))
    }
    let scale = try context.value(gamma.map { $0 * r } ?? r)
    try context.give(.value(g) * .value(try context.beside(x, scale)), to: "x")
    let sum = Formula.value(try context.apply(ReduceSum(axes: others), g))
    try context.give(-(.value(scale) * sum), to: "mean")
    try context.give(sum, to: "beta")
    let mean = try context.beside(x, try context.vector("mean", like: x))
    let centred = try context.value(.value(g) * (.value(x) - .value(mean)))
    let product = Formula.value(try context.apply(ReduceSum(axes: others), centred))
    try context.give(-0.5 * (.value(scale) * r * r * product), to: "variance")
    try context.give(r * product, to: "gamma")
  }
}

extension GradientContext {
  /// `x` in float32, or in its own type where that is wider.
  fileprivate mutating func widened(_ x: ValueID) throws(Diagnostic) -> ValueID {
    fact(x).dtype.bitWidth < 32 ? try converted(x, to: .float32) : x
  }

  /// The vector of a port in the element type of `x`.
  fileprivate mutating func vector(_ port: String, like x: ValueID) throws(Diagnostic) -> ValueID {
    try converted(self[port], to: fact(x).dtype)
  }

  /// A vector over the channels of `x`, with axes beside them to broadcast to it.
  fileprivate mutating func beside(_ x: ValueID, _ vector: ValueID) throws(Diagnostic) -> ValueID {
    let axes = Array(1..<fact(x).rank - 1)
    return axes.isEmpty ? vector : try apply(ExpandDims(axes), vector)
  }
}

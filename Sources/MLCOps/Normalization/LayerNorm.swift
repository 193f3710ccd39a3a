import MLCCore
import MLCGraph

/// Normalisation over `axes` of one example: `y = (x − mean) / √(variance + epsilon) · gamma + beta`.
///
/// `x: T[*S]`, `gamma`, `beta: T[*S[axes]]?` (ones, zeros) → `y: T[*S]`, T floating point. Mean and variance (the mean
/// of squares about the mean) are over `axes`, all axes when none are given. NaN spreads over its group. Throws
/// `layer_norm.axis`, `layer_norm.gamma`, `layer_norm.beta`, `layer_norm.dtype`. Source: MIL `layer_norm`, ONNX
/// `LayerNormalization`.
package struct LayerNorm: Operator {
  package var axes: [Int] = []
  package var epsilon = 1e-5

  package static let schema = Schema<LayerNorm>(
    "layer_norm",
    [
      .input("x"),
      .input("gamma", optional: true),
      .input("beta", optional: true),
      .attribute("axes", \.axes),
      .attribute("epsilon", \.epsilon),
    ]
  )

  package init() {}
  package init(axes: [Int], epsilon: Double) { (self.axes, self.epsilon) = (axes, epsilon) }

  /// The axes from the front, ascending.
  package func resolvedAxes(rank: Int) throws(Diagnostic) -> [Int] {
    axes.isEmpty ? Array(0..<rank) : try normalized(axes: axes, rank: rank, "layer_norm").sorted()
  }

  package func infer(_ inputs: Operands<Fact>) throws(Diagnostic) -> [Fact] {
    let x = inputs["x"]
    try requireFloat(x, "x")
    let shape = try resolvedAxes(rank: x.rank).map { x.shape[$0] }
    for name in ["gamma", "beta"] {
      guard let fact = inputs[optional: name] else { continue }
      try requireFloat(fact, name)
      guard fact.rank == shape.count, zip(fact.shape, shape).allSatisfy(fits) else {
        let message = "'\(name)' is \(fact.type), which does not fit the normalised axes of \(x.type)"
        throw Diagnostic(.init("layer_norm.\(name)"), message)
      }
    }
    return [Fact(x.type)]
  }

  package func evaluate(_ inputs: Operands<Tensor>) throws(Diagnostic) -> [Tensor] {
    let x = inputs["x"]
    _ = try resultShapes(inputs)
    let axes = try resolvedAxes(rank: x.rank)
    let perm = x.shape.indices.filter { !axes.contains($0) } + axes
    let length = axes.reduce(1) { $0 * x.shape[$1] }
    let (gamma, beta) = (inputs[optional: "gamma"]?.doubles, inputs[optional: "beta"]?.doubles)
    let places = IndexMap.transposing(x.shape, perm)
    let source = x.doubles
    var y = source
    guard !source.isEmpty else { return [x] }
    var group = [Double](repeating: 0, count: length)
    for start in stride(from: 0, to: places.count, by: length) {
      for k in 0..<length { group[k] = source[places[start + k]] }
      group.withUnsafeMutableBufferPointer { $0.standardize(epsilon: epsilon) }
      for k in 0..<length { y[places[start + k]] = group[k] * (gamma?[k] ?? 1) + (beta?[k] ?? 0) }
    }
    return [Tensor(x.dtype, x.shape, y)]
  }
}

import MLCCore
import MLCGraph

/// `y = exp(x − max) / Σ exp(x − max)` along `axis`: `x: T[*S]` → `y: T[*S]`, T floating point.
///
/// A run that holds NaN or +inf, or −inf only, is NaN. Throws `softmax.axis`, `softmax.dtype`.
/// Source: MIL `softmax`, ONNX `Softmax` since operator set 13.
package struct Softmax: Operator {
  package var axis = -1

  package static let schema = Schema<Softmax>("softmax", [.input("x"), .attribute("axis", \.axis)])

  package init() {}
  package init(axis: Int) { self.axis = axis }

  package func infer(_ inputs: Operands<Fact>) throws(Diagnostic) -> [Fact] {
    let x = inputs["x"]
    try requireFloat(x, "x")
    _ = try normalized(axis: axis, rank: x.rank, "softmax")
    return [Fact(x.type)]
  }

  package func evaluate(_ inputs: Operands<Tensor>) throws(Diagnostic) -> [Tensor] {
    let x = inputs["x"]
    let axis = try normalized(axis: axis, rank: x.rank, "softmax")
    return [x.mappingRuns(along: axis) { Softmax.normalize($0) }]
  }

  /// Replaces a run by its softmax.
  static func normalize(_ run: UnsafeMutableBufferPointer<Double>) {
    let top = run.max() ?? 0
    var sum = 0.0
    for i in run.indices {
      run[i] = exponential(run[i] - top)
      sum += run[i]
    }
    for i in run.indices { run[i] /= sum }
  }
}

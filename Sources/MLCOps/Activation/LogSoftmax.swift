import MLCCore
import MLCGraph

/// `y = x − max − log Σ exp(x − max)` along `axis`: `x: T[*S]` → `y: T[*S]`, T floating point. mlc extension.
///
/// A run that holds NaN or +inf, or −inf only, is NaN. Throws `log_softmax.axis`, `log_softmax.dtype`.
/// Source: ONNX `LogSoftmax` since operator set 13.
package struct LogSoftmax: Operator {
  package var axis = -1

  package static let schema = Schema<LogSoftmax>("log_softmax", [.input("x"), .attribute("axis", \.axis)])

  package init() {}
  package init(axis: Int) { self.axis = axis }

  package func infer(_ inputs: Operands<Fact>) throws(Diagnostic) -> [Fact] {
    let x = inputs["x"]
    try requireFloat(x, "x")
    _ = try normalized(axis: axis, rank: x.rank, "log_softmax")
    return [Fact(x.type)]
  }

  package func evaluate(_ inputs: Operands<Tensor>) throws(Diagnostic) -> [Tensor] {
    let x = inputs["x"]
    let axis = try normalized(axis: axis, rank: x.rank, "log_softmax")
    return [
      x.mappingRuns(along: axis) { run in
        let top = run.max() ?? 0
        let shift = top + logarithm(run.reduce(0) { $0 + exponential($1 - top) })
        for i in run.indices { run[i] -= shift }
      }
    ]
  }
}

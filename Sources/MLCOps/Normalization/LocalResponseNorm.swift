import MLCCore
import MLCGraph

/// Normalisation by neighbouring channels: `y[n, c, …] = x / (k + alpha/size · Σ x[n, j, …]²)^beta`, j running over the
/// channels from `c − ⌊(size − 1)/2⌋` to `c + ⌈(size − 1)/2⌉` that exist.
///
/// `x: T[N, C, *D]` → `y: T[N, C, *D]`, T floating point. Throws `local_response_norm.size` below 1,
/// `local_response_norm.dtype`. Source: MIL `local_response_norm`, ONNX `LRN`.
package struct LocalResponseNorm: Operator {
  package var size = 1
  package var alpha = 1e-4, beta = 0.75, k = 1.0

  package static let schema = Schema<LocalResponseNorm>(
    "local_response_norm",
    [
      .input("x", rank: 2...64),
      .attribute("size", \.size),
      .attribute("alpha", \.alpha),
      .attribute("beta", \.beta),
      .attribute("k", \.k),
    ]
  )

  package init() {}

  package func infer(_ inputs: Operands<Fact>) throws(Diagnostic) -> [Fact] {
    try requireFloat(inputs["x"], "x")
    guard size >= 1, size <= Int(Int32.max) else {
      throw Diagnostic("local_response_norm.size", "size is \(size)")
    }
    return [Fact(inputs["x"].type)]
  }

  package func evaluate(_ inputs: Operands<Tensor>) throws(Diagnostic) -> [Tensor] {
    let x = inputs["x"]
    return [
      x.mappingRuns(along: 1) { run in
        let source = Array(run)
        for c in run.indices {
          let first = max(0, c - (size - 1) / 2)
          let last = min(run.count - 1, c + size / 2)
          let sum = source[first...last].reduce(0) { $0 + $1 * $1 }
          run[c] = source[c] / power(k + alpha / Double(size) * sum, beta)
        }
      }
    ]
  }
}

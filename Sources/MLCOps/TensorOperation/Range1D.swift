import MLCCore
import MLCGraph

/// `y[i] = start + i·step`, as many as lie before `end`: `end, start, step: T[]` → `y: T[max(0, ⌈(end − start) /
/// step⌉)]`.
///
/// Floats count and compute in Double and round once. Throws `range_1d.dtype`, `range_1d.step` for a step of 0 or NaN
/// bounds, `range_1d.size`.
/// Source: MIL `range_1d`, ONNX `Range`.
package struct Range1D: Operator {
  package static let schema = Schema<Range1D>(
    "range_1d",
    [.input("end", rank: 0...0), .input("start", rank: 0...0), .input("step", rank: 0...0)]
  )
  package init() {}

  package func infer(_ inputs: Operands<Fact>) throws(Diagnostic) -> [Fact] {
    let (end, start, step) = (inputs["end"], inputs["start"], inputs["step"])
    try checkSameDType(end, start, "range_1d")
    try checkSameDType(end, step, "range_1d")
    guard end.dtype.isFloat || end.dtype.isInteger else { throw Diagnostic.dtype("range_1d", end.dtype, "end") }
    if let end = end.value, let start = start.value, let step = step.value {
      let count = try length(end, start, step)
      return [count <= Fact.elementLimit ? Fact(range(end, start, step, count)) : Fact(end.dtype, [Dim(count)])]
    }
    guard let count = Range1D.steps(end, start, step)?.ceil.whole else {
      return [Fact(end.dtype, [inputs.fresh("n")])]
    }
    return [Fact(end.dtype, [Dim.largest(count, 0)])]
  }

  /// `(end − start) / step`, when the step is known not to change its sign.
  package static func steps(_ end: Fact, _ start: Fact, _ step: Fact) -> Ratio? {
    guard let last = end.numbers?.first, let first = start.numbers?.first, let stride = step.numbers?.first,
      let gap = last - first
    else { return nil }
    if stride.isPositive { return gap / stride }
    return (-stride).isPositive ? -gap / -stride : nil
  }

  package func evaluate(_ inputs: Operands<Tensor>) throws(Diagnostic) -> [Tensor] {
    let (end, start, step) = (inputs["end"], inputs["start"], inputs["step"])
    return [range(end, start, step, try length(end, start, step))]
  }

  private func length(_ end: Tensor, _ start: Tensor, _ step: Tensor) throws(Diagnostic) -> Int {
    let (last, first, stride) = (end.doubles[0], start.doubles[0], step.doubles[0])
    let exact = ((last - first) / stride).rounded(.up)
    guard stride != 0, !exact.isNaN else {
      throw Diagnostic("range_1d.step", "a range from \(first) to \(last) in steps of \(stride) has no length")
    }
    guard exact < Double(maximumTensorBytes / 8) else {
      throw Diagnostic("range_1d.size", "a range from \(first) to \(last) in steps of \(stride) is too long")
    }
    return Int(max(0, exact))
  }

  private func range(_ end: Tensor, _ start: Tensor, _ step: Tensor, _ count: Int) -> Tensor {
    if end.dtype.isFloat {
      let (first, stride) = (start.doubles[0], step.doubles[0])
      return Tensor(end.dtype, [count], (0..<count).map { first + Double($0) * stride })
    }
    let (origin, delta) = (start.integers[0], step.integers[0])
    return Tensor(end.dtype, [count], (0..<count).map { origin &+ $0 &* delta })
  }
}

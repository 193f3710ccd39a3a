import MLCCore
import MLCGraph

/// `x` with elements added around the last n axes: `x: T[*S]`, `pad: int[2n]` (before and after of each of them in
/// turn), `constant_val: T[]`, 0 when left out → `y: T[*S']`, each extent grown by both its amounts.
///
/// Negative amounts take elements away. `mode` is `constant`, `reflect` (about the edge elements), `replicate` or
/// `wrap` (mlc extension). Throws `pad.mode`, `pad.amounts` when `pad` does not fit the rank, its length is unknown or
/// an extent would be negative, `pad.value` unless `constant_val` has one element, `pad.empty` when there is nothing to
/// repeat, `pad.size`. Source: MIL `pad`, ONNX `Pad`.
package struct Pad: Operator {
  package var mode = "constant"

  package static let schema = Schema<Pad>(
    "pad",
    [
      .input("x"), .input("pad", rank: 1...1), .input("constant_val", rank: 0...1, optional: true),
      .attribute("mode", \.mode),
    ]
  )
  package init() {}
  package init(mode: String) { self.mode = mode }

  package func infer(_ inputs: Operands<Fact>) throws(Diagnostic) -> [Fact] {
    let (x, pad) = (inputs["x"], inputs["pad"])
    guard pad.dtype.isInteger else { throw Diagnostic.dtype("pad", pad.dtype, "pad") }
    guard ["constant", "reflect", "replicate", "wrap"].contains(mode) else {
      throw Diagnostic("pad.mode", "there is no mode '\(mode)'")
    }
    if let value = inputs[optional: "constant_val"] { try checkSameDType(x, value, "pad") }
    guard let count = pad.shape[0].constant, count.isMultiple(of: 2), count / 2 <= x.rank else {
      throw Diagnostic("pad.amounts", "\(pad.type) does not give two amounts for each of some axes of \(x.type)")
    }
    var shape = x.shape
    for axis in x.rank - count / 2..<x.rank {
      let slot = 2 * (axis - x.rank + count / 2)
      shape[axis] = pad.elements.map { shape[axis] + $0[slot] + $0[slot + 1] } ?? inputs.fresh("d\(axis)")
      if let n = shape[axis].constant, n < 0 { throw Diagnostic("pad.amounts", "axis \(axis) would have extent \(n)") }
    }
    return [Fact(x.dtype, shape)]
  }

  package func evaluate(_ inputs: Operands<Tensor>) throws(Diagnostic) -> [Tensor] {
    let (x, amounts) = (inputs["x"], inputs["pad"].integers)
    let first = x.rank - amounts.count / 2
    var shape = x.shape
    for axis in first..<x.rank {
      let (before, after) = (amounts[2 * (axis - first)], amounts[2 * (axis - first) + 1])
      let limit = maximumTensorBytes
      guard abs(Double(before)) <= Double(limit), abs(Double(after)) <= Double(limit), shape[axis] + before + after >= 0
      else { throw Diagnostic("pad.amounts", "\(before) and \(after) do not fit an extent of \(x.shape[axis])") }
      shape[axis] += before + after
    }
    try checkSize(x.dtype, shape, "pad")
    let strides = x.shape.rowMajorStrides
    var maps: [[Int]] = []
    for (axis, extent) in shape.enumerated() {
      guard x.shape[axis] > 0 || extent == 0 || mode == "constant" else {
        throw Diagnostic("pad.empty", "axis \(axis) has no elements to repeat")
      }
      let before = axis < first ? 0 : amounts[2 * (axis - first)]
      maps.append(
        (0..<extent).map { position in
          source(position - before, x.shape[axis]).map { $0 * strides[axis] } ?? IndexMap.outside
        }
      )
    }
    let value = inputs[optional: "constant_val"]
    guard value == nil || value?.count == 1 else { throw Diagnostic("pad.value", "constant_val is not one number") }
    return [x.picking(IndexMap.indices(maps), shape, fill: value)]
  }

  /// The element of an axis of extent `n` that stands at `index`, `nil` for the constant.
  private func source(_ index: Int, _ n: Int) -> Int? {
    if (0..<n).contains(index) { return index }
    switch mode {
    case "constant": return nil
    case "replicate": return max(0, min(n - 1, index))
    case "wrap": return (index % n + n) % n
    default:
      let period = max(1, 2 * (n - 1))
      let phase = (index % period + period) % period
      return phase < n ? phase : period - phase
    }
  }
}

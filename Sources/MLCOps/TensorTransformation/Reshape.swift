import MLCCore
import MLCGraph

/// The elements of `x` in row-major order under `shape`: `x: T[*S]`, `shape: int[R]` → `y: T[*shape]`.
///
/// At most one extent of `shape` is −1: it takes what is left. An extent of 0 copies the extent of `x` on that axis, or
/// stands for itself when `allowZero` (mlc extension). Throws `reshape.shape` for other negative extents, two −1 or a 0
/// past the rank of `x`, `reshape.count` when the element counts differ, `reshape.rank` when R is unknown.
/// Source: MIL `reshape`, ONNX `Reshape`.
package struct Reshape: Operator {
  package var allowZero = false

  package static let schema = Schema<Reshape>(
    "reshape",
    [.input("x"), .input("shape", rank: 1...1), .attribute("allow_zero", \.allowZero)]
  )
  package init() {}
  package init(allowZero: Bool) { self.allowZero = allowZero }

  package func infer(_ inputs: Operands<Fact>) throws(Diagnostic) -> [Fact] {
    let (x, shape) = (inputs["x"], inputs["shape"])
    guard shape.dtype.isInteger else { throw Diagnostic.dtype("reshape", shape.dtype, "shape") }
    if let target = shape.elements { return [x.reshaped(try resolve(target, x.shape))] }
    guard let rank = shape.shape[0].constant, rank <= 64 else {
      throw Diagnostic("reshape.rank", "the rank of the result is not known before run time", kind: .unsupported)
    }
    return [Fact(x.dtype, (0..<rank).map { inputs.fresh("d\($0)") })]
  }

  package func evaluate(_ inputs: Operands<Tensor>) throws(Diagnostic) -> [Tensor] {
    let (x, shape) = (inputs["x"], inputs["shape"])
    guard shape.count <= 64 else { throw Diagnostic("reshape.rank", "a rank of \(shape.count) is beyond 64") }
    let target = try resolve(shape.integers.map { Dim($0) }, x.shape.map { Dim($0) })
    return [x.reshaped(target.map { $0.constant! })]
  }

  /// The extents of `target` that may turn out to be 0 as the model runs where those of `source` beside them are not:
  /// the latter would be copied then, which inference leaves out.
  ///
  /// One alone is no matter beside extents that are given: a result with it copied would not have the elements of `x`.
  package func mayCopy(_ source: [Dim], under target: [Dim]) -> [(extent: Dim, source: Dim)] {
    func mayBeZero(_ dim: Dim) -> Bool { dim.constant == nil && (dim.lowerBound ?? 0) < 1 }
    if allowZero || !target.contains(-1) && target.count(where: mayBeZero) < 2 { return [] }
    return zip(target, source).filter { extent, source in
      mayBeZero(extent) && (extent.exactQuotient(source)?.lowerBound ?? 0) < 1
    }
  }

  /// `target` with 0 and −1 replaced.
  private func resolve(_ target: [Dim], _ source: [Dim]) throws(Diagnostic) -> [Dim] {
    var result = target
    var open: Int?
    for (axis, extent) in target.enumerated() {
      guard let n = extent.constant else { continue }
      if n == 0, !allowZero {
        guard axis < source.count else { throw bad(target, "axis \(axis) does not exist in the input") }
        result[axis] = source[axis]
      } else if n == -1 {
        guard open == nil else { throw bad(target, "more than one extent is -1") }
        open = axis
      } else if n < 0 {
        throw bad(target, "\(n) is negative")
      }
    }
    let total = source.reduce(1, *)
    if let open {
      result[open] = 1
      result[open] = try quotient(total, result.reduce(1, *), target)
    } else if let have = total.constant, let want = result.reduce(1, *).constant, have != want {
      throw Diagnostic("reshape.count", "\(have) elements do not fit shape \(text(result)), which has \(want)")
    }
    return result
  }

  /// The extent that −1 stands for.
  private func quotient(_ total: Dim, _ known: Dim, _ target: [Dim]) throws(Diagnostic) -> Dim {
    if known == 0 { throw bad(target, "-1 beside an extent of 0 is ambiguous") }
    if let n = total.constant, let d = known.constant, n % d != 0 {
      throw Diagnostic("reshape.count", "\(n) elements do not divide into shape \(text(target))")
    }
    return total.floorDiv(known)
  }

  private func bad(_ target: [Dim], _ why: String) -> Diagnostic {
    Diagnostic("reshape.shape", "shape \(text(target)): \(why)")
  }
  private func text(_ shape: [Dim]) -> String { "[\(shape.map(\.description).joined(separator: ", "))]" }
}

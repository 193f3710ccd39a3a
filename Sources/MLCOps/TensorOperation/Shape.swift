import MLCCore
import MLCGraph

/// The extents of `x` on the axes `start..<end`: `x: T[*S]` → `y: dtype[n]`.
///
/// `start` and `end` (mlc extension) count from the end when negative and are clamped to the rank; no `end` is the
/// rank. Throws `shape.dtype` unless the result is of an integer type.
/// Source: MIL `shape`, ONNX `Shape`.
package struct Shape: Operator {
  package var start = 0
  package var end: Int?
  package var dtype = DType.int32

  package static let schema = Schema<Shape>(
    "shape",
    [.input("x"), .attribute("start", \.start), .attribute("end", \.end), .attribute("output_dtype", \.dtype)]
  )
  package init() {}
  package init(start: Int = 0, end: Int? = nil, dtype: DType) {
    (self.start, self.end, self.dtype) = (start, end, dtype)
  }

  package func infer(_ inputs: Operands<Fact>) throws(Diagnostic) -> [Fact] {
    guard dtype.isInteger else { throw Diagnostic.dtype("shape", dtype, "output_dtype") }
    let extents = Array(inputs["x"].shape[range(inputs["x"].rank)])
    return [.known(TensorType(dtype, [Dim(extents.count)]), extents)]
  }

  package func evaluate(_ inputs: Operands<Tensor>) -> [Tensor] {
    let extents = Array(inputs["x"].shape[range(inputs["x"].rank)])
    return [Tensor(dtype, [extents.count], extents)]
  }

  private func range(_ rank: Int) -> Range<Int> {
    func clamp(_ axis: Int) -> Int { max(0, min(rank, axis < 0 ? axis + rank : axis)) }
    let low = clamp(start)
    return low..<max(low, clamp(end ?? rank))
  }
}

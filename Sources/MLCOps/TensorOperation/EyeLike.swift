import MLCCore
import MLCGraph

/// 1 on the diagonal `j − i = k`, 0 elsewhere, in the shape of `x`: `x: T[m, n]` → `y: dtype[m, n]`. Throws
/// `eye_like.dtype`. Source: mlc extension, ONNX `EyeLike`.
package struct EyeLike: Operator {
  package var dtype = DType.float32
  package var k = 0

  package static let schema = Schema<EyeLike>(
    "eye_like",
    [.input("x", rank: 2...2), .attribute("dtype", \.dtype), .attribute("k", \.k)]
  )
  package init() {}
  package init(_ dtype: DType, k: Int = 0) { (self.dtype, self.k) = (dtype, k) }

  package func infer(_ inputs: Operands<Fact>) throws(Diagnostic) -> [Fact] {
    guard dtype != .string else { throw Diagnostic.dtype("eye_like", dtype, "dtype") }
    return [Fact(inputs["x"].type.with(dtype))]
  }

  package func evaluate(_ inputs: Operands<Tensor>) throws(Diagnostic) -> [Tensor] {
    let shape = inputs["x"].shape
    try checkSize(dtype, shape, "eye_like")
    return [Tensor(dtype, shape, keepingMatrix(shape) { i, j in j - i == k }.map { $0 < 0 ? 0 : 1 })]
  }
}

import MLCCore
import MLCGraph

/// The positions of the elements that are not 0 (NaN is not), row-major: `x: T[*S]` → `y: int32[n, rank]`.
///
/// A scalar counts as one axis. With `transposed` (mlc extension) the result is `int64[rank, n]`, as ONNX has it.
/// Throws `non_zero.dtype` for strings. Source: MIL `non_zero`, ONNX `NonZero`.
package struct NonZero: Operator {
  package var transposed = false

  package static let schema = Schema<NonZero>("non_zero", [.input("x"), .attribute("transposed", \.transposed)])
  package init() {}
  package init(transposed: Bool) { self.transposed = transposed }

  package func infer(_ inputs: Operands<Fact>) throws(Diagnostic) -> [Fact] {
    let x = inputs["x"]
    guard x.dtype != .string else { throw Diagnostic.dtype("non_zero", x.dtype) }
    let (rank, count) = (Dim(max(1, x.rank)), inputs.fresh("n"))
    return [transposed ? Fact(.int64, [rank, count]) : Fact(.int32, [count, rank])]
  }

  package func evaluate(_ inputs: Operands<Tensor>) -> [Tensor] {
    let x = inputs["x"]
    let shape = x.rank == 0 ? [1] : x.shape
    let found = x.dtype.isFloat ? positions(x.doubles) : positions(x.integers)
    let strides = shape.rowMajorStrides
    func coordinate(_ position: Int, _ axis: Int) -> Int { position / strides[axis] % shape[axis] }
    if transposed {
      let y = shape.indices.flatMap { axis in found.map { coordinate($0, axis) } }
      return [Tensor(.int64, [shape.count, found.count], y)]
    }
    let y = found.flatMap { position in shape.indices.map { coordinate(position, $0) } }
    return [Tensor(.int32, [found.count, shape.count], y)]
  }

  private func positions<T: Numeric>(_ values: [T]) -> [Int] { values.indices.filter { values[$0] != 0 } }
}

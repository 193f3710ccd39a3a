import MLCCore
import MLCGraph
import MLCOps

extension OperationBuilder {
  /// `x` with its elements along `axis` multiplied by `matrix: [given, wanted]`.
  mutating func contracted(_ x: ValueID, _ axis: Int, by matrix: Tensor) throws(Diagnostic) -> ValueID {
    let factors = constant(matrix.converted(to: fact(x).dtype), "factors")
    let rank = fact(x).rank
    if axis == rank - 1 { return try apply(MatMul(), x, factors) }
    var order = Array(0..<rank)
    order.swapAt(axis, rank - 1)
    let products = try apply(MatMul(), try apply(Transpose(order), x), factors)
    return try apply(Transpose(order), products)
  }
}

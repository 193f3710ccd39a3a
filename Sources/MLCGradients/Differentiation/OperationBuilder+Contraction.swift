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

  /// `x` as a matrix of its last axis.
  mutating func rows(_ x: ValueID) throws(Diagnostic) -> ValueID {
    let shape = fact(x).shape
    if shape.count == 2 { return x }
    return try reshape(x, [shape.dropLast().reduce(1, *), shape[shape.count - 1]])
  }
}

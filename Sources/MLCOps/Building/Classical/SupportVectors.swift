import MLCCore
import MLCGraph

/// The kernel of a support vector machine and the vectors that features are compared with.
package struct SupportVectors: Sendable {
  package enum Kernel: Hashable, Sendable {
    /// `x·v`
    case linear
    /// `(gamma x·v + offset)^degree`
    case polynomial(gamma: Double, offset: Double, degree: Double)
    /// `exp(−gamma |x − v|²)`
    case radial(gamma: Double)
    /// `tanh(gamma x·v + offset)`
    case sigmoid(gamma: Double, offset: Double)
  }
  private let kernel: Kernel
  /// `[V, C]`.
  private let vectors: Tensor
  private let places: [Int]?

  /// `vectors: T[V, C]` have the features at `places`, in rising order, and 0 for all others; unless given, those are
  /// all features.
  package init(_ kernel: Kernel, _ vectors: Tensor, places: [Int]? = nil) {
    precondition(vectors.rank == 2 && places.map { $0.count == vectors.shape[1] } ?? true)
    (self.kernel, self.vectors, self.places) = (kernel, vectors, places)
  }

  package var count: Int { vectors.shape[0] }
  /// C.
  package var columns: Int { vectors.shape[1] }

  /// `[N, V]` of the rows `x: T[N, F]`; N is 1 where the vectors have places.
  package func kernels(of x: ValueID, in context: inout some ClassicalBuilder) throws(Diagnostic) -> ValueID {
    guard let places else { return try kernels(of: x, beyond: nil, in: &context) }
    let own = try context.apply(Gather(axis: 1), x, context.list(places))
    guard case .radial = kernel else { return try kernels(of: own, beyond: nil, in: &context) }
    let row = context.constant(Tensor(.int64, [1, places.count], places), "places")
    let none = context.constant(Tensor(vectors.dtype, [1, places.count], places.map { _ in 0.0 }), "none")
    let others = try context.apply(ScatterAlongAxis(axis: 1, mode: .update), x, row, none)
    let length = try context.apply(ReduceSumSquare(axes: [1], keepDims: true), others)
    return try kernels(of: own, beyond: length, in: &context)
  }

  /// Of the features that the vectors have; `length: T[N, 1]` is the sum of the others' squares.
  private func kernels(of x: ValueID, beyond length: ValueID?, in context: inout some ClassicalBuilder)
    throws(Diagnostic) -> ValueID
  {
    switch kernel {
    case .linear: return try product(x, in: &context)
    case .polynomial(let gamma, let offset, let degree):
      let sum = try affine(x, gamma, offset, in: &context)
      return try context.apply(Pow(), sum, context.scalar(degree, like: sum))
    case .sigmoid(let gamma, let offset):
      return try context.apply(Tanh(), try affine(x, gamma, offset, in: &context))
    case .radial(let gamma):
      var distance = try squaredDistance(x, gamma, in: &context)
      if let length { distance = try context.apply(Add(), distance, length) }
      return try context.apply(Exp(), try context.scaled(distance, by: -gamma))
    }
  }

  private func product(_ x: ValueID, in context: inout some ClassicalBuilder) throws(Diagnostic) -> ValueID {
    try context.apply(Linear(), x, context.constant(vectors, "vectors"))
  }

  private func affine(_ x: ValueID, _ gamma: Double, _ offset: Double, in context: inout some ClassicalBuilder)
    throws(Diagnostic) -> ValueID
  {
    let scaled = try context.scaled(try product(x, in: &context), by: gamma)
    return try context.apply(Add(), scaled, context.scalar(offset, like: scaled))
  }

  /// `|x − v|²`. Both are moved by the vectors' mean, which changes no distance; with their norms a product gives it
  /// where what that rounds off is small beside the kernel's reach, else differences do.
  private func squaredDistance(_ x: ValueID, _ gamma: Double, in context: inout some ClassicalBuilder)
    throws(Diagnostic) -> ValueID
  {
    let (moved, mean) = centred()
    let norms = moved.map { $0.reduce(0) { $0 + $1 * $1 } }
    let rounding = vectors.dtype == .float64 ? 0x1p-53 : 0x1p-24
    guard gamma * (norms.max() ?? 0) * rounding <= Self.roundedOff else {
      let constant = context.constant(vectors, "vectors")
      let difference = try context.apply(Sub(), try context.apply(ExpandDims([1]), x), constant)
      return try context.apply(ReduceSum(axes: [2]), try context.apply(Square(), difference))
    }
    let own = try context.apply(Sub(), x, context.row(mean, like: x, "mean"))
    let weight = context.constant(Tensor(vectors.dtype, vectors.shape, moved.flatMap { $0.map { -2 * $0 } }), "vectors")
    let products = try context.apply(Linear(), own, weight, context.row(norms, like: x, "norms"))
    let length = try context.apply(ReduceSumSquare(axes: [1], keepDims: true), own)
    let distance = try context.apply(Add(), products, length)
    return try context.apply(Maximum(), distance, context.scalar(0, like: distance))
  }

  /// What the exponent of a radial kernel may be off by, near its vectors.
  private static let roundedOff = 0x1p-18

  private func centred() -> (rows: [[Double]], mean: [Double]) {
    let numbers = vectors.doubles
    let rows = (0..<count).map { Array(numbers[$0 * columns..<($0 + 1) * columns]) }
    var mean = [Double](repeating: 0, count: columns)
    for row in rows { for place in row.indices { mean[place] += row[place] / Double(count) } }
    if vectors.dtype == .float32 { mean = mean.map { Double(Float($0)) } }
    return (rows.map { row in zip(row, mean).map { $0 - $1 } }, mean)
  }
}

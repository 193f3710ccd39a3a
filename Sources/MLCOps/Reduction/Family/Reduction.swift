import MLCCore
import MLCGraph

/// One number out of each row of `x` along `axes`: `x: T[*S]` → `y: T[*R]`, R = S without the axes, or with 1 in their
/// place when `keepDims`.
///
/// No axes means all of them, as in MIL. Floats reduce in Double and round once; integers wrap. Throws `OP.axis`.
package protocol Reduction: Operator {
  var axes: [Int] { get set }
  var keepDims: Bool { get set }
  /// The number a row reduces to; the row may be empty.
  func reduce(_ row: UnsafeBufferPointer<Double>) -> Double
  /// The same on integers of `dtype`; `nil` goes through doubles and truncates.
  func reduce(_ row: UnsafeBufferPointer<Int>, _ dtype: DType) -> Int?
  /// The same on sizes; `nil` when that has no meaning.
  func reduce(_ row: [Dim]) -> Dim?
  /// Whether element type `bool` is taken.
  static var takesBool: Bool { get }
}

extension Reduction {
  package init(axes: [Int], keepDims: Bool = false) {
    self.init()
    (self.axes, self.keepDims) = (axes, keepDims)
  }

  package func reduce(_ row: UnsafeBufferPointer<Int>, _ dtype: DType) -> Int? { nil }
  package func reduce(_ row: [Dim]) -> Dim? { nil }
  package static var takesBool: Bool { false }

  package static func clauses() -> [SchemaClause<Self>] {
    [.input("x"), .attribute("axes", \Self.axes), .attribute("keep_dims", \Self.keepDims)]
  }

  /// The reduced axes in order.
  package func reducedAxes(rank: Int) throws(Diagnostic) -> [Int] {
    axes.isEmpty ? Array(0..<rank) : try normalized(axes: axes, rank: rank, Self.name).sorted()
  }

  package func infer(_ inputs: Operands<Fact>) throws(Diagnostic) -> [Fact] {
    let x = inputs["x"]
    guard x.dtype.isFloat || x.dtype.isInteger || (x.dtype == .bool && Self.takesBool) else {
      throw Diagnostic.dtype(Self.name, x.dtype)
    }
    let axes = try reducedAxes(rank: x.rank)
    let shape = x.shape.indices.compactMap { axis in axes.contains(axis) ? (keepDims ? 1 : nil) : x.shape[axis] }
    guard let elements = x.elements, axes.count == x.rank, let result = reduce(elements) else {
      return [Fact(x.dtype, shape)]
    }
    return [.known(TensorType(x.dtype, shape), [result])]
  }

  package func evaluate(_ inputs: Operands<Tensor>) throws(Diagnostic) -> [Tensor] {
    let x = inputs["x"]
    let axes = try reducedAxes(rank: x.rank)
    let kept = x.shape.indices.filter { !axes.contains($0) }
    let rows = kept.map { x.shape[$0] }.reduce(1, *)
    let length = axes.map { x.shape[$0] }.reduce(1, *)
    let shape = x.shape.indices.compactMap { axis in axes.contains(axis) ? (keepDims ? 1 : nil) : x.shape[axis] }
    try checkSize(x.dtype, shape, Self.name)
    let order = kept + axes
    let sorted =
      order == Array(0..<x.rank) ? x : x.picking(IndexMap.transposing(x.shape, order), order.map { x.shape[$0] })
    if !x.dtype.isFloat, let y = integers(sorted, rows, length) { return [Tensor(x.dtype, shape, y)] }
    let y = sorted.doubles.withUnsafeBufferPointer { values in
      (0..<rows).map { reduce(UnsafeBufferPointer(rebasing: values[$0 * length..<($0 + 1) * length])) }
    }
    return [Tensor(x.dtype, shape, y)]
  }

  /// The rows reduced as integers, `nil` when that is not how this operator reduces.
  private func integers(_ x: Tensor, _ rows: Int, _ length: Int) -> [Int]? {
    x.integers.withUnsafeBufferPointer { values in
      var result: [Int] = []
      for row in 0..<rows {
        let slice = UnsafeBufferPointer(rebasing: values[row * length..<(row + 1) * length])
        guard let value = reduce(slice, x.dtype) else { return nil }
        result.append(value)
      }
      return result
    }
  }
}

extension DType {
  /// The least and greatest value of an integer type or bool; `uint64` by its bits.
  package var integerBounds: (low: Int, high: Int) {
    switch self {
    case .bool: (0, 1)
    case .uint64: (0, -1)
    case .int64: (Int.min, Int.max)
    default: isSigned ? (-(1 << (bitWidth - 1)), 1 << (bitWidth - 1) - 1) : (0, 1 << bitWidth - 1)
    }
  }

  /// Whether `a < b` as integers of this type.
  package func isLess(_ a: Int, _ b: Int) -> Bool {
    self == .uint64 ? UInt(bitPattern: a) < UInt(bitPattern: b) : a < b
  }
}

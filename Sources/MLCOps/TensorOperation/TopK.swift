import MLCCore
import MLCGraph

/// The k greatest elements along `axis` in falling order, or the least in rising order when `ascending`, and where they
/// are: `x: T[*S]`, `k: int[1]` or `int[]` → `values: T[*R]`, `indices: indicesDType[*R]`, R = S with k on the axis.
///
/// Among equals the lower index comes first; NaN ranks above every number. The order holds whether or not `sort` asks
/// for it. Throws `topk.axis`, `topk.k` when k is negative or above the extent, `topk.dtype`. Source: MIL `topk` (there
/// k is constant), ONNX `TopK`.
package struct TopK: Operator {
  package var axis = -1
  package var ascending = false
  package var sort = true
  package var indicesDType = DType.int32

  package static let schema = Schema<TopK>(
    "topk",
    [
      .input("x", rank: 1...64), .input("k", rank: 0...1), .output("values"), .output("indices"),
      .attribute("axis", \.axis), .attribute("ascending", \.ascending), .attribute("sort", \.sort),
      .attribute("output_indices_dtype", \.indicesDType),
    ]
  )
  package init() {}

  package func infer(_ inputs: Operands<Fact>) throws(Diagnostic) -> [Fact] {
    let (x, k) = (inputs["x"], inputs["k"])
    guard x.dtype.isFloat || x.dtype.isInteger else { throw Diagnostic.dtype("topk", x.dtype) }
    guard k.dtype.isInteger, k.shape.allSatisfy({ $0 == 1 || $0.constant == nil }) else {
      throw Diagnostic("topk.k", "k is \(k.type), expected one integer")
    }
    guard indicesDType.isInteger else { throw Diagnostic.dtype("topk", indicesDType, "output_indices_dtype") }
    let axis = try normalized(axis: axis, rank: x.rank, "topk")
    var shape = x.shape
    shape[axis] = k.elements?.first ?? inputs.fresh("k")
    if let n = shape[axis].constant, n < 0 || n > x.shape[axis].constant ?? n {
      throw Diagnostic("topk.k", "k = \(n) of an extent of \(x.shape[axis])")
    }
    return [Fact(x.dtype, shape), Fact(indicesDType, shape)]
  }

  package func evaluate(_ inputs: Operands<Tensor>) throws(Diagnostic) -> [Tensor] {
    let x = inputs["x"]
    let axis = try normalized(axis: axis, rank: x.rank, "topk")
    guard let k = inputs["k"].integers.first, inputs["k"].count == 1, k >= 0, k <= x.shape[axis] else {
      throw Diagnostic("topk.k", "k = \(inputs["k"].integers) of an extent of \(x.shape[axis])")
    }
    let order: [Int]
    if x.dtype.isFloat {
      order = ranks(x.doubles, x.shape, axis, k) { $0 < $1 || ($1.isNaN && !$0.isNaN) }
    } else {
      order = ranks(x.integers, x.shape, axis, k, x.dtype.isLess)
    }
    var shape = x.shape
    shape[axis] = k
    let inner = shape[(axis + 1)...].reduce(1, *)
    let positions = order.map { $0 / inner % x.shape[axis] }
    return [x.picking(order, shape), Tensor(indicesDType, shape, positions)]
  }

  /// For each element of the result, where it is in `x`.
  private func ranks<T>(_ x: [T], _ shape: [Int], _ axis: Int, _ k: Int, _ less: (T, T) -> Bool) -> [Int] {
    let inner = shape[(axis + 1)...].reduce(1, *)
    let outer = shape[..<axis].reduce(1, *)
    var result = [Int](repeating: 0, count: outer * k * inner)
    for row in 0..<outer {
      for column in 0..<inner {
        let line = (0..<shape[axis]).map { (row * shape[axis] + $0) * inner + column }
        let sorted = line.sorted { a, b in
          if ascending ? less(x[a], x[b]) : less(x[b], x[a]) { return true }
          if ascending ? less(x[b], x[a]) : less(x[a], x[b]) { return false }
          return a < b
        }
        for rank in 0..<k { result[(row * k + rank) * inner + column] = sorted[rank] }
      }
    }
    return result
  }
}

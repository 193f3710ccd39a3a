import MLCCore
import MLCGraph

/// Matrix product over the last two axes, broadcasting the others as numpy does.
///
/// `x: T[*A, m, k]`, `y: T[*B, k, n]` → `z: T[*broadcast(A, B), m, n]`; `transpose_x` reads x as `[*A, k, m]`,
/// `transpose_y` y as `[*B, n, k]`. A rank-1 x is a row whose axis goes from the result, a rank-1 y a column; neither
/// is transposed. Sums are in Double, k ascending; integers wrap. k = 0 gives zeros. Throws `matmul.rank` for rank 0,
/// `matmul.contraction` when the k differ, `matmul.dtype`, `broadcast.shape`. Source: MIL `matmul`, ONNX `MatMul`.
package struct MatMul: Operator {
  package var transposeX = false, transposeY = false

  package static let schema = Schema<MatMul>(
    "matmul",
    [
      .input("x"),
      .input("y"),
      .attribute("transpose_x", \.transposeX),
      .attribute("transpose_y", \.transposeY),
      .output("z"),
    ]
  )

  package init() {}
  package init(transposeX: Bool = false, transposeY: Bool = false) {
    (self.transposeX, self.transposeY) = (transposeX, transposeY)
  }

  package func infer(_ inputs: Operands<Fact>) throws(Diagnostic) -> [Fact] {
    let (x, y) = (inputs["x"], inputs["y"])
    try checkSameDType(x, y, "matmul")
    guard x.dtype.isFloat || x.dtype.isInteger else { throw Diagnostic.dtype("matmul", x.dtype) }
    guard x.rank > 0, y.rank > 0 else {
      throw Diagnostic("matmul.rank", "operands are \(x.type) and \(y.type); a scalar is no matrix")
    }
    let (a, b) = (left(x.shape), right(y.shape))
    guard fits(a.columns, b.rows) else {
      throw Diagnostic("matmul.contraction", "operands are \(x.type) and \(y.type): \(a.columns) is not \(b.rows)")
    }
    let batch = try Broadcast.shape([Array(x.shape.dropLast(2)), Array(y.shape.dropLast(2))])
    return [Fact(x.dtype, batch + (x.rank > 1 ? [a.rows] : []) + (y.rank > 1 ? [b.columns] : []))]
  }

  /// The matrix extents of the operands, transposition undone.
  private func left<T: ExpressibleByIntegerLiteral>(_ shape: [T]) -> (rows: T, columns: T) {
    let n = shape.count
    if n == 1 { return (1, shape[0]) }
    return transposeX ? (shape[n - 1], shape[n - 2]) : (shape[n - 2], shape[n - 1])
  }
  private func right<T: ExpressibleByIntegerLiteral>(_ shape: [T]) -> (rows: T, columns: T) {
    let n = shape.count
    if n == 1 { return (shape[0], 1) }
    return transposeY ? (shape[n - 1], shape[n - 2]) : (shape[n - 2], shape[n - 1])
  }

  package func evaluate(_ inputs: Operands<Tensor>) throws(Diagnostic) -> [Tensor] {
    let (x, y) = (inputs["x"], inputs["y"])
    let shape = try resultShapes(inputs)[0]
    let (a, b) = (left(x.shape), right(y.shape))
    let (batchX, batchY) = (Array(x.shape.dropLast(2)), Array(y.shape.dropLast(2)))
    let batch = try Broadcast.shape([batchX, batchY])
    let lefts = Broadcast.indices(from: batchX, to: batch)
    let rights = Broadcast.indices(from: batchY, to: batch)
    let size = MatMulSize(
      rows: a.rows,
      columns: b.columns,
      depth: a.columns,
      left: transposeX && x.rank > 1 ? (1, a.rows) : (a.columns, 1),
      right: transposeY && y.rank > 1 ? (1, b.rows) : (b.columns, 1)
    )
    return [
      x.dtype.isFloat
        ? size.real(x, y, lefts, rights, shape) : size.integer(x, y, lefts, rights, shape)
    ]
  }
}

/// One product of a batch: extents, and the strides of rows and columns in both operands.
private struct MatMulSize {
  var rows: Int, columns: Int, depth: Int
  var left: (row: Int, column: Int), right: (row: Int, column: Int)

  func real(_ x: Tensor, _ y: Tensor, _ lefts: [Int], _ rights: [Int], _ shape: [Int]) -> Tensor {
    var z = [Double](repeating: 0, count: shape.reduce(1, *))
    guard !z.isEmpty, depth > 0 else { return Tensor(x.dtype, shape, z) }
    z.withUnsafeMutableBufferPointer { z in
      x.withReals { x in
        y.withReals { y in
          for (index, (a, b)) in zip(lefts, rights).enumerated() {
            var out = RowMajorStore(z, columns: columns)
            out.base = index * rows * columns
            Contraction(rows: rows, columns: columns, depth: depth).run(
              rows: { first, lanes, panel in
                let base = a * rows * depth + first * left.row
                x.pack(Strided(base: base, lane: left.row, depth: left.column), lanes: lanes, depth: depth, into: panel)
              },
              columns: { first, lanes, panel in
                let base = b * depth * columns + first * right.column
                y.pack(
                  Strided(base: base, lane: right.column, depth: right.row),
                  lanes: lanes,
                  depth: depth,
                  into: panel
                )
              },
              store: { out.store($0, $1, $2) }
            )
          }
        }
      }
    }
    return Tensor(x.dtype, shape, z)
  }

  func integer(_ x: Tensor, _ y: Tensor, _ lefts: [Int], _ rights: [Int], _ shape: [Int]) -> Tensor {
    let (x, y, dtype) = (x.integers, y.integers, x.dtype)
    var z = [Int](repeating: 0, count: shape.reduce(1, *))
    for (index, (a, b)) in zip(lefts, rights).enumerated() {
      for row in 0..<rows {
        for column in 0..<columns {
          var sum = 0
          for k in 0..<depth {
            let u = x[a * rows * depth + row * left.row + k * left.column]
            sum &+= u &* y[b * depth * columns + column * right.column + k * right.row]
          }
          z[(index * rows + row) * columns + column] = sum
        }
      }
    }
    return Tensor(dtype, shape, z)
  }
}

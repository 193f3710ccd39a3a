import MLCCore

/// A product of two matrices in doubles: `y[r, c] = Σₖ a[r, k] · b[k, c]`, k ascending.
///
/// Operands arrive as panels of four: rows of `a`, columns of `b`, each written k-major by a closure, so that any
/// layout and any index map can be the source. Columns are shared out between threads.
struct Contraction {
  var rows: Int, columns: Int, depth: Int

  /// Fills one panel: `pack(first, lanes, out)` writes `depth · 4` doubles, element k of lane l at `out[4k + l]`.
  typealias Pack = (_ first: Int, _ lanes: Int, _ out: UnsafeMutablePointer<Double>) -> Void
  /// Takes four neighbouring results of one row; lanes at or past `columns` mean nothing.
  typealias Store = (_ row: Int, _ column: Int, _ values: SIMD4<Double>) -> Void

  func run(rows packRows: Pack, columns packColumns: Pack, store: Store) {
    guard rows > 0, columns > 0 else { return }
    let rowPanels = (rows + 3) / 4
    let left = UnsafeMutablePointer<SIMD4<Double>>.allocate(capacity: Swift.max(rowPanels * depth, 1))
    defer { left.deallocate() }
    for panel in 0..<rowPanels {
      let out = UnsafeMutableRawPointer(left + panel * depth).assumingMemoryBound(to: Double.self)
      packRows(4 * panel, Swift.min(4, rows - 4 * panel), out)
    }
    let panels = (columns + 3) / 4
    let small = rows * columns < 1 << 16 / Swift.max(depth, 1)
    let share = small ? panels : Swift.max(1, Swift.min((panels + 7) / 8, 16384 / Swift.max(depth, 1)))
    parallelFor((panels + share - 1) / share) { item in
      let range = item * share..<Swift.min(panels, (item + 1) * share)
      self.columnPanels(range, left: left, pack: packColumns, store: store)
    }
  }

  private func columnPanels(
    _ range: Range<Int>,
    left: UnsafeMutablePointer<SIMD4<Double>>,
    pack: Pack,
    store: Store
  ) {
    let right = UnsafeMutablePointer<SIMD4<Double>>.allocate(capacity: Swift.max(range.count * depth, 1))
    defer { right.deallocate() }
    for panel in range {
      let out = UnsafeMutableRawPointer(right + (panel - range.lowerBound) * depth).assumingMemoryBound(to: Double.self)
      pack(4 * panel, Swift.min(4, columns - 4 * panel), out)
    }
    for row in stride(from: 0, to: rows, by: 4) {
      let a = left + row / 4 * depth
      for panel in range {
        let y = tile(a, right + (panel - range.lowerBound) * depth)
        store(row, 4 * panel, y.0)
        if row + 1 < rows { store(row + 1, 4 * panel, y.1) }
        if row + 2 < rows { store(row + 2, 4 * panel, y.2) }
        if row + 3 < rows { store(row + 3, 4 * panel, y.3) }
      }
    }
  }

  /// Four rows by four columns.
  @inline(__always)
  private func tile(
    _ a: UnsafeMutablePointer<SIMD4<Double>>,
    _ b: UnsafeMutablePointer<SIMD4<Double>>
  ) -> (SIMD4<Double>, SIMD4<Double>, SIMD4<Double>, SIMD4<Double>) {
    var y0 = SIMD4<Double>.zero
    var y1 = SIMD4<Double>.zero
    var y2 = SIMD4<Double>.zero
    var y3 = SIMD4<Double>.zero
    for k in 0..<depth {
      let x = a[k]
      let y = b[k]
      y0 += y * x[0]
      y1 += y * x[1]
      y2 += y * x[2]
      y3 += y * x[3]
    }
    return (y0, y1, y2, y3)
  }
}

extension Contraction {
  /// `a: [rows, depth]`, `b: [columns, depth]`, both row-major, to `[rows, columns]`.
  static func transposed(_ a: [Double], _ b: [Double], rows: Int, columns: Int, depth: Int) -> [Double] {
    var y = [Double](repeating: 0, count: rows * columns)
    a.withUnsafeBufferPointer { a in
      b.withUnsafeBufferPointer { b in
        y.withUnsafeMutableBufferPointer { y in
          let out = RowMajorStore(y, columns: columns)
          Contraction(rows: rows, columns: columns, depth: depth).run(
            rows: {
              Reals.double(a).pack(Strided(base: $0 * depth, lane: depth, depth: 1), lanes: $1, depth: depth, into: $2)
            },
            columns: {
              Reals.double(b).pack(Strided(base: $0 * depth, lane: depth, depth: 1), lanes: $1, depth: depth, into: $2)
            },
            store: { out.store($0, $1, $2) }
          )
        }
      }
    }
    return y
  }
}

/// Stores results of a contraction into a row-major matrix that begins at `base`, adding `bias` by column or by row.
struct RowMajorStore {
  let out: UnsafeMutableBufferPointer<Double>
  let columns: Int
  var base = 0
  var columnBias: [Double]?
  var rowBias: [Double]?

  init(_ out: UnsafeMutableBufferPointer<Double>, columns: Int) { (self.out, self.columns) = (out, columns) }

  func store(_ row: Int, _ column: Int, _ values: SIMD4<Double>) {
    let start = base + row * columns + column
    for lane in 0..<Swift.min(4, columns - column) {
      var value = values[lane]
      if let columnBias { value += columnBias[column + lane] }
      if let rowBias { value += rowBias[row] }
      out[start + lane] = value
    }
  }
}

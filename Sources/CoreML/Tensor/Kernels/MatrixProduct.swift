import CMLCTensor

/// One product of two matrices of lanes of 32 bits, dense and row-major.
struct MatrixProduct: @unchecked Sendable {  // threads write parts of the result that are apart
  let isFloat: Bool
  let a: UnsafePointer<Float>
  let b: UnsafePointer<Float>
  let target: UnsafeMutablePointer<Float>
  let rows: Int
  let columns: Int
  let depth: Int
  /// Whether threads share this product.
  let isDivided: Bool

  /// So long are panels, which then stay in a first-level cache; those of the left for so many rows in a second-level
  /// one.
  private static let (panelDepth, blockRows, blockColumns) = (256, 120, 256)

  func run() {
    if depth == 0 {
      target.update(repeating: 0, count: rows * columns)
    } else if columns == 1 {
      divide(rows, max((1 << 16) / depth, 1)) { part in
        for row in part {
          let sum = Parallel.kernels.dot(isFloat, a + row * depth, b, depth)
          UnsafeMutableRawPointer(target + row).storeBytes(of: sum, as: UInt32.self)
        }
      }
    } else if rows < Int(Parallel.kernels.tile_rows) {
      divide(columns, max((1 << 15) / (depth * rows), 64)) { part in
        for row in 0..<rows {
          let (from, to) = (b + part.lowerBound, target + row * columns + part.lowerBound)
          Parallel.kernels.row_product(isFloat, a + row * depth, 1, from, columns, to, part.count, depth)
        }
      }
    } else {
      runInPanels()
    }
  }

  private func divide(_ count: Int, _ grain: Int, _ body: (Range<Int>) -> Void) {
    if isDivided { Parallel.run(count, grain: grain, body) } else { body(0..<count) }
  }

  private func runInPanels() {
    let (high, wide) = (Int(Parallel.kernels.tile_rows), Int(Parallel.kernels.tile_columns))
    let (rowPanels, columnPanels) = ((rows + high - 1) / high, (columns + wide - 1) / wide)
    let panels = TensorMemory(byteCount: (rowPanels * high + columnPanels * wide) * depth * 4)
    nonisolated(unsafe) let left = panels.base.assumingMemoryBound(to: Float.self)  // threads fill panels of their own
    nonisolated(unsafe) let right = left + rowPanels * high * depth  // and read them when all are full
    let slabs = stride(from: 0, to: depth, by: Self.panelDepth).map { ($0, min(Self.panelDepth, depth - $0)) }
    let kernels = Parallel.kernels
    divide((rowPanels + columnPanels) * slabs.count, max((1 << 14) / (wide * Self.panelDepth), 1)) { part in
      for index in part {
        let (panel, place) = index.quotientAndRemainder(dividingBy: slabs.count)
        let (start, length) = slabs[place]
        if panel < rowPanels {
          let first = panel * high
          let to = left + start * rowPanels * high + first * length
          kernels.pack(a + first * depth + start, 1, depth, length, min(high, rows - first), Int32(high), to)
        } else {
          let first = (panel - rowPanels) * wide
          let to = right + start * columnPanels * wide + first * length
          kernels.pack(b + start * columns + first, columns, 1, length, min(wide, columns - first), Int32(wide), to)
        }
      }
    }
    let (blockRows, blockColumns) = (max(Self.blockRows / high, 1) * high, max(Self.blockColumns / wide, 1) * wide)
    let (down, across) = ((rows + blockRows - 1) / blockRows, (columns + blockColumns - 1) / blockColumns)
    divide(down * across, 1) { part in
      for index in part {
        let (row, column) = (index % down * blockRows, index / down * blockColumns)
        for (start, length) in slabs {
          kernels.product(
            isFloat,
            left + start * rowPanels * high + row * length,
            right + start * columnPanels * wide + column * length,
            length * wide,
            target + row * columns + column,
            columns,
            min(blockRows, rows - row),
            min(blockColumns, columns - column),
            length,
            start == 0
          )
        }
      }
    }
    withExtendedLifetime(panels) {}
  }
}

import MLCCore

/// A tensor cut into equal blocks: `grid` of them along each axis of `shape`.
struct BlockGrid {
  let shape: [Int], grid: [Int]

  /// Throws `constexpr.blocks` unless the grid divides the shape.
  init(_ shape: [Int], grid: [Int]) throws(Diagnostic) {
    guard grid.count == shape.count, zip(shape, grid).allSatisfy({ $1 > 0 && $0 % $1 == 0 }) else {
      throw Diagnostic("constexpr.blocks", "blocks of \(grid) do not divide a tensor of \(shape)")
    }
    (self.shape, self.grid) = (shape, grid)
  }

  /// Calls `body` with ranges of elements that follow each other, and the block that each range is in, in row-major
  /// order.
  func forEachRun(_ body: (Range<Int>, Int) -> Void) {
    let count = shape.reduce(1, *)
    guard count > 0 else { return }
    // Behind the last axis that is cut, elements of a block lie side by side.
    let axis = grid.lastIndex { $0 > 1 } ?? 0
    let parts = grid.isEmpty ? 1 : grid[axis]
    let length = shape.isEmpty ? 1 : shape[axis...].reduce(1, *) / parts
    let strides = grid.rowMajorStrides
    let step = grid.isEmpty ? 0 : strides[axis]
    for row in 0..<count / (length * parts) {
      var (rest, block) = (row, 0)
      for k in (0..<axis).reversed() {
        block += rest % shape[k] / (shape[k] / grid[k]) * strides[k]
        rest /= shape[k]
      }
      for part in 0..<parts {
        let start = (row * parts + part) * length
        body(start..<start + length, block + part * step)
      }
    }
  }
}

import MLCCore

/// A dense tensor cut into equal blocks, whose elements are copied out and back.
struct BlockLayout {
  let shape: [Int]
  /// Extents of a block.
  let sizes: [Int]
  /// Blocks along each axis.
  let grid: [Int]
  /// Where runs of neighbours begin, from the first element of a block on, in order.
  private let runs: [Int]
  private let runLength: Int

  /// `nil` unless the sizes divide the shape; a size of 0 is the whole axis.
  init?(_ shape: [Int], sizes: [Int]) {
    let sizes = zip(shape, sizes).map { $1 == 0 ? $0 : $1 }
    guard sizes.count == shape.count, zip(shape, sizes).allSatisfy({ $0 > 0 && $1 > 0 && $0 % $1 == 0 }) else {
      return nil
    }
    (self.shape, self.sizes, grid) = (shape, sizes, zip(shape, sizes).map { $0 / $1 })
    let strides = shape.rowMajorStrides
    // Axes that a block spans whole, from the last one on, are one run with the axis before them.
    var axis = shape.count - 1
    while axis > 0, sizes[axis] == shape[axis] { axis -= 1 }
    runLength = shape.isEmpty ? 1 : sizes[axis] * strides[axis]
    var runs = [0]
    for k in 0..<max(0, axis) { runs = runs.flatMap { start in (0..<sizes[k]).map { start + $0 * strides[k] } } }
    self.runs = runs
  }

  /// Blocks of `size` channels along one axis, each whole along the others.
  init?(_ shape: [Int], along axis: Int, size: Int) {
    self.init(shape, sizes: shape.indices.map { $0 == axis ? size : 0 })
  }

  var blockCount: Int { grid.reduce(1, *) }
  var blockSize: Int { runs.count * runLength }

  private func start(_ block: Int) -> Int {
    let strides = shape.rowMajorStrides
    var (rest, start) = (block, 0)
    for k in shape.indices.reversed() {
      start += rest % grid[k] * sizes[k] * strides[k]
      rest /= grid[k]
    }
    return start
  }

  /// Copies a block's elements, in row-major order, to `target`.
  func gather<T: BitwiseCopyable>(_ block: Int, from source: UnsafePointer<T>, into target: UnsafeMutablePointer<T>) {
    let start = start(block)
    for (place, run) in runs.enumerated() {
      (target + place * runLength).update(from: source + start + run, count: runLength)
    }
  }

  func scatter<T: BitwiseCopyable>(_ block: Int, from source: UnsafePointer<T>, into target: UnsafeMutablePointer<T>) {
    let start = start(block)
    for (place, run) in runs.enumerated() {
      (target + start + run).update(from: source + place * runLength, count: runLength)
    }
  }
}

import CoreML
import Foundation
import Testing

/// An application's own type of shaped arrays, columns first, has all that the protocol gives.
@Suite struct ForeignShapedArrayTests {
  @Test func givesAndTakesElements() {
    var grid = Grid(scalars: [1, 2, 3, 4, 5, 6], shape: [2, 3])
    #expect(grid.strides == [1, 2] && grid.storage == [1, 4, 2, 5, 3, 6])
    #expect(grid.scalars == [1, 2, 3, 4, 5, 6] && grid.scalarCount == 6 && grid.count == 2 && !grid.isScalar)
    #expect(grid[scalarAt: 1, 0] == 4 && grid[1].scalars == [4, 5, 6] && grid[0..<2, 1...1].scalars == [2, 5])
    grid[scalarAt: 1, 2] = -6
    grid[0] = MLShapedArraySlice(repeating: 7, shape: [3])
    #expect(grid.scalars == [7, 7, 7, 4, 5, -6])
    grid.fill(with: 2)
    #expect(grid.scalars == [2, 2, 2, 2, 2, 2])
  }

  @Test func becomesOtherArrays() {
    let grid = Grid(scalars: [1, 2, 3, 4], shape: [2, 2])
    #expect(MLMultiArray(grid)[[1, 0]] == 3)
    #expect(MLShapedArray<Double>(converting: grid).scalars == [1, 2, 3, 4])
    #expect(MLShapedArray<Float>(concatenating: [grid, grid], alongAxis: 0).shape == [4, 2])
    #expect(Grid(MLMultiArray(grid)).storage == grid.storage && Grid(identityMatrixOfSize: 2).storage == [1, 0, 0, 1])
    #expect(grid.transposed().scalars == [1, 3, 2, 4])
  }
}

private struct Grid: MLShapedArrayProtocol {
  typealias Scalar = Float
  let shape: [Int]
  let strides: [Int]
  var storage: [Float]

  private static func strides(_ shape: [Int]) -> [Int] {
    shape.indices.map { shape[..<$0].reduce(1, *) }
  }

  init(bytesNoCopy bytes: UnsafeRawPointer, shape: [Int], strides: [Int], deallocator: Data.Deallocator) {
    (self.shape, self.strides) = (shape, strides)
    let extent = zip(shape, strides).reduce(1) { $0 + ($1.0 - 1) * $1.1 }
    storage = Array(UnsafeBufferPointer(start: bytes.assumingMemoryBound(to: Float.self), count: extent))
  }

  init(
    unsafeUninitializedShape shape: [Int],
    initializingWith initializer: (inout UnsafeMutableBufferPointer<Float>, [Int]) throws -> Void
  ) rethrows {
    let (steps, count) = (Grid.strides(shape), shape.reduce(1, *))
    (self.shape, strides) = (shape, steps)
    storage = try Array(unsafeUninitializedCapacity: count) { memory, initialized in
      var memory = UnsafeMutableBufferPointer(rebasing: memory[..<count])
      try initializer(&memory, steps)
      initialized = count
    }
  }

  func withUnsafeShapedBufferPointer<R>(
    _ body: (UnsafeBufferPointer<Float>, [Int], [Int]) throws -> R
  ) rethrows -> R {
    try storage.withUnsafeBufferPointer { try body($0, shape, strides) }
  }

  mutating func withUnsafeMutableShapedBufferPointer<R>(
    _ body: (inout UnsafeMutableBufferPointer<Float>, [Int], [Int]) throws -> R
  ) rethrows -> R {
    let (shape, strides) = (shape, strides)
    return try storage.withUnsafeMutableBufferPointer { try body(&$0, shape, strides) }
  }
}

import MLCCore
import MLCKernels

/// The elements of a weight in the order in which a strategy multiplies by them: lanes of vectors by steps of the
/// reduction.
///
/// Element (lane, step) is `lanes[lane] + steps[step]` of the weight, row-major.
struct WeightGrid {
  /// −1 where a vector has no column or filter. A multiple of the vector's lanes.
  var lanes: [Int]
  var steps: [Int]
  /// Vectors of each panel, in order.
  var panels: [Int]

  /// For blocks of the weight, the part of a block's number that a lane decides and the part that a step decides; the
  /// number is their sum. `nil` when an axis along which blocks change is walked by both.
  func blocks(_ values: BlockValues?, of shape: [Int]) -> (lanes: [Int], steps: [Int])? {
    guard let values, values.blocks > 1 else {
      return ([Int](repeating: 0, count: lanes.count), [Int](repeating: 0, count: steps.count))
    }
    let (own, other) = (WeightGrid.axes(lanes, shape), WeightGrid.axes(steps, shape))
    guard own.isDisjoint(with: other) else { return nil }
    let strides = shape.rowMajorStrides
    let blockStrides = values.grid.rowMajorStrides
    func block(_ offset: Int) -> Int {
      if offset < 0 { return 0 }
      var sum = 0
      for axis in values.cutAxes {
        let position = offset / strides[axis] % shape[axis]
        sum += position / (shape[axis] / values.grid[axis]) * blockStrides[axis]
      }
      return sum
    }
    return (lanes.map(block), steps.map(block))
  }

  /// The axes along which the offsets are not all 0.
  private static func axes(_ offsets: [Int], _ shape: [Int]) -> Set<Int> {
    let strides = shape.rowMajorStrides
    return Set(shape.indices.filter { axis in offsets.contains { $0 > 0 && $0 / strides[axis] % shape[axis] != 0 } })
  }
}

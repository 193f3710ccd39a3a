import MLCCore
import MLCKernels

/// Where an access of a plain tensor goes in memory, in elements: `Σ stride·axis + offset`.
struct LinearAccess: Hashable, Sendable {
  private var strides: [Int: Dim] = [:]
  private(set) var offset: Dim = 0

  /// `nil` when an index is not affine or the rank is not the tensor's.
  init?(_ index: [Index], shape: [Dim]) {
    guard index.count == shape.count else { return nil }
    var step: Dim = 1
    for (position, extent) in zip(index, shape).reversed() {
      guard let affine = position.affine else { return nil }
      for (axis, coefficient) in affine.coefficients {
        strides[axis] = strides[axis, default: 0] + coefficient * step
      }
      offset = offset + affine.rest * step
      step = step * extent
    }
  }

  /// Elements between neighbours along `axis`; 0 where the axis does not matter.
  func stride(_ axis: Axis) -> Dim { strides[axis.id] ?? 0 }

  /// This with one axis in the place of `old` ones.
  func replacing(_ old: [Axis], by axis: Axis, stride: Dim) -> LinearAccess {
    var result = self
    for axis in old { result.strides[axis.id] = nil }
    result.strides[axis.id] = stride
    return result
  }
}

import MLCCore
import MLCGraph
import MLCOps

/// How a transposed convolution comes to the extents that its `outputShape` says.
///
/// The specification ignores the padding then: what there is too much goes from both ends alike, an odd element from
/// the end, as `same` padding has it, unless its asymmetry says otherwise. What is missing, less than a stride, is
/// added behind, as of all extents that a convolution makes the input's of. In three dimensions padding counts.
///
/// coremltools writes padding beside a shape. Where both make that shape, and not the same way, the layer has two
/// meanings, and is refused.
struct NNOutputShape {
  private let wanted: [Int]
  /// Dilated.
  private let kernel: [Int]
  /// What the layer says of padding, before and after each axis; none is 0.
  var padding: [Int] = []
  /// Whether padding that makes the shape decides what goes from which end.
  var paddingCounts = false
  var cutsMoreAtStart = false
  /// Whether the layer has a dilation that it ignores, though the shape may be made for it.
  var isDilated = false

  init(_ wanted: [Int], _ kernel: [Int]) { (self.wanted, self.kernel) = (wanted, kernel) }

  /// Gives the operation on `x` its padding. Throws `coreml.parameter`.
  func apply(to op: inout ConvTranspose, _ x: Fact) throws(Diagnostic) {
    var (pad, added): ([Int], [Int]) = ([], [])
    for axis in wanted.indices {
      guard let extent = x.shape[2 + axis].constant else {
        throw NNContext.unsupported("'outputShape' needs an input of fixed size")
      }
      let surplus = try surplus(axis, extent, op.strides[axis])
      let start = try start(axis, surplus, op.strides[axis])
      pad += [start, max(0, surplus - start)]
      added.append(max(0, start - surplus))
    }
    (op.padType, op.pad) = ("custom", pad)
    if added.contains(where: { $0 > 0 }) { op.outputPadding = added }
  }

  /// How many elements more than wanted there are without padding.
  private func surplus(_ axis: Int, _ extent: Int, _ stride: Int) throws(Diagnostic) -> Int {
    let steps = (extent - 1).multipliedReportingOverflow(by: stride)
    let whole = steps.partialValue.addingReportingOverflow(kernel[axis])
    let surplus = whole.partialValue.subtractingReportingOverflow(wanted[axis])
    guard !steps.overflow, !whole.overflow, !surplus.overflow, surplus.partialValue > (isDilated ? -1 : -stride) else {
      throw NNContext.unsupported("'outputShape' \(wanted) is larger than what strides and kernel make")
    }
    return surplus.partialValue
  }

  /// How many elements go before the first that is kept.
  private func start(_ axis: Int, _ surplus: Int, _ stride: Int) throws(Diagnostic) -> Int {
    let even = surplus <= 0 ? 0 : cutsMoreAtStart ? surplus - surplus / 2 : surplus / 2
    let (low, high) = padding.isEmpty ? (0, 0) : (padding[2 * axis], padding[2 * axis + 1])
    let rest = low.addingReportingOverflow(high).partialValue.subtractingReportingOverflow(surplus)
    guard low != even, low >= 0, high >= 0, !rest.overflow, (0..<stride).contains(rest.partialValue) else {
      return even
    }
    if paddingCounts { return low }
    throw NNContext.unsupported(
      "padding \(low) and \(high) makes 'outputShape' \(wanted), which ignores it and takes \(even) from the start: "
        + "give one of them alone"
    )
  }
}

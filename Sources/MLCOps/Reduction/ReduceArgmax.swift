import MLCCore
import MLCGraph

/// The position of the greatest element along `axis`: `x: T[*S]` → `y: outputDType[*R]`, R = S with 1 in place of the
/// axis when `keepDims`, else without it.
///
/// Among equals the first, or the last with `selectLastIndex` (mlc extension); NaN ranks beyond every number. Throws
/// `reduce_argmax.axis`, `reduce_argmax.dtype`, `reduce_argmax.empty` when the axis has no elements but the result has.
/// Source: MIL `reduce_argmax`, ONNX `ArgMax`.
package struct ReduceArgmax: ArgReduction {
  package var axis = -1
  package var keepDims = false
  package var outputDType = DType.int32
  package var selectLastIndex = false

  package static let schema = Schema<ReduceArgmax>("reduce_argmax", clauses())
  package init() {}

  package func beats(_ candidate: Double, _ best: Double) -> Bool {
    candidate > best || (candidate.isNaN && !best.isNaN)
  }
  package func beats(_ candidate: Int, _ best: Int, _ dtype: DType) -> Bool { dtype.isLess(best, candidate) }
}

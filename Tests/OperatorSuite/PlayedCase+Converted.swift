import MLCCore
import MLCGraph
import MLCOps

extension PlayedCase {
  /// The case with `dtype` in place of float32, constants included; `nil` when it has no float32 operand, where the
  /// operator takes the bits of elements, whose number would be another, and where it does not take `dtype`.
  init?(_ item: OperatorCase, as dtype: DType) {
    // Trees compare with splits as they are, in fp32 or fp64.
    if item.op is TreeEnsemble, dtype != .float64 { return nil }
    // Boxes have at most 32 bits.
    if item.op is NonMaxSuppression, dtype == .float64 { return nil }
    guard !(item.op is BitCast), item.inputs.joined().contains(where: { $0.dtype == .float32 }) else { return nil }
    var converted = item
    converted.label += " in \(dtype)"
    converted.inputs = item.inputs.map { list in
      list.map { $0.dtype == .float32 ? $0.converted(to: dtype) : $0 }
    }
    self.init(converted)
  }
}

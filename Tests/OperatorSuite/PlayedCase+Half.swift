import MLCCore
import MLCGraph

extension PlayedCase {
  /// The case with float16 in place of float32, constants included; `nil` when it has no float32 operand.
  init?(half item: OperatorCase) {
    guard item.inputs.joined().contains(where: { $0.dtype == .float32 }) else { return nil }
    var half = item
    half.label += " in float16"
    half.inputs = item.inputs.map { list in
      list.map { $0.dtype == .float32 ? $0.converted(to: .float16) : $0 }
    }
    self.init(half)
  }
}

import MLCCore
import MLCGraph
import MLCOps

extension PlayedCase {
  /// `type` with its usual attributes on many numbers of `dtype`; `nil` for operators that are no function of one
  /// float.
  init?(sweeping type: any Operator.Type, _ dtype: DType) {
    guard type is any ElementwiseUnary.Type || type == Gelu.self else { return nil }
    let numbers = PlayedCase.sweep(dtype)
    guard (try? type.init().infer(Operands(["x"], [[Fact(numbers.type)]], label: type.name))) != nil else { return nil }
    let label = "\(type.name).sweep in \(dtype)"
    self.init(OperatorCase(label, type.init(), [[numbers]], expected: [nil]))
  }

  /// Every tenth power of two of either sign from 2⁻¹⁶ to 2¹⁶ with a fraction, numbers from −20 to 20, and those that
  /// arithmetic treats apart.
  private static func sweep(_ dtype: DType) -> Tensor {
    var numbers: [Double] = [0, -0.0, 1, -1, .infinity, -.infinity, .nan]
    for step in -160...160 {
      let size = Double.exp2Tenths(step)
      numbers += [size, -size]
    }
    for step in -400...400 { numbers.append(Double(step) / 20 + 0.003) }
    return Tensor(dtype, [numbers.count], numbers)
  }
}

extension Double {
  /// About 2^(step / 10): the fraction is linear between powers.
  fileprivate static func exp2Tenths(_ step: Int) -> Double {
    let (power, tenths) = (step >= 0 ? step / 10 : (step - 9) / 10, ((step % 10) + 10) % 10)
    return Double(sign: .plus, exponent: power, significand: 1 + Double(tenths) / 10)
  }
}

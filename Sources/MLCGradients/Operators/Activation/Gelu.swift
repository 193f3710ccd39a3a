import MLCCore
import MLCOps

extension Gelu: UnaryDifferentiable {
  package func gradient(_ g: Formula, x: Formula, y: Formula) -> Formula {
    switch mode {
    case "EXACT": g * exact(x)
    case "TANH_APPROXIMATION": g * tangential(x)
    default: g * logistic(x)
    }
  }

  /// `Φ(x) + x·φ(x)`
  private func exact(_ x: Formula) -> Formula {
    let share = (x * .number(0.5.squareRoot())).applying(Erf()) * 0.5 + 0.5
    return share + x * (x.squared * -0.5).exponential * .number(1 / (2 * Double.pi).squareRoot())
  }

  /// With `t = tanh(c·(x + k·x³))` `½·(1 + t) + ½·x·(1 − t²)·c·(1 + 3·k·x²)`.
  private func tangential(_ x: Formula) -> Formula {
    let (c, k) = ((2 / Double.pi).squareRoot(), 0.044715)
    let square = x.squared
    let t = (x * (square * .number(k) + 1) * .number(c)).applying(Tanh())
    return (t + 1) * 0.5 + x * (1 - t.squared) * (square * .number(3 * k) + 1) * .number(c / 2)
  }

  /// With `s = sigmoid(a·x)` `s + a·x·s·(1 − s)`.
  private func logistic(_ x: Formula) -> Formula {
    let s = (x * 1.702).applying(Sigmoid())
    return s + x * s * (1 - s) * 1.702
  }
}

/// A scale from 0 to a round number, in steps that are round too.
struct RoundScale {
  let end: Double, step: Double

  /// The shortest that `value`, which is above 0, lies on.
  init(above value: Double) {
    var power = 1.0
    while power * 10 <= value { power *= 10 }
    while power > value { power /= 10 }
    let size = value / power
    step = power * (size > 5 ? 2 : size > 2 ? 1 : 0.5)
    end = step * (value / step).rounded(.up)
  }

  var marks: [Double] { (0...Int((end / step).rounded())).map { Double($0) * step } }

  /// A mark in another unit.
  func name(_ mark: Double, times factor: Double) -> String {
    var (digits, step) = (0, step * factor)
    while step < 0.999, digits < 6 {
      step *= 10
      digits += 1
    }
    return (mark * factor).fixed(digits)
  }
}

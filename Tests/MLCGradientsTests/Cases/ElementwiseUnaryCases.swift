import MLCCore
import MLCGraph
import MLCOps

extension GradientCase {
  static let elementwiseUnary: [GradientCase] = [
    unary(Abs(), apart: [0]),
    unary(Acos(), -0.8...0.8),
    unary(Acosh(), 1.3...4),
    unary(Asin(), -0.8...0.8),
    unary(Asinh()),
    unary(Atan()),
    unary(Atanh(), -0.8...0.8),
    GradientCase("cast.wider") { draw in DrawnOperation(Cast(.float64), draw.reals(draw.shape(rank: 0...4))) },
    unary(Clip(alpha: -1, beta: 0.5), apart: [-1, 0.5]),
    unary(Clip(alpha: -.infinity, beta: 1), apart: [1], what: "open"),
    unary(Cos()),
    unary(Cosh()),
    unary(Erf()),
    unary(Exp()),
    unary(Exp2()),
    unary(Inverse(epsilon: 0), 0.5...3),
    unary(Inverse(epsilon: 0.25), 0.5...3, what: "epsilon"),
    unary(Log(epsilon: 0), 0.5...3),
    unary(Log(epsilon: 0.25), 0.5...3, what: "epsilon"),
    unary(Neg()),
    unary(Rsqrt(epsilon: 0), 0.5...3),
    unary(Rsqrt(epsilon: 0.25), 0.5...3, what: "epsilon"),
    unary(Sin()),
    unary(Sinh()),
    unary(Sqrt(), 0.5...3),
    unary(Square()),
    unary(Tan(), -1...1),
    unary(Tanh()),
  ]

  static func unary(
    _ op: any Operator,
    _ range: ClosedRange<Double> = -2...2,
    apart corners: [Double] = [],
    what: String = "values"
  ) -> GradientCase {
    GradientCase("\(type(of: op).name).\(what)") { draw in
      DrawnOperation(op, draw.reals(draw.shape(rank: 0...4), range, apart: corners))
    }
  }
}

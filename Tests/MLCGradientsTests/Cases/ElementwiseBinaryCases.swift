import MLCCore
import MLCGraph
import MLCOps

extension GradientCase {
  static let elementwiseBinary: [GradientCase] = [
    binary(Add()),
    binary(Mul()),
    binary(RealDiv(), second: 0.5...2),
    binary(Sub()),
    pair(Maximum()),
    pair(Minimum()),
    GradientCase("mod.floor") { draw in remainder(Mod(), &draw) },
    GradientCase("mod.truncate") { draw in
      var op = Mod()
      op.truncate = true
      return remainder(op, &draw)
    },
    binary(Pow(), first: 0.5...2),
    GradientCase("pow.integer-exponent") { draw in
      let shape = draw.shape(rank: 0...3)
      let exponents = draw.integers(draw.broadcast(to: shape), 0...3)
      return DrawnOperation(Pow(), draw.reals(shape, apart: [0]), exponents)
    },
  ]

  /// Both operands broadcast to one shape.
  private static func binary(
    _ op: any Operator,
    first: ClosedRange<Double> = -2...2,
    second: ClosedRange<Double> = -2...2
  ) -> GradientCase {
    GradientCase("\(type(of: op).name).broadcast") { draw in
      let shape = draw.shape(rank: 0...4)
      let (x, y) = (draw.flag() ? shape : draw.broadcast(to: shape), draw.broadcast(to: shape))
      return DrawnOperation(op, draw.reals(x, first), draw.reals(y, second))
    }
  }

  /// Elements that are nowhere equal.
  private static func pair(_ op: any Operator) -> GradientCase {
    GradientCase("\(type(of: op).name).distinct") { draw in
      let shape = draw.shape(rank: 0...3, 1...3)
      let other = draw.broadcast(to: shape)
      let all = draw.distinct([shape.reduce(1, *) + other.reduce(1, *)]).doubles
      let count = shape.reduce(1, *)
      return DrawnOperation(
        op,
        Tensor(.float64, shape, Array(all[..<count])),
        Tensor(.float64, other, Array(all[count...]))
      )
    }
  }

  /// Quotients that are no whole numbers.
  private static func remainder(_ op: Mod, _ draw: inout Draw) -> DrawnOperation {
    let shape = draw.shape(rank: 0...3)
    let divisor = draw.one(of: [0.5, 1.5, -0.75])
    let count = shape.reduce(1, *)
    let values = (0..<count).map { _ in (Double(draw.int(-4...4)) + draw.real(0.2...0.8)) * divisor }
    return DrawnOperation(op, Tensor(.float64, shape, values), Tensor(.float64, [1], [divisor]))
  }
}

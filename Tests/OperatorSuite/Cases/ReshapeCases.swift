import MLCCore
import MLCOps

extension OperatorCase {
  static let reshape: [OperatorCase] = [
    target("reshape.flat", [2, 3], [6], [6]),
    target("reshape.minus-one", [2, 3, 4], [4, -1], [4, 6]),
    target("reshape.zero-copies", [2, 3, 4], [0, -1], [2, 12]),
    target("reshape.to-scalar", [1, 1], [], []),
    target("reshape.from-scalar", [], [1, 1], [1, 1]),
    target("reshape.empty", [0, 3], [3, 0], [3, 0], allowZero: true),
  ]

  private static func target(_ label: String, _ from: [Int], _ shape: [Int], _ to: [Int], allowZero: Bool = false)
    -> OperatorCase
  {
    var op = Reshape()
    op.allowZero = allowZero
    let values = (0..<from.reduce(1, *)).map { Double($0) - 2 }
    let x = Tensor(.float32, from, values)
    return OperatorCase(
      label,
      op,
      [[x], [.shape(shape)]],
      expected: [Tensor(.float32, to, values)],
      constants: ["shape"]
    )
  }
}

import MLCCore
import MLCOps

extension GradientCase {
  static let linear: [GradientCase] = [
    GradientCase("linear.weights") { draw in
      let (batch, input, output) = (draw.shape(rank: 0...3), draw.int(1...4), draw.int(1...4))
      var operands = [[draw.reals(batch + [input])], [draw.reals([output, input])]]
      if draw.flag() { operands.append([draw.reals([output])]) }
      return DrawnOperation(Linear(), operands)
    },
    GradientCase("matmul.broadcast") { draw in
      let (rows, depth, columns) = (draw.int(1...3), draw.int(1...4), draw.int(1...3))
      let op = MatMul(transposeX: draw.flag(), transposeY: draw.flag())
      let batch = draw.shape(rank: 0...2)
      let (left, right) = (
        op.transposeX ? [depth, rows] : [rows, depth], op.transposeY ? [columns, depth] : [depth, columns]
      )
      let x = draw.int(0...4) == 0 ? [depth] : (draw.flag() ? batch : draw.broadcast(to: batch)) + left
      let y = draw.int(0...4) == 0 ? [depth] : draw.broadcast(to: batch) + right
      return DrawnOperation(op, draw.reals(x), draw.reals(y))
    },
  ]
}

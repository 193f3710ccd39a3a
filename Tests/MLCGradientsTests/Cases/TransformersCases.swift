import MLCCore
import MLCOps

extension GradientCase {
  static let transformers: [GradientCase] = [
    GradientCase("scaled_dot_product_attention.masks") { draw in
      let (rows, keys, depth, width) = (draw.int(1...3), draw.int(1...3), draw.int(1...4), draw.int(1...3))
      let batch = draw.shape(rank: 1...2, 1...2)
      let op = ScaledDotProductAttention(maskedScore: draw.one(of: [-Double.infinity, -2]))
      var operands = [draw.reals(batch + [rows, depth]), draw.reals(batch + [keys, depth])]
      operands.append(draw.reals(batch + [keys, width]))
      let scores = [rows, keys]
      switch draw.int(0...2) {
      case 0: operands.append(draw.reals(draw.flag() ? scores : batch + scores))
      case 1:
        // A row sees one key at least.
        let flags = (0..<rows * keys).map { $0 % keys == 0 ? 1 : draw.int(0...1) }
        operands.append(Tensor(.bool, scores, flags))
      default: break
      }
      return DrawnOperation(op, operands.map { [$0] })
    }
  ]
}

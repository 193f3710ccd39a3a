import MLCCore
import MLCGraph
import MLCOps

/// `softmax(q·kᵀ · s + mask)·v` becomes `scaled_dot_product_attention`, `softmax(select(mask, q·kᵀ · s, c))·v` too, c
/// being a number.
///
/// Where s times the numbers that q and k are multiplied by is not 1/√E within rounding, q is multiplied by what is
/// missing. The softmax is over the keys; no product in between has another reader. Without a mask the softmax may be
/// of (k·qᵀ)ᵀ, and its leading axes may be grouped otherwise than those of the products. q, k and v have rank 3 or
/// more.
package struct RecognizeAttention: Rewrite {
  package static let phase = Phase.fuse
  package static let tolerance = 1e-4
  package init() {}

  package func rewrite(_ operation: Operation, _ graph: inout GraphEditor) throws(Diagnostic) -> Patch? {
    guard let outer = operation.op as? MatMul, !outer.transposeX, !outer.transposeY,
      let (weights, value) = graph.pair(operation), graph.uses(weights) == 1, graph.type(value).rank >= 3,
      let scores = Scores(weights, graph), let product = Product(scores.product, graph),
      graph.type(scores.mask ?? weights).rank >= 2
    else { return nil }
    let (first, second) = scores.isFlipped ? (product.y, product.x) : (product.x, product.y)
    let (q, k) = (ScaledOperand(first, graph), ScaledOperand(second, graph))
    let missing = product.factor * q.number * k.number
    // Beyond these numbers halves might overflow, or lose what they hold.
    guard graph.type(first).rank >= 3, graph.type(second).rank >= 3, (0x1p-8...0x1p8).contains(abs(missing)) else {
      return nil
    }
    let (query, key) = (try q.plain(&graph), try k.plain(&graph))
    let queryIsTurned = scores.isFlipped && !product.transposesY
    let keyIsTurned = !scores.isFlipped && !product.transposesY
    var queries = queryIsTurned ? try transposed(query, &graph) : query
    if abs(missing - 1) > graph.type(query).dtype.constantSlack {
      queries = try graph.emit(Mul(), queries, graph.emitScalar(missing, like: queries))
    }
    let keys = keyIsTurned ? try transposed(key, &graph) : key
    var mask = scores.mask
    if let flags = mask, scores.maskHides { mask = try graph.emit(LogicalNot(), flags) }
    let attention = ScaledDotProductAttention(maskedScore: scores.maskedScore)
    return graph.patch(try graph.emit(attention, queries, keys, value, mask))
  }

  /// `value` with its last two axes exchanged, which may undo a transposition.
  private func transposed(_ value: ValueID, _ graph: inout GraphEditor) throws(Diagnostic) -> ValueID {
    let rank = graph.type(value).rank
    var order = Array(0..<rank - 2) + [rank - 1, rank - 2]
    var source = value
    if let (operation, op) = graph.producer(value, as: Transpose.self) {
      (order, source) = (order.map { op.order[$0] }, operation.inputs[0][0])
    }
    return order == Array(order.indices) ? source : try graph.emit(Transpose(order), source)
  }
}

/// An operand as a number times a value that is then rearranged.
private struct ScaledOperand {
  var number = 1.0
  private var source: ValueID
  /// From the operand back to the product.
  private var rearrangements: [Operation] = []

  init(_ value: ValueID, _ graph: GraphEditor) {
    source = value
    var (links, place) = ([Operation](), value)
    while links.count < 6, let operation = graph.producer(place), let x = operation.inputs.first?.first {
      switch operation.op {
      case is Transpose, is Reshape, is ExpandDims, is Squeeze:
        links.append(operation)
        place = x
      case is Mul:
        guard let (plain, c) = graph.operands(operation), let number = graph.number(c), number != 0,
          graph.type(plain) == graph.type(place)
        else { return }
        (self.number, source, rearrangements) = (number, plain, links)
        return
      default: return
      }
    }
  }

  /// The operand without the number.
  func plain(_ graph: inout GraphEditor) throws(Diagnostic) -> ValueID {
    var value = source
    for link in rearrangements.reversed() {
      value = try graph.emitAll(link.op, [[value]] + link.inputs.dropFirst(), origin: link.origin)[0]
    }
    return value
  }
}

/// The weights of a sum as a softmax of a product.
private struct Scores {
  /// What the softmax is of, before there is a mask.
  var product: ValueID
  /// Added to the scores, or of bool.
  var mask: ValueID?
  /// Whether a mask of bool is true where a score does not count, and the score there.
  var maskHides = false, maskedScore = -Double.infinity
  /// Whether rows of the product are keys.
  var isFlipped = false

  init?(_ weights: ValueID, _ graph: GraphEditor) {
    let rows = Scores.regrouped(weights, graph)
    guard let (softmax, op) = graph.producer(rows, as: Softmax.self), graph.uses(rows) == 1,
      let logits = softmax.inputs[0].first, op.axis == -1 || op.axis == graph.type(logits).rank - 1,
      graph.uses(logits) == 1
    else { return nil }
    product = logits
    if let (sum, _) = graph.producer(logits, as: Add.self), rows == weights, let (a, b) = graph.pair(sum) {
      (product, mask) = Product(a, graph) != nil ? (a, b) : (b, a)
      guard graph.uses(product) == 1, graph.type(product) == graph.type(logits) else { return nil }
      return
    }
    if let (choice, _) = graph.producer(logits, as: Select.self), rows == weights {
      let (flags, a, b) = (choice.inputs[0][0], choice.inputs[1][0], choice.inputs[2][0])
      if let number = graph.number(b) {
        (product, mask, maskedScore) = (a, flags, number)
      } else if let number = graph.number(a) {
        (product, mask, maskedScore, maskHides) = (b, flags, number, true)
      }
      guard !maskedScore.isNaN, graph.uses(product) == 1, graph.type(product) == graph.type(logits) else { return nil }
      return
    }
    if let (turn, op) = graph.producer(logits, as: Transpose.self), Scores.exchangesLast(op.order) {
      (product, isFlipped) = (turn.inputs[0][0], true)
    }
    guard graph.uses(product) == 1 else { return nil }
    if rows != weights { product = Scores.regrouped(product, graph) }
    var shape = graph.type(product).shape
    if isFlipped { shape.swapAt(shape.count - 1, shape.count - 2) }
    guard graph.uses(product) == 1, shape == graph.type(weights).shape else { return nil }
  }

  private static func exchangesLast(_ order: [Int]) -> Bool {
    let rank = order.count
    return rank >= 2 && order == Array(0..<rank - 2) + [rank - 1, rank - 2]
  }

  /// What `value` is a reshape of that keeps the last two axes; `value` itself otherwise.
  private static func regrouped(_ value: ValueID, _ graph: GraphEditor) -> ValueID {
    guard let operation = graph.producer(value), let x = operation.inputs.first?.first,
      operation.op is Reshape || operation.op is Squeeze || operation.op is ExpandDims,
      graph.type(x).rank >= 3, graph.type(value).rank >= 3,
      graph.type(x).shape.suffix(2) == graph.type(value).shape.suffix(2)
    else { return value }
    return x
  }
}

/// A value as x·y or x·yᵀ times a number.
private struct Product {
  var x: ValueID, y: ValueID
  var transposesY: Bool
  /// The number times √E: 1 for the products of an attention.
  var factor: Double

  init?(_ value: ValueID, _ graph: GraphEditor) {
    let chain = ProductChain(value, graph)
    guard chain.factors.count == 1, let (product, op) = graph.producer(chain.factors[0], as: MatMul.self),
      !op.transposeX, let (x, y) = graph.pair(product), let depth = graph.type(x).shape.last?.constant, depth > 0
    else { return nil }
    (self.x, self.y, transposesY) = (x, y, op.transposeY)
    factor = chain.scale * Double(depth).squareRoot()
  }
}

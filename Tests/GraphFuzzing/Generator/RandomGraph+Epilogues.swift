import MLCCore
import MLCGraph
import MLCOps

extension RandomGraph {
  /// One operation, or a few, element by element: what goes into a contraction's epilogue.
  mutating func epilogue(_ x: ValueID) throws(Diagnostic) -> ValueID {
    let type = fact(x).dtype
    guard type.isFloat else { return try append(random.pick([Add(), Mul(), Maximum()]), [[x], [operand([], type)]]) }
    switch random.below(10) {
    case 0...2: return try append(random.pick(RandomGraph.activations), [[x]])
    case 3: return try append(Add(), [[x], [operand([fact(x).shape.last ?? 1], type, constant: 0.8)]])
    case 4: return try append(random.pick([Mul(), Add(), Sub()]), [[x], [channelwise(x)]])
    case 5: return try append(random.pick([Add(), Mul(), Sub()]), [[x], [partner(x)]])
    case 6: return try append(Mul(), [[x], [try append(Sigmoid(), [[x]])]])
    case 7:
      return try append(Select(), [[operand(broadcastable(x), .bool)], [x], [builder.constant(.scalar(type, -4))]])
    case 8:
      let mask = try append(random.pick([Greater(), LessEqual()]), [[x], [builder.constant(.scalar(type, 1))]])
      return try append(Select(), [[mask], [x], [try append(Neg(), [[x]])]])
    default: return try append(Mul(), [[x], [builder.constant(.scalar(type, random.pick([0.5, -1, 2])))]])
    }
  }

  private static let activations: [any Operator] = [
    Relu(), Relu(), Gelu(), Sigmoid(), Tanh(), Silu(), Clip(alpha: -1, beta: 3), LeakyRelu(alpha: 0.5), Erf(), Neg(),
    Abs(),
    Softplus(), HardSwish(), Square(),
  ]

  /// One number a channel, `[C, 1, …]`.
  private mutating func channelwise(_ x: ValueID) -> ValueID {
    let shape = fact(x).shape
    guard shape.count > 1 else { return operand(shape, fact(x).dtype) }
    return operand([shape[1]] + shape.dropFirst(2).map { _ in 1 }, fact(x).dtype, constant: 0.8)
  }

  /// A shape that broadcasts to that of `x`: some axes are 1, some in front left out.
  private mutating func broadcastable(_ x: ValueID) -> [Dim] {
    let shape = fact(x).shape.map { random.chance(0.3) ? 1 : $0 }
    return Array(shape.dropFirst(random.chance(0.3) ? random.below(shape.count + 1) : 0))
  }

  /// Another value of the same type: an earlier one, or new.
  private mutating func partner(_ x: ValueID) -> ValueID {
    let alike = results.filter { $0 != x && fact($0).type == fact(x).type }
    if !alike.isEmpty, random.chance(0.7) { return random.pick(alike) }
    if random.chance(0.2) { return x }
    return operand(isBindable(fact(x).shape) ? fact(x).shape : [], fact(x).dtype)
  }

  /// Fewer elements, each of many.
  mutating func reduced(_ x: ValueID) throws(Diagnostic) -> ValueID {
    let type = fact(x).dtype
    let rank = fact(x).rank
    let axes = Array(0..<rank).filter { _ in random.chance(0.5) }
    let keepDims = random.chance(0.5)
    guard rank > 0 else { return try append(Neg(), [[x]]) }
    guard type.isFloat else { return try append(ReduceSum(axes: axes, keepDims: keepDims), [[x]]) }
    switch random.below(11) {
    case 0, 1: return try append(ReduceSum(axes: axes, keepDims: keepDims), [[x]])
    case 2: return try append(ReduceMean(axes: axes, keepDims: keepDims), [[x]])
    case 3: return try append(ReduceMax(axes: axes, keepDims: keepDims), [[x]])
    case 4: return try append(ReduceMin(axes: axes, keepDims: keepDims), [[x]])
    case 5: return try append(ReduceL2Norm(axes: axes, keepDims: keepDims), [[x]])
    case 6, 7: return try append(Softmax(axis: random.below(rank)), [[x]])
    case 8: return try append(ReduceArgmax(axis: random.below(rank), keepDims: keepDims), [[x]])
    case 9: return try append(LogSoftmax(axis: random.below(rank)), [[x]])
    default:
      let tail = Array(rank - 1 - random.below(min(rank, 2))..<rank)
      guard let extents = TensorType(type, tail.map { fact(x).shape[$0] }).staticShape, random.chance(0.6) else {
        return try append(LayerNorm(axes: tail, epsilon: 0.001), [[x], [], []])
      }
      let gamma = operand(extents.map { Dim($0) }, type, constant: 0.9)
      return try append(LayerNorm(axes: tail, epsilon: 0.001), [[x], [gamma], []])
    }
  }
}

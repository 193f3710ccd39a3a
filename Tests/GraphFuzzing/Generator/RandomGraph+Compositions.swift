import MLCCore
import MLCGraph
import MLCOps

extension RandomGraph {
  /// What networks put behind a contraction besides activations: gates and masks, comparisons, residuals of what the
  /// contraction read, statistics that data decides, branches.
  mutating func composition(_ x: ValueID) throws(Diagnostic) -> ValueID {
    let type = fact(x).dtype
    guard type.isFloat else { return try append(Cast(random.pick([dtype, .float32, .bool])), [[x]]) }
    switch random.below(11) {
    case 0, 1: return try gated(x, by: try narrowConvolution(x))
    case 2: return try gated(x, by: try append(ReduceMean(axes: [min(1, fact(x).rank - 1)], keepDims: true), [[x]]))
    case 3:
      let rest = Array(0..<fact(x).rank).dropFirst(2)
      return try gated(x, by: try append(ReduceMean(axes: Array(rest), keepDims: true), [[x]]))
    case 4, 5: return try append(random.pick([Mul(), Add(), Sub()]), [[x], [mask(x)]])
    case 6: return try compared(x)
    case 7, 8: return try append(Add(), [[x], [residual(x)]])
    case 9: return try normalised(x)
    default: return try branched(x)
    }
  }

  private mutating func gated(_ x: ValueID, by gate: ValueID) throws(Diagnostic) -> ValueID {
    let soft = random.chance(0.7) ? try append(Sigmoid(), [[gate]]) : gate
    return try append(Mul(), random.chance(0.5) ? [[x], [soft]] : [[soft], [x]])
  }

  /// One filter over all channels, or one weight a column.
  private mutating func narrowConvolution(_ x: ValueID) throws(Diagnostic) -> ValueID {
    let shape = fact(x).shape
    guard shape.count > 2 else { return try append(MatMul(), [[x], [operand([shape.last ?? 1, 1], constant: 0.8)]]) }
    let window = shape.dropFirst(2).map { _ in Dim(random.pick([1, 3])) }
    var op = Conv()
    op.padType = "same"
    return try append(op, [[x], [operand([1, shape[1]] + window, fact(x).dtype, constant: 0.9)], []])
  }

  /// A tensor of the same rank, of one element along some axes.
  private mutating func mask(_ x: ValueID) -> ValueID {
    operand(fact(x).shape.map { random.chance(0.5) ? 1 : $0 }, fact(x).dtype, constant: 0.5)
  }

  private mutating func compared(_ x: ValueID) throws(Diagnostic) -> ValueID {
    let limit = random.chance(0.5) ? builder.constant(.scalar(fact(x).dtype, 1)) : mask(x)
    switch random.below(4) {
    case 0: return try append(Cast(random.pick([.bool, .int32])), [[x]])
    case 1: return try append(IsNan(), [[x]])
    default: return try append(random.pick([Greater(), Less(), GreaterEqual(), NotEqual()]), [[x], [limit]])
    }
  }

  /// Any value of the same type, what a contraction reads included.
  private mutating func residual(_ x: ValueID) -> ValueID {
    let inputs = builder.function.inputs + results
    let alike = inputs.filter { $0 != x && fact($0).type == fact(x).type }
    return alike.isEmpty ? mask(x) : random.pick(alike)
  }

  /// Batch normalization whose statistics may be known at run time only.
  private mutating func normalised(_ x: ValueID) throws(Diagnostic) -> ValueID {
    let shape = fact(x).shape
    guard shape.count > 1 else { return try append(Neg(), [[x]]) }
    let share = random.pick([0.0, 1.0])
    let statistics = (0..<4).map { _ in operand([shape[1]], fact(x).dtype, constant: share) }
    let one = builder.constant(.scalar(fact(x).dtype, 1))
    let positive = try append(Add(), [[try append(Square(), [[statistics[1]]])], [one]])
    return try append(BatchNorm(), [[x], [statistics[0]], [positive], [statistics[2]], [statistics[3]]])
  }

  /// One of two ways, as data decides.
  private mutating func branched(_ x: ValueID) throws(Diagnostic) -> ValueID {
    let condition = operand([], .bool)
    _ = builder.beginBlock()
    let one = try epilogue(x)
    let then = builder.endBlock(yielding: [one])
    _ = builder.beginBlock()
    let other = try append(Neg(), [[x]])
    let otherwise = builder.endBlock(yielding: [other])
    return try builder.append(Cond(), [[condition]], names: ["y"], blocks: [then, otherwise])[0]
  }
}

import MLCCore
import MLCGraph
import MLCOps

extension RandomGraph {
  /// A contraction, of `x` where its rank allows and chance wants it.
  mutating func contraction(_ x: ValueID?) throws(Diagnostic) -> ValueID {
    guard dtype.isFloat else { return random.chance(0.3) ? try einsum() : try matmul(x) }
    switch random.below(12) {
    case 0...3: return try matmul(x)
    case 4, 5: return try linear(x)
    case 6, 7: return try conv(x, spatial: random.pick([1, 2, 2, 2, 3]))
    case 8: return try convTranspose(x, spatial: random.pick([1, 2, 2]))
    case 9: return try einsum()
    case 10: return try attention()
    default: return try fusedAttention()
    }
  }

  private mutating func matmul(_ given: ValueID?) throws(Diagnostic) -> ValueID {
    let op = MatMul(transposeX: random.chance(0.25), transposeY: random.chance(0.25))
    let x: ValueID
    if let given, fact(given).rank > 0, fact(given).dtype == dtype, random.chance(0.8) {
      x = given
    } else {
      x = operand(shape(), constant: 0.1)
    }
    let left = fact(x).shape
    let depth = left.count == 1 ? left[0] : op.transposeX ? left[left.count - 2] : left[left.count - 1]
    if random.chance(0.1) { return try append(op, [[x], [operand([depth], constant: 0.5)]]) }
    let columns = dim()
    var batch = Array(left.dropLast(2))
    switch random.below(5) {
    case 0 where !batch.isEmpty: batch[random.below(batch.count)] = 1
    case 1: batch.insert(smallDim(), at: 0)
    case 2, 3: batch = []
    default: break
    }
    let right = batch + (op.transposeY ? [columns, depth] : [depth, columns])
    return try append(op, [[x], [operand(right, constant: 0.6)]])
  }

  private mutating func linear(_ given: ValueID?) throws(Diagnostic) -> ValueID {
    var x = given
    if x == nil || fact(x!).rank == 0 || fact(x!).dtype != dtype { x = operand(shape()) }
    let columns = Dim(random.extent())
    let weight = operand([columns, fact(x!).shape.last!], constant: 0.85)
    let bias = random.chance(0.5) ? [operand([columns], constant: 0.9)] : []
    return try append(Linear(), [[x!], [weight], bias])
  }

  private mutating func image(_ given: ValueID?, _ spatial: Int) -> ValueID {
    if let given, fact(given).rank == spatial + 2, fact(given).dtype == dtype { return given }
    let isOpen = sizes.count > 1 && random.chance(0.2)
    let channels = isOpen ? .symbol("c") : Dim(random.pick([1, 2, 3, 4, 8, 8, 16, 16, 17, 32]))
    return operand([random.chance(0.7) ? 1 : smallDim(), channels] + (0..<spatial).map { _ in dim() })
  }

  /// How many channels `x` has, where that is the same in every run.
  private func channels(_ x: ValueID) -> Int? {
    let all = Set(sizes.map { fact(x).shape[1].evaluate($0) })
    return all.count == 1 ? all.first! : nil
  }

  private mutating func conv(_ given: ValueID?, spatial: Int) throws(Diagnostic) -> ValueID {
    let x = image(given, spatial)
    guard let channels = channels(x), channels > 0 else { return try linear(given) }
    var op = Conv()
    let divisors = (1...channels).filter { channels % $0 == 0 }
    op.groups = random.pick([1, 1, 1, channels, random.pick(divisors)])
    (op.strides, op.dilations) = ([], [])
    if random.chance(0.3) { op.strides = (0..<spatial).map { _ in 1 + random.below(3) } }
    if random.chance(0.2) { op.dilations = (0..<spatial).map { _ in 1 + random.below(2) } }
    op.padType = random.pick(["custom", "custom", "same", "valid"])
    if op.padType == "custom", random.chance(0.6) { op.pad = (0..<2 * spatial).map { _ in random.below(3) } }
    let perGroup = random.pick([1, 1, 2, 3, 4, 8, 16])
    let outputs = op.groups == 1 ? random.pick([1, 3, 4, 8, 15, 16, 17, 32, 33]) : op.groups * min(perGroup, 4)
    let kernel = (0..<spatial).map { _ in Dim(random.pick([1, 1, 2, 3, 3, 5])) }
    let weight = operand([Dim(outputs), Dim(channels / op.groups)] + kernel, constant: 0.9)
    let bias = random.chance(0.6) ? [operand([Dim(outputs)], constant: 0.9)] : []
    return try append(op, [[x], [weight], bias])
  }

  private mutating func convTranspose(_ given: ValueID?, spatial: Int) throws(Diagnostic) -> ValueID {
    let x = image(given, spatial)
    guard let channels = channels(x), channels > 0 else { return try linear(given) }
    var op = ConvTranspose()
    op.groups = random.pick([1, 1, channels])
    if random.chance(0.6) { op.strides = (0..<spatial).map { _ in 1 + random.below(3) } }
    if random.chance(0.4) { op.pad = (0..<2 * spatial).map { _ in random.below(2) } }
    let kernel = (0..<spatial).map { _ in Dim(1 + random.below(3)) }
    let weight = operand([Dim(channels), Dim(random.pick([1, 2, 3, 8]))] + kernel, constant: 0.9)
    return try append(op, [[x], [weight], []])
  }

  private mutating func einsum() throws(Diagnostic) -> ValueID {
    let equation = random.pick([
      "ij,jk->ik", "ij,kj->ki", "bij,bjk->bik", "bij,bkj->kbi", "bihd,bjhd->bhij", "ibh,jbh->bij", "ij,ij->i",
      "ijk,kl->lij",
      "abc,cd->abd", "i,j->ij", "bij,bij->b", "ij,jk,kl->il", "ii,ij->j",
    ])
    let terms = equation.split(separator: "-")[0].split(separator: ",")
    var extents: [Character: Dim] = [:]
    for letter in equation where letter.isLetter && extents[letter] == nil {
      extents[letter] = equation.hasPrefix("ii") ? Dim(random.smallExtent()) : letter == "b" ? smallDim() : dim()
    }
    let operands = terms.enumerated().map { index, term in
      operand(term.map { extents[$0]! }, constant: index == 0 ? 0 : 0.3)
    }
    return try einsum(equation, operands)
  }

  /// Batch, heads, rows, columns and widths of an attention's operands.
  private mutating func attentionOperands() -> (query: ValueID, key: ValueID, value: ValueID, scores: [Dim]) {
    let batch = (0..<random.pick([1, 1, 2])).map { _ in smallDim() }
    let (rows, columns, depth) = (dim(), dim(), Dim(random.pick([1, 4, 8, 16, 17])))
    let query = operand(batch + [rows, depth])
    let key = operand(batch + [columns, depth])
    let value = operand(batch + [columns, Dim(random.pick([1, 4, 8, 16, 17]))])
    return (query, key, value, batch + [rows, columns])
  }

  private mutating func attention() throws(Diagnostic) -> ValueID {
    let (query, key, value, scores) = attentionOperands()
    var x = try append(MatMul(transposeY: true), [[query], [key]])
    if random.chance(0.8) { x = try append(Mul(), [[x], [builder.constant(.scalar(dtype, 0.25))]]) }
    if random.chance(0.4) {
      x = try append(Add(), [[x], [operand(random.chance(0.5) ? scores : Array(scores.suffix(2)))]])
    }
    x = try append(Softmax(axis: -1), [[x]])
    return try append(MatMul(), [[x], [value]])
  }

  private mutating func fusedAttention() throws(Diagnostic) -> ValueID {
    let (query, key, value, scores) = attentionOperands()
    let mask = random.chance(0.4) ? [operand(Array(scores.suffix(2)), random.pick([.bool, dtype]))] : []
    return try append(ScaledDotProductAttention(maskedScore: -1000), [[query], [key], [value], mask])
  }
}

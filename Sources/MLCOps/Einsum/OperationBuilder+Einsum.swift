import MLCCore
import MLCGraph

extension OperationBuilder {
  /// The sum over all axes that `equation` does not keep of the product of `operands`: products of matrices, sums,
  /// transpositions.
  ///
  /// An extent of 1 broadcasts. Throws `einsum.equation`, `einsum.shape` for operands that do not fit it,
  /// `matmul.dtype` and the like.
  package mutating func einsum(_ equation: String, _ operands: [ValueID]) throws(Diagnostic) -> ValueID {
    let parsed = try EinsumEquation(equation, ranks: operands.map { fact($0).rank })
    var terms: [EinsumTerm] = []
    for (value, letters) in zip(operands, parsed.terms) {
      terms.append(try diagonal(EinsumTerm(value: value, letters: letters)))
    }
    terms = try broadcast(terms, equation)
    guard var product = terms.first else { throw Diagnostic("einsum.equation", "'\(equation)' has no operand") }
    for index in terms.indices.dropFirst() {
      let later = Set(terms[(index + 1)...].flatMap { $0.letters })
      product = try multiply(product, terms[index], keeping: later.union(parsed.result))
    }
    product = try summed(product, keeping: Set(parsed.result))
    return try arranged(product, parsed.result).value
  }

  // MARK: One operand

  /// One axis for each letter: where a letter stands twice, the diagonal.
  private mutating func diagonal(_ term: EinsumTerm) throws(Diagnostic) -> EinsumTerm {
    var term = term
    while let letter = term.letters.first(where: { letter in term.letters.count { $0 == letter } > 1 }) {
      let axes = Array(term.letters.indices.filter { term.letters[$0] == letter }.prefix(2))
      let shape = fact(term.value).shape
      guard shape[axes[0]] == shape[axes[1]], let extent = shape[axes[0]].constant,
        extent < 1 << 15
      else {
        throw Diagnostic(
          "einsum.shape",
          "the diagonal of \(fact(term.value).type) needs two axes of one known extent below 32768"
        )
      }
      let others = term.letters.indices.filter { !axes.contains($0) }
      let moved = try append(Transpose(others + axes), [[term.value]])
      let extents = others.map { shape[$0] }
      let flat = try reshape(moved, extents + [Dim(extent) * Dim(extent)])
      let masks = [Bool](repeating: true, count: others.count + 1)
      let zeros = list([Int](repeating: 0, count: masks.count))
      let strides = list(others.map { _ in 1 } + [extent + 1])
      let slice = SliceByIndex(beginMask: masks, endMask: masks)
      term = EinsumTerm(
        value: try append(slice, [[flat], [zeros], [zeros], [strides]]),
        letters: others.map { term.letters[$0] } + [letter]
      )
    }
    return term
  }

  /// Without axes of 1 that broadcast to another operand's. Throws `einsum.shape` for extents that differ otherwise.
  private mutating func broadcast(_ terms: [EinsumTerm], _ equation: String) throws(Diagnostic) -> [EinsumTerm] {
    var extents: [Character: Dim] = [:]
    for term in terms {
      for (letter, extent) in zip(term.letters, fact(term.value).shape) where extent != 1 {
        if let known = extents[letter], let a = known.constant, let b = extent.constant, a != b {
          let types = terms.map { "\(fact($0.value).type)" }.joined(separator: " and ")
          throw Diagnostic("einsum.shape", "an axis of '\(equation)' is \(a) and \(b) in \(types)")
        }
        if extents[letter]?.constant == nil { extents[letter] = extent }
      }
    }
    var result: [EinsumTerm] = []
    for term in terms {
      let shape = fact(term.value).shape
      let gone = term.letters.indices.filter { shape[$0] == 1 && extents[term.letters[$0]] != nil }
      var left = term
      if !gone.isEmpty { left.value = try append(Squeeze(gone), [[term.value]]) }
      left.letters = term.letters.indices.filter { !gone.contains($0) }.map { term.letters[$0] }
      result.append(left)
    }
    return result
  }

  private mutating func summed(_ term: EinsumTerm, keeping kept: Set<Character>) throws(Diagnostic) -> EinsumTerm {
    let axes = term.letters.indices.filter { !kept.contains(term.letters[$0]) }
    if axes.isEmpty { return term }
    return EinsumTerm(
      value: try append(ReduceSum(axes: axes, keepDims: false), [[term.value]]),
      letters: term.letters.filter { kept.contains($0) }
    )
  }

  private mutating func arranged(_ term: EinsumTerm, _ letters: [Character]) throws(Diagnostic) -> EinsumTerm {
    if term.letters == letters { return term }
    let order = letters.map { term.letters.firstIndex(of: $0)! }
    return EinsumTerm(value: try append(Transpose(order), [[term.value]]), letters: letters)
  }

  // MARK: Two operands

  private mutating func multiply(
    _ first: EinsumTerm,
    _ second: EinsumTerm,
    keeping kept: Set<Character>
  ) throws(Diagnostic) -> EinsumTerm {
    var a = try summed(first, keeping: kept.union(second.letters))
    var b = try summed(second, keeping: kept.union(first.letters))
    let shared = a.letters.filter { b.letters.contains($0) }
    let (batch, inner) = (shared.filter { kept.contains($0) }, shared.filter { !kept.contains($0) })
    var (rows, columns) = (a.letters.filter { !shared.contains($0) }, b.letters.filter { !shared.contains($0) })
    if inner.isEmpty { return try outer(a, b, batch, rows, columns) }
    // Rows may be many axes as they are; columns are made one.
    if batch.isEmpty, columns.count > rows.count { (a, b, rows, columns) = (b, a, columns, rows) }
    let extents = letters(a).merging(letters(b)) { $0.constant == nil ? $1 : $0 }
    func total(_ letters: [Character]) -> Dim { letters.map { extents[$0]! }.reduce(1, *) }
    let lead = batch.map { extents[$0]! }
    let isMerged = !batch.isEmpty
    a = try arranged(a, batch + rows + inner)
    b = try arranged(b, batch + inner + columns)
    let left = try reshape(a.value, lead + (isMerged ? [total(rows)] : rows.map { extents[$0]! }) + [total(inner)])
    let right = try reshape(b.value, lead + [total(inner)] + (isMerged || !columns.isEmpty ? [total(columns)] : []))
    let product = try append(MatMul(), [[left], [right]])
    let whole = batch + rows + columns
    return EinsumTerm(
      value: try reshape(product, whole.map { extents[$0]! }, sources: [a.value, b.value]),
      letters: whole
    )
  }

  private func letters(_ term: EinsumTerm) -> [Character: Dim] {
    Dictionary(uniqueKeysWithValues: zip(term.letters, fact(term.value).shape))
  }

  /// The product without a sum.
  private mutating func outer(
    _ a: EinsumTerm,
    _ b: EinsumTerm,
    _ batch: [Character],
    _ rows: [Character],
    _ columns: [Character]
  ) throws(Diagnostic) -> EinsumTerm {
    var left = try arranged(a, batch + rows).value
    var right = try arranged(b, batch + columns).value
    let (begin, end) = (batch.count, batch.count + rows.count)
    if !columns.isEmpty { left = try append(ExpandDims(Array(end..<end + columns.count)), [[left]]) }
    if !rows.isEmpty { right = try append(ExpandDims(Array(begin..<end)), [[right]]) }
    return EinsumTerm(value: try append(Mul(), [[left], [right]]), letters: batch + rows + columns)
  }
}

/// An operand with the letters of its axes.
private struct EinsumTerm {
  var value: ValueID
  var letters: [Character]
}

import MLCCore

/// The terms of an Einstein summation, one letter for each axis.
///
/// `ab,bc->ac` as numpy has it: blanks do not count, a letter twice in a term is a diagonal, `...` stands for all axes
/// that a term has no letters for and that broadcast from the right. Without `->` the result has those axes, then the
/// letters that occur once, by the alphabet. Source: numpy `einsum`, ONNX `Einsum`, MIL `einsum`.
struct EinsumEquation {
  private(set) var terms: [[Character]] = []
  private(set) var result: [Character] = []

  /// Throws `einsum.equation` for what is none, `einsum.shape` when a term does not fit the operand of rank `ranks[i]`.
  init(_ text: String, ranks: [Int]) throws(Diagnostic) {
    let equation = text.filter { $0 != " " }
    let sides = equation.split(separator: "->", omittingEmptySubsequences: false)
    guard sides.count <= 2 else { throw Self.wrong(text, "'->' stands in it twice") }
    let inputs = sides[0].split(separator: ",", omittingEmptySubsequences: false)
    guard inputs.count == ranks.count else {
      throw Self.wrong(text, "terms: \(inputs.count), operands: \(ranks.count)")
    }
    var broadcast: [Character] = []
    for (input, rank) in zip(inputs, ranks) {
      let (before, after) = try Self.letters(input, text)
      let count = before.count + (after?.count ?? 0)
      guard after == nil ? rank == count : rank >= count else {
        throw Diagnostic("einsum.shape", "the term '\(input)' of '\(text)' does not fit an operand of rank \(rank)")
      }
      let rest = Self.unnamed(rank - count)
      if rest.count > broadcast.count { broadcast = rest }
      terms.append(before + rest + (after ?? []))
    }
    let all = terms.joined().filter { !broadcast.contains($0) }
    guard sides.count == 2 else {
      result = broadcast + Set(all).filter { letter in all.count { $0 == letter } == 1 }.sorted()
      return
    }
    let (before, after) = try Self.letters(sides[1], text)
    result = before + (after == nil ? [] : broadcast) + (after ?? [])
    guard Set(result).count == result.count else { throw Self.wrong(text, "the result has an axis twice") }
    if let letter = result.first(where: { !terms.joined().contains($0) }) {
      throw Self.wrong(text, "no operand has the axis '\(letter)'")
    }
  }

  private static func wrong(_ text: String, _ why: String) -> Diagnostic {
    Diagnostic("einsum.equation", "'\(text)' is no Einstein summation: \(why)")
  }

  /// What stands before and behind `...`; `nil` where there is none.
  private static func letters(_ term: Substring, _ text: String) throws(Diagnostic) -> ([Character], [Character]?) {
    let parts = term.split(separator: "...", omittingEmptySubsequences: false)
    guard parts.count <= 2, parts.joined().allSatisfy({ $0.isASCII && $0.isLetter }) else {
      throw wrong(text, "a term has letters and one '...' at most")
    }
    return (Array(parts[0]), parts.count == 2 ? Array(parts[1]) : nil)
  }

  /// Names for `count` axes that have none in the equation: those of fewer axes are the last of more.
  private static func unnamed(_ count: Int) -> [Character] {
    (0..<count).reversed().map { Character(Unicode.Scalar(0xE000 + UInt32($0))!) }
  }
}

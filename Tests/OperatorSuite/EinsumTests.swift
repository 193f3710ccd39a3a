import MLCCompiler
import MLCCore
import MLCGraph
import MLCOps
import TestSupport
import Testing

/// `einsum` as the operations that stand for it, against sums over all indices.
@Suite struct EinsumTests {
  /// Equations and the extents of their operands.
  private static let cases: [(equation: String, shapes: [[Int]])] = [
    ("ij->ji", [[2, 3]]), ("ij->", [[2, 3]]), ("ij->i", [[2, 3]]), ("ii->i", [[3, 3]]), ("ii", [[3, 3]]),
    ("bii->bi", [[2, 3, 3]]), ("iji->j", [[3, 2, 3]]), ("iii->i", [[2, 2, 2]]), ("ba", [[2, 3]]),
    ("...ii->...i", [[2, 3, 3]]),
    ("ij,jk->ik", [[2, 3], [3, 4]]), ("ij,jk", [[2, 3], [3, 4]]), ("ij,jk->ki", [[2, 3], [3, 4]]),
    ("i,i->", [[4], [4]]),
    ("i,i", [[4], [4]]), ("i,j->ij", [[2], [3]]), ("i,j->ji", [[2], [3]]), ("i,ij->j", [[3], [3, 2]]),
    ("ij,j->i", [[2, 3], [3]]),
    ("bij,bjk->bik", [[2, 3, 4], [2, 4, 5]]), ("bhid,bhjd->bhij", [[2, 3, 4, 5], [2, 3, 6, 5]]),
    ("abc,cd->abd", [[2, 3, 4], [4, 5]]), ("abc,cde->abde", [[2, 3, 4], [4, 2, 3]]),
    ("abcd,cde->abe", [[2, 3, 4, 2], [4, 2, 3]]),
    ("bquh,bkuh->buqk", [[2, 3, 2, 4], [2, 5, 2, 4]]), ("buqk,bkuh->bquh", [[2, 2, 3, 5], [2, 5, 2, 4]]),
    ("bi,bj->bij", [[2, 3], [2, 4]]), ("bi,bi->bi", [[2, 3], [2, 3]]), ("bi,bi->b", [[2, 3], [2, 3]]),
    ("ij,kl->", [[2, 3], [4, 2]]),
    ("bcxy,byxk->bck", [[2, 3, 2, 4], [2, 4, 2, 3]]), ("i,ijk->jk", [[3], [3, 2, 4]]),
    ("abc,abcd->abd", [[2, 3, 4], [2, 3, 4, 2]]),
    ("...ij,...jk->...ik", [[2, 3, 4], [4, 5]]), ("...ij,...jk->...ik", [[2, 1, 3, 4], [3, 4, 5]]),
    ("...i,...i", [[2, 3], [3]]),
    ("...x,xy->...y", [[2, 3, 4], [4, 5]]), ("ab...,bc->ac...", [[2, 3, 4, 2], [3, 5]]),
    (" i j , j k -> i k ", [[2, 3], [3, 4]]),
    ("ij,jk,kl->il", [[2, 3], [3, 4], [4, 5]]), ("i,j,k->kji", [[2], [3], [4]]),
    ("ab,ac,ad->a", [[2, 3], [2, 4], [2, 5]]),
    ("ij,jk->ik", [[2, 1], [3, 4]]), ("ij,ij->ij", [[1, 3], [2, 1]]), ("ij,jk->ik", [[2, 0], [0, 4]]),
    ("bij,bjk->bik", [[2, 0, 4], [2, 4, 5]]),
    ("aB,Bc->ac", [[2, 3], [3, 4]]), ("ijk,k->ij", [[2, 3, 1], [1]]),
  ]

  /// Sizes known, then all left open: on the interpreter and as code.
  @Test func agreesWithTheSumOverAllIndices() throws {
    let device = try DeviceSet(["host"]).devices[0]
    var problems: [String] = []
    for (equation, shapes) in Self.cases {
      let operands = shapes.enumerated().map { index, shape in
        let numbers = (0..<shape.reduce(1, *)).map { Float(($0 * 7 + index * 3) % 11) / 4 - 1 }
        return Tensor(shape, floats: numbers)
      }
      let expected = NaiveEinsum(equation, operands).result
      for isOpen in [false, true] {
        do {
          let function = try self.function(equation, shapes, isOpen: isOpen)
          try function.verify()
          let results = [
            try Interpreter(function).run(operands)[0], try CompiledRunner(device).run(function, [operands])[0][0],
          ]
          for (place, result) in zip(["interpreter", "code"], results) {
            guard let found = disagreement(result, expected, rtol: 1e-5, atol: 1e-5) else { continue }
            problems.append("\(equation) \(shapes)\(isOpen ? ", open" : "") on the \(place): \(found)")
          }
        } catch { problems.append("\(equation) \(shapes)\(isOpen ? ", open" : ""): \(error)") }
      }
    }
    #expect(problems.isEmpty, "\(problems.joined(separator: "\n"))")
  }

  private func function(_ equation: String, _ shapes: [[Int]], isOpen: Bool) throws(Diagnostic) -> Function {
    var building = PlainBuilder()
    var inputs: [ValueID] = []
    let hasDiagonal = equation.split(separator: ",").contains { term in
      let letters = term.split(separator: "-")[0].filter { $0.isLetter }
      return Set(letters).count < letters.count
    }
    for (index, shape) in shapes.enumerated() {
      // Extents of 1 broadcast only where they are known; so do those of axes without a name, and a diagonal's are
      // known.
      let staysKnown = hasDiagonal || equation.contains("...") || shape.contains(1)
      let dims = shape.enumerated().map { axis, extent in
        isOpen && !staysKnown ? Dim.symbol("s\(extent)_") : Dim(extent)
      }
      inputs.append(building.builder.input("x\(index)", TensorType(.float32, dims)))
    }
    let result = try building.einsum(equation, inputs)
    let named = try building.builder(Identity(), result)
    return building.builder.finish([("y", named)])
  }
}

/// The definition: for every choice of an index for each letter the product, added to the element that it belongs to.
private struct NaiveEinsum {
  let result: Tensor

  init(_ equation: String, _ operands: [Tensor]) {
    let text = equation.filter { $0 != " " }
    let sides = text.components("->")
    var broadcast = 0
    let terms = zip(sides[0].components(","), operands).map { term, operand -> [String] in
      let parts = term.components("...")
      let rest = operand.rank - parts.joined().count
      broadcast = max(broadcast, rest)
      let unnamed = (0..<rest).reversed().map { "#\($0)" }
      return parts.count == 1
        ? parts[0].map(String.init) : parts[0].map(String.init) + unnamed + parts[1].map(String.init)
    }
    let unnamed = (0..<broadcast).reversed().map { "#\($0)" }
    let all = terms.joined()
    var output: [String]
    if sides.count == 2 {
      let parts = sides[1].components("...")
      output = parts[0].map(String.init)
      if parts.count == 2 { output += unnamed + parts[1].map(String.init) }
    } else {
      output = unnamed + Set(all).filter { name in !name.hasPrefix("#") && all.count { $0 == name } == 1 }.sorted()
    }
    var extents: [String: Int] = [:]
    for (term, operand) in zip(terms, operands) {
      for (name, extent) in zip(term, operand.shape) where extents[name, default: 1] == 1 { extents[name] = extent }
    }
    let names = extents.keys.sorted()
    let shape = output.map { extents[$0]! }
    var sums = [Double](repeating: 0, count: shape.reduce(1, *))
    let values = operands.map { $0.doubles }
    for flat in 0..<names.map({ extents[$0]! }).reduce(1, *) {
      var (rest, index): (Int, [String: Int]) = (flat, [:])
      for name in names {
        index[name] = rest % extents[name]!
        rest /= extents[name]!
      }
      func place(_ term: [String], _ shape: [Int]) -> Int {
        zip(term, shape).reduce(0) { $0 * $1.1 + ($1.1 == 1 ? 0 : index[$1.0]!) }
      }
      var product = 1.0
      for (operand, term) in terms.enumerated() { product *= values[operand][place(term, operands[operand].shape)] }
      sums[place(output, shape)] += product
    }
    result = Tensor(.float32, shape, sums)
  }
}

extension String {
  fileprivate func components(_ separator: String) -> [String] {
    split(separator: separator, omittingEmptySubsequences: false).map(String.init)
  }
}

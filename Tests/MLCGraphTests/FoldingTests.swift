import MLCCore
import MLCGraph
import MLCOps
import Testing

@Suite struct FoldingTests {
  private func expanded(_ folding: Folding, _ labels: [Int]) -> [Int] {
    folding.parts.flatMap { part -> [Int] in
      switch part {
      case .element(let place): [labels[place]]
      case .run(let run): (0..<run.count).flatMap { _ in labels[run.repetition(0)] }
      }
    }
  }

  /// What is folded expands to the sequence, every run spares more than it costs, and as much as was planted is found.
  @Test(arguments: 0..<200) func expandsToTheSequence(seed: UInt64) {
    var generator = Generator(state: seed)
    var (labels, planted) = ([Int](), 0)
    for _ in 0..<Int.random(in: 0...6, using: &generator) {
      let period = (0..<Int.random(in: 1...9, using: &generator)).map { _ in Int.random(in: 0...3, using: &generator) }
      let count = Int.random(in: 1...5, using: &generator)
      labels += (0..<count).flatMap { _ in period }
      planted += min(period.count * count, period.count + 4)
    }
    let folding = Folding(labels)
    #expect(expanded(folding, labels) == labels)
    #expect(folding.runs.allSatisfy { $0.period * ($0.count - 1) > 4 })
    #expect(folding.shownCount <= planted)
    #expect(zip(folding.runs, folding.runs.dropFirst()).allSatisfy { $0.range.upperBound <= $1.start })
  }

  @Test func foldsTheShortestPeriodOnce() {
    let labels = [9] + (0..<6).flatMap { _ in [1, 2, 3] } + [8]
    #expect(Folding(labels).runs.map { [$0.start, $0.period, $0.count] } == [[1, 3, 6]])
    #expect(Folding([1, 1, 1, 1, 1]).runs.isEmpty && Folding([Int]()).runs.isEmpty)
  }

  /// Of equal beginnings, the one where the repetitions are joined most loosely.
  @Test func beginsAtWeakBonds() {
    let labels = (0..<11).map { $0 % 4 }
    let bonds = (0..<11).map { $0 % 4 == 2 ? 0 : 5 }
    #expect(Folding(labels).runs.isEmpty)
    let runs = Folding(labels, bonds: bonds, cost: 2).runs
    #expect(runs.map { [$0.start, $0.period, $0.count] } == [[2, 4, 2]])
  }

  /// Blocks are told by names without their numbers, and by operators where names say nothing.
  @Test(arguments: [true, false]) func findsBlocksOfAFunction(isNamed: Bool) throws {
    var builder = Builder()
    var value = builder.input("x", TensorType(.float32, [4]))
    for block in 0..<5 {
      for (number, op) in ([Relu(), Tanh(), Exp()] as [any Operator]).enumerated() {
        let letter = Character(UnicodeScalar(UInt8(97 + 3 * block + number)))
        let node = isNamed ? "/layer.\(block)/op\(number)_\(block)" : "\(letter)"
        value = try builder(op, value, origin: Location(node: node))
      }
    }
    let function = builder.finish([("y", value)])
    let blocks = function.repeatedBlocks
    #expect(blocks.map { $0.repetitions } == [[[0, 1, 2], [3, 4, 5], [6, 7, 8], [9, 10, 11], [12, 13, 14]]])
    #expect(function.commonName([3, 4, 5]) == (isNamed ? "/layer.1" : nil))
  }

  /// Steele, Lea and Flood's SplitMix64.
  private struct Generator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9e37_79b9_7f4a_7c15
      var z = (state ^ state >> 30) &* 0xbf58_476d_1ce4_e5b9
      z = (z ^ z >> 27) &* 0x94d0_49bb_1331_11eb
      return z ^ z >> 31
    }
  }
}

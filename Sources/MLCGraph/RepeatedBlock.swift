import MLCCore

/// A stretch of a function's operations that stands there several times in a row, as the blocks of a network do.
package struct RepeatedBlock: Hashable, Sendable {
  /// For each repetition, the places of its operations among the outermost ones, constants left out.
  package let repetitions: [[Int]]
  package var places: [Int] { repetitions.flatMap { $0 } }
}

extension Function {
  /// The repeated blocks of the outermost operations, in their order, as `Folding` finds them.
  ///
  /// Operations repeat where their operators are the same, and their nodes' names but for the numbers in them:
  /// `/layer.0/attention/MatMul_3` and `/layer.1/attention/MatMul`. A model whose names show no repetition is judged by
  /// its operators alone. Where repetitions may begin at several places, they begin where names change most.
  package var repeatedBlocks: [RepeatedBlock] {
    let places = body.operations.indices.filter { !(body.operations[$0].op is Const) }
    let operators = places.map { body.operations[$0].name }
    let names = places.map { body.operations[$0].origin.node ?? "" }
    let paths = names.map { $0.split(separator: "/", omittingEmptySubsequences: false) }
    let bonds = paths.indices.map { $0 == 0 ? 0 : paths[$0 - 1].commonPrefix(paths[$0]).count }
    var folding = Folding(zip(operators, names).map { [$0, $1.withoutNumbers] }, bonds: bonds)
    if folding.runs.isEmpty { folding = Folding(operators, bonds: bonds) }
    return folding.runs.map { run in
      RepeatedBlock(repetitions: (0..<run.count).map { places[run.repetition($0)].map { $0 } })
    }
  }

  /// The folders, `/` between them, that the names of the nodes of the operations at `places` begin with; `nil` where
  /// they have none in common.
  package func commonName(_ places: [Int]) -> String? {
    let nodes = places.compactMap { body.operations[$0].origin.node }
    let paths = nodes.map { $0.split(separator: "/", omittingEmptySubsequences: false) }
    guard let first = paths.first?.dropLast() else { return nil }
    let name = paths.reduce(first) { $0.commonPrefix($1.dropLast()) }.joined(separator: "/")
    return name.isEmpty ? nil : name
  }
}

extension Collection where Element: Equatable {
  /// The elements with which this and `other` begin alike.
  fileprivate func commonPrefix(_ other: some Collection<Element>) -> SubSequence {
    prefix(zip(self, other).prefix(while: { $0 == $1 }).count)
  }
}

extension String {
  /// This without its numbers, each with a dot or an underscore before it.
  fileprivate var withoutNumbers: String {
    var kept: [UInt8] = []
    for byte in utf8 {
      let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      if !isDigit {
        kept.append(byte)
      } else if let last = kept.last, [UInt8(ascii: "."), UInt8(ascii: "_")].contains(last) {
        kept.removeLast()
      }
    }
    return String(decoding: kept, as: UTF8.self)
  }
}

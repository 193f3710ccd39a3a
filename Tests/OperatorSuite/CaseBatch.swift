import MLCCore
import MLCGraph

/// The operations of many cases side by side in one function, and what the interpreter makes of each.
struct CaseBatch {
  private(set) var function = Function()
  /// The arguments of each run; a case with fewer runs repeats its last.
  private(set) var runs: [[Tensor]] = []
  /// By case, then by run, then by output.
  private(set) var expected: [[[Tensor]]] = []
  /// The magnitudes of the terms whose sums those are, for cases whose tolerance asks for them.
  private var terms: [[[Tensor]]] = []

  init(_ items: [PlayedCase]) throws(Diagnostic) {
    var builder = Builder()
    var outputs: [(String, ValueID)] = []
    for (number, item) in items.enumerated() {
      let origin = Location(node: item.label, op: type(of: item.op).name)
      let values = item.values(in: &builder, prefix: "c\(number)_")
      let results = try builder.append(item.op, values, names: ["case\(number)"], origin: origin)
      outputs += results.enumerated().map { ("case\(number)_out\($0.offset)", $0.element) }
      let references = try item.expected()
      expected.append(references)
      terms.append(try item.terms())
    }
    function = builder.finish(outputs)
    for run in 0..<(items.map { $0.runs.count }.max() ?? 0) {
      runs.append(items.flatMap { $0.runs[min(run, $0.runs.count - 1)] })
    }
  }

  /// What is wrong with `results` of run `run`, `label: reason`.
  func problems(_ items: [PlayedCase], run: Int, _ results: [Tensor]) -> [String] {
    var problems: [String] = []
    var next = 0
    for (number, item) in items.enumerated() {
      let own = min(run, expected[number].count - 1)
      let operands = item.largestOperand(own)
      for (index, reference) in expected[number][own].enumerated() {
        let terms = terms[number].isEmpty ? nil : terms[number][own][index]
        let result = results[next + index]
        if let problem = item.tolerance.disagreement(result, reference, terms: terms, operands: operands) {
          problems.append("\(item.label), run \(run): output \(index) \(problem)")
        }
      }
      next += expected[number][own].count
    }
    return problems
  }
}

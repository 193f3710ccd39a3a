import MLCCore
import MLCGraph

/// The operations of many cases side by side in one function, and what the interpreter makes of each.
struct CaseBatch {
  private(set) var function = Function()
  /// The arguments of each run; a case with fewer runs repeats its last.
  private(set) var runs: [[Tensor]] = []
  /// By case, then by run, then by output.
  private(set) var expected: [[[Tensor]]] = []

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
    for (item, references) in zip(items, expected) {
      let references = references[min(run, references.count - 1)]
      for (index, reference) in references.enumerated() {
        if let problem = item.disagreement(results[next + index], reference) {
          problems.append("\(item.label), run \(run): output \(index) \(problem)")
        }
      }
      next += references.count
    }
    return problems
  }
}

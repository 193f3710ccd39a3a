import MLCCore
import MLCGraph
import MLCOps

extension GRU: RecurrentComposite {
  package func step(_ step: RecurrentStep, _ writer: inout GraphWriter) throws(Diagnostic) -> [ValueID] {
    let recurrent = try writer.apply(Linear(), step.states[0], step.weight)
    func sum(_ gate: Int, _ writer: inout GraphWriter) throws(Diagnostic) -> Formula {
      try step.gate(gate, of: step.projected, &writer) + step.gate(gate, of: recurrent, &writer)
    }
    let r = try sum(0, &writer).activated(recurrentActivation, clip: clip)
    let z = Formula.value(try writer.value(try sum(2, &writer).activated(recurrentActivation, clip: clip)))
    var inner: Formula
    if resetAfter {
      inner = try step.gate(1, of: recurrent, &writer)
      if let bias = step.vectors[0] { inner = inner + .value(bias) }
      inner = r * inner
    } else {
      let rows = try writer.slice(step.weight, axis: 0, from: step.hidden, to: 2 * step.hidden)
      inner = .value(try writer.apply(Linear(), try writer.value(r * step.h), rows))
    }
    let o = (try step.gate(1, of: step.projected, &writer) + inner).activated(activation, clip: clip)
    return [try writer.value((1 - z) * o + z * step.h)]
  }
}

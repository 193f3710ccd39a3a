import MLCCore
import MLCGraph
import MLCOps

extension GRU: RecurrentComposite {
  package func step(_ step: RecurrentStep, _ writer: inout GraphWriter) throws(Diagnostic) -> [ValueID] {
    let recurrent = try writer.apply(Linear(), step.states[0], step.weight)
    let (seen, kept) = (try step.gates(3, of: step.projected, &writer), try step.gates(3, of: recurrent, &writer))
    let r = (seen[0] + kept[0]).activated(recurrentActivation, clip: clip)
    let z = Formula.value(try writer.value((seen[2] + kept[2]).activated(recurrentActivation, clip: clip)))
    var inner: Formula
    if resetAfter {
      inner = kept[1]
      if let bias = step.vectors[0] { inner = inner + .value(bias) }
      inner = r * inner
    } else {
      let rows = try writer.slice(step.weight, axis: 0, from: step.hidden, to: 2 * step.hidden)
      inner = .value(try writer.apply(Linear(), try writer.value(r * step.h), rows))
    }
    let o = (seen[1] + inner).activated(activation, clip: clip)
    return [try writer.value((1 - z) * o + z * step.h)]
  }
}

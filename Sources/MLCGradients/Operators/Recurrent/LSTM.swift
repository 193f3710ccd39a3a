import MLCCore
import MLCGraph
import MLCOps

extension LSTM: RecurrentComposite {
  package func step(_ step: RecurrentStep, _ writer: inout GraphWriter) throws(Diagnostic) -> [ValueID] {
    let recurrent = try writer.apply(Linear(), step.states[0], step.weight)
    let sums = try writer.value(.value(step.projected) + .value(recurrent))
    let gates = try step.gates(4, of: sums, &writer)
    let old = Formula.value(step.states[1])
    func seen(_ gate: Int, _ cell: Formula, _ writer: inout GraphWriter) throws(Diagnostic) -> Formula {
      guard let peephole = step.vectors[0] else { return gates[gate] }
      let (start, end) = (gate * step.hidden, (gate + 1) * step.hidden)
      return gates[gate] + .value(try writer.slice(peephole, axis: 0, from: start, to: end)) * cell
    }
    let i = try seen(0, old, &writer).activated(recurrentActivation, clip: clip)
    let f = try seen(1, old, &writer).activated(recurrentActivation, clip: clip)
    let z = gates[3].activated(cellActivation, clip: clip)
    let sum = f * old + i * z
    let new = try writer.value(cellClip.map { sum.applying(Clip(alpha: -$0, beta: $0)) } ?? sum)
    let o = try seen(2, .value(new), &writer).activated(recurrentActivation, clip: clip)
    return [try writer.value(o * Formula.value(new).activated(activation)), new]
  }
}

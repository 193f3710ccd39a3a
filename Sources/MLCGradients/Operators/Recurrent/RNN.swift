import MLCCore
import MLCGraph
import MLCOps

extension RNN: RecurrentComposite {
  package func step(_ step: RecurrentStep, _ writer: inout GraphWriter) throws(Diagnostic) -> [ValueID] {
    let recurrent = try writer.apply(Linear(), step.states[0], step.weight)
    let sum = Formula.value(step.projected) + .value(recurrent)
    return [try writer.value(sum.activated(activation, clip: clip))]
  }
}

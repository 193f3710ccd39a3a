import MLCCore
import MLCGraph
import MLCOps

/// A recurrent layer as its steps, one after the other: gradients pass through time. Its operations are as many as the
/// steps, whose number is known.
///
/// Source: Werbos, "Backpropagation through time: what it does and how to do it", Proceedings of the IEEE, 1990.
package protocol RecurrentComposite: Composite, RecurrentLayer {
  /// The states after a step, h first.
  func step(_ step: RecurrentStep, _ writer: inout GraphWriter) throws(Diagnostic) -> [ValueID]
}

/// One step of one direction, in float32 or wider.
package struct RecurrentStep: Sendable {
  /// `x·weight_ihᵀ + bias`, `[b, G·H]`.
  let projected: ValueID
  /// Each `[b, H]`, h first.
  let states: [ValueID]
  /// `[G·H, H]`
  let weight: ValueID
  /// The vectors besides `bias`, in the layer's order.
  let vectors: [ValueID?]
  let hidden: Int
}

extension RecurrentComposite {
  package func partsObstacle(_ inputs: Operands<Fact>) -> String? {
    guard let steps = inputs["x"].shape[0].constant, inputs["weight_hh"].shape[1].constant != nil else {
      return "the number of its steps or hidden units is not known before run time"
    }
    return steps == 0 ? "it has no steps" : nil
  }

  package func parts(_ inputs: Operands<ValueID>, _ writer: inout GraphWriter) throws(Diagnostic) -> [ValueID] {
    var sides: [(y: ValueID, states: [ValueID])] = []
    for index in 0..<directions { sides.append(try side(index, inputs, &writer)) }
    let dtype = writer.fact(inputs["x"]).dtype
    var results = [try writer.concat(sides.map { $0.y }, axis: 2)]
    for state in Self.initialStates.indices {
      results.append(try writer.concat(sides.map { $0.states[state] }, axis: 1))
    }
    if !outputSequence { results[0] = try writer.apply(ExpandDims([0]), results[1]) }
    for place in results.indices { results[place] = try writer.converted(results[place], to: dtype) }
    return results
  }

  /// All h of a direction, `[s, b, H]`, and its last states.
  private func side(_ index: Int, _ inputs: Operands<ValueID>, _ writer: inout GraphWriter) throws(Diagnostic)
    -> (y: ValueID, states: [ValueID])
  {
    let suffix = index == 1 ? "_back" : ""
    let x = try writer.widened(inputs["x"])
    let bias = try inputs[optional: "bias" + suffix].map { (id) throws(Diagnostic) in try writer.widened(id) }
    let projected = try writer.apply(Linear(), x, try writer.widened(inputs["weight_ih" + suffix]), bias)
    let weight = try writer.widened(inputs["weight_hh" + suffix])
    var vectors: [ValueID?] = []
    for vector in Self.vectors {
      let given = inputs[optional: vector.name + suffix]
      vectors.append(try given.map { (id) throws(Diagnostic) in try writer.widened(id) })
    }
    let (steps, hidden) = (writer.fact(x).shape[0].constant ?? 0, writer.fact(weight).shape[1].constant ?? 0)
    var states = try initialStates(index, hidden, projected, inputs, &writer)
    let rows = try writer.results(Split(axis: 0, count: steps), [[projected]])
    var y: [Int: ValueID] = [:]
    for number in 0..<steps {
      let time = index == 1 || direction == "reverse" ? steps - 1 - number : number
      let now = try writer.apply(Squeeze([0]), rows[time])
      let step = RecurrentStep(projected: now, states: states, weight: weight, vectors: vectors, hidden: hidden)
      var next = try self.step(step, &writer)
      var shown = next[0]
      if let lengths = inputs[optional: "sequence_lens"] {
        let places = writer.constant(Tensor(writer.fact(lengths).dtype, [], [time]), "time")
        let isThere = Formula.value(
          try writer.apply(ExpandDims([1]), try writer.apply(Less(), places, lengths))
        )
        shown = try writer.value(Formula.value(shown).when(isThere))
        for state in next.indices {
          next[state] = try writer.value(Formula.value(next[state]).when(isThere, else: .value(states[state])))
        }
      }
      y[time] = try writer.apply(ExpandDims([0]), shown)
      states = next
    }
    return (try writer.concat((0..<steps).compactMap { y[$0] }, axis: 0), states)
  }

  /// The columns of the initial states that belong to a direction, or zeros.
  private func initialStates(
    _ index: Int,
    _ hidden: Int,
    _ projected: ValueID,
    _ inputs: Operands<ValueID>,
    _ writer: inout GraphWriter
  ) throws(Diagnostic) -> [ValueID] {
    var states: [ValueID] = []
    for name in Self.initialStates {
      if let whole = inputs[optional: name] {
        let wide = try writer.widened(whole)
        states.append(try writer.slice(wide, axis: 1, from: index * hidden, to: (index + 1) * hidden))
      } else {
        let first = try writer.element(0, of: projected, axis: 0)
        states.append(try writer.zeros(like: try writer.slice(first, axis: 1, from: 0, to: hidden)))
      }
    }
    return states
  }
}

extension RecurrentStep {
  var h: Formula { .value(states[0]) }

  /// The columns of `x` that belong to each of `count` gates.
  func gates(_ count: Int, of x: ValueID, _ writer: inout GraphWriter) throws(Diagnostic) -> [Formula] {
    try writer.results(Split(axis: 1, count: count), [[x]]).map { .value($0) }
  }
}

extension Formula {
  /// The function of a gate by MIL's name, after bounding this to ±`clip`.
  func activated(_ name: String, clip: Double? = nil) -> Formula {
    let bounded = clip.map { applying(Clip(alpha: -$0, beta: $0)) } ?? self
    switch name {
    case "sigmoid": return bounded.applying(Sigmoid())
    case "tanh": return bounded.applying(Tanh())
    case "relu": return bounded.applying(Relu())
    case "hard_sigmoid": return bounded.applying(SigmoidHard(alpha: 0.2, beta: 0.5))
    default: return bounded
    }
  }
}

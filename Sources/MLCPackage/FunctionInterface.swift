import MLCCore

/// What a caller sees of one function: its inputs and outputs in order, and the sizes that their shapes name.
package struct FunctionInterface: Hashable, Sendable {
  package struct Port: Hashable, Sendable {
    package var name: String, type: TensorType
    /// What the model says about it, `description` for one.
    package var metadata: [String: String]

    package init(_ name: String, _ type: TensorType, metadata: [String: String] = [:]) {
      (self.name, self.type, self.metadata) = (name, type, metadata)
    }
  }

  /// A size that the shapes of the inputs bind.
  package struct Symbol: Hashable, Sendable {
    package var name: String
    /// The values the model allows; any when `nil`.
    package var range: ClosedRange<Int>?

    package init(_ name: String, range: ClosedRange<Int>? = nil) { (self.name, self.range) = (name, range) }
  }

  /// A size known only as the program runs.
  package struct LateSymbol: Hashable, Sendable {
    package var name: String
    /// The greatest value it can take, over symbols and late symbols before it.
    package var bound: Dim
    /// The most elements of a tensor that has such an extent, where nothing else bounds it.
    package var limit: Int?

    package init(_ name: String, bound: Dim, limit: Int? = nil) {
      (self.name, self.bound, self.limit) = (name, bound, limit)
    }
  }

  /// Memory that outlives a call: which input brings its contents, which output takes them on.
  package struct State: Hashable, Sendable {
    package var name: String
    /// Places among inputs and outputs.
    package var input: Int, output: Int

    package init(_ name: String, input: Int, output: Int) {
      (self.name, self.input, self.output) = (name, input, output)
    }
  }

  /// What the package holds for an input.
  package struct Parameter: Hashable, Sendable {
    package var name: String
    /// The place among the inputs.
    package var input: Int

    package init(_ name: String, input: Int) { (self.name, self.input) = (name, input) }
  }

  package var name: String
  /// All that code takes and gives, those of states included.
  package var inputs: [Port], outputs: [Port]
  package var states: [State] = []
  /// In the order of their inputs, those that are filled by what the package holds.
  package var parameters: [Parameter] = []
  /// In the order of the kernel ABI's numbering: `symbols` first, then `lateSymbols`.
  package var symbols: [Symbol], lateSymbols: [LateSymbol]
  /// Symbols that only come in certain combinations; no symbol is in two of them.
  package var enumerations: [SizeEnumeration]
  /// What the ports are to an application.
  package var features: Features

  package init(
    _ name: String,
    inputs: [Port],
    outputs: [Port],
    symbols: [Symbol] = [],
    enumerations: [SizeEnumeration] = [],
    lateSymbols: [LateSymbol] = [],
    states: [State] = [],
    parameters: [Parameter] = [],
    features: Features = .init()
  ) {
    (self.enumerations, self.states, self.features) = (enumerations, states, features)
    self.parameters = parameters
    (self.name, self.inputs, self.outputs) = (name, inputs, outputs)
    (self.symbols, self.lateSymbols) = (symbols, lateSymbols)
  }

  /// What is inconsistent about it, if anything: a name twice, or a size that nothing binds.
  package var inconsistency: String? {
    let names = symbols.map { $0.name } + lateSymbols.map { $0.name }
    if let twice = names.firstRepeated { return "the size '\(twice)' is declared twice" }
    if let repeatedName { return repeatedName }
    if let featureProblem { return featureProblem }
    for state in states {
      guard inputs.indices.contains(state.input), outputs.indices.contains(state.output) else {
        return "state '\(state.name)' has no input or no output"
      }
      let (before, after) = (inputs[state.input].type, outputs[state.output].type)
      guard before == after, before.staticShape != nil else {
        return "state '\(state.name)' is \(before) before a call and \(after) after it"
      }
    }
    if Set(states.map { $0.input }).count < states.count || Set(states.map { $0.output }).count < states.count {
      return "two states share an input or an output"
    }
    if let problem = parameterProblem { return problem }
    var known = Set(symbols.map { $0.name })
    let enumerated = enumerations.flatMap { $0.symbols }
    if let twice = enumerated.firstRepeated { return "the size '\(twice)' is enumerated twice" }
    if let name = enumerated.first(where: { !known.contains($0) }) { return "nothing binds the size '\(name)'" }
    for port in inputs {
      for dim in port.type.shape {
        guard let name = dim.symbols.subtracting(known).min() else { continue }
        return "nothing binds the size '\(name)' of input '\(port.name)'"
      }
    }
    for late in lateSymbols {
      if let name = late.bound.symbols.subtracting(known).min() {
        return "nothing binds '\(name)', a bound of '\(late.name)'"
      }
      known.insert(late.name)
    }
    for port in outputs {
      for dim in port.type.shape {
        guard let name = dim.symbols.subtracting(known).min() else { continue }
        return "nothing binds the size '\(name)' of output '\(port.name)'"
      }
    }
    return nil
  }

  private var parameterProblem: String? {
    if let twice = parameters.map({ $0.name }).firstRepeated { return "there are two parameters '\(twice)'" }
    let places = parameters.map { $0.input }
    guard zip(places, places.dropFirst()).allSatisfy({ $0 < $1 }), places.allSatisfy(inputs.indices.contains),
      Set(places).isDisjoint(with: states.map { $0.input })
    else { return "parameters have no inputs of their own, in order" }
    return nil
  }

  private var featureProblem: String? {
    if features.isEmpty { return nil }
    return features.inconsistency(
      inputs: inputs.map { ($0.name, $0.type) },
      outputs: outputs.map { ($0.name, $0.type) }
    )
  }

  /// Which inputs, outputs or states have one name, if any.
  package var repeatedName: String? {
    for (kind, names) in [
      ("inputs", inputs.map { $0.name }), ("outputs", outputs.map { $0.name }), ("states", states.map { $0.name }),
    ] {
      if let twice = names.firstRepeated { return "there are two \(kind) '\(twice)'" }
    }
    return nil
  }

  /// The most elements of a tensor of type `type`, where open extents of it are only limited together.
  package func elementLimit(_ type: TensorType) -> Int? {
    if !lateSymbols.contains(where: { $0.limit != nil }) { return nil }
    let names = type.shape.reduce(into: Set<String>()) { $0.formUnion($1.symbols) }
    return lateSymbols.filter { names.contains($0.name) }.compactMap { $0.limit }.max()
  }

  /// What a caller gives and gets: inputs and outputs without those of states, and without parameters.
  package var callerInputs: [Port] {
    let hidden = Set(states.map { $0.input } + parameters.map { $0.input })
    return inputs.indices.filter { !hidden.contains($0) }.map { inputs[$0] }
  }
  package var callerOutputs: [Port] {
    let hidden = Set(states.map { $0.output })
    return outputs.indices.filter { !hidden.contains($0) }.map { outputs[$0] }
  }
  /// The sizes that a caller decides: what was learnt may have others.
  package var callerSymbols: [Symbol] {
    let given = callerInputs.reduce(into: Set<String>()) { names, port in
      for dim in port.type.shape { names.formUnion(dim.symbols) }
    }
    return symbols.filter { given.contains($0.name) }
  }
}

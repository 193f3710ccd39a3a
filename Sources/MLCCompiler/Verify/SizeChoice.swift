import MLCCore
import MLCGraph

/// Numbers for the sizes that a model leaves open, for trying it out.
package struct SizeChoice: Sendable {
  /// In the order in which the inputs name them.
  package private(set) var sizes: [(name: String, value: Int)] = []

  package var byName: [String: Int] { Dictionary(uniqueKeysWithValues: sizes.map { ($0.name, $0.value) }) }

  /// `wanted` decides; otherwise a first axis is a batch of 1, an axis of a picture (rank 4 and above) 64, another 16,
  /// the latter two times `scale`, each moved into the model's bounds. Sizes that the model enumerates are its first
  /// choice.
  ///
  /// Where inference refuses these sizes, or a tensor would be empty, or all at once would take more than `memory`
  /// bytes, others are looked for. Throws `size.unknown` when `wanted` names what no input has, `size.range` when it is
  /// out of bounds, `size.none` when no sizes were found.
  package init(
    _ function: Function,
    wanted: [String: Int] = [:],
    scale: Int = 1,
    memory: Int = .max
  ) throws(Diagnostic) {
    try choose(function, wanted, scale)
    let free = sizes.filter { wanted[$0.name] == nil }.map { $0.name }
    guard !free.isEmpty else { return }
    let variables = variables(function, wanted, free)
    var trials = 0
    var refusal: Diagnostic?
    // Which branch runs depends on numbers: sizes that all of them take come before sizes that one may refuse.
    let hasBlocks = function.body.operations.contains { !$0.blocks.isEmpty }
    for forgivesBlocks in hasBlocks ? [false, true] : [false] {
      var search = SizeSearch(function, variables, memory: memory, forgivesBlocks: forgivesBlocks)
      if search.accepts(byName) { return }
      if let found = search.run(fixed: wanted) {
        sizes = sizes.map { ($0.name, found[$0.name] ?? $0.value) }
        return
      }
      trials += search.trials
      refusal = search.refusal
    }
    throw Diagnostic(
      "size.none",
      "no sizes were found at which the model runs, for \(free.map { "'\($0)'" }.joined(separator: ", ")): "
        + "\(trials) were tried; give them with --size, or inputs with --inputs",
      kind: .unsupported,
      notes: refusal.map { ["the last: \($0)"] } ?? []
    )
  }

  /// What can be varied: sizes of their own, and the choices of enumerations.
  private func variables(_ function: Function, _ wanted: [String: Int], _ free: [String]) -> [SizeSearch.Variable] {
    var result: [SizeSearch.Variable] = []
    for (name, guess) in sizes where free.contains(name) {
      if result.contains(where: { $0.names.contains(name) }) { continue }
      if let enumeration = function.enumerations.first(where: { $0.symbols.contains(name) }) {
        result.append(.init(names: enumeration.symbols, choices: enumeration.choices(allowing: wanted), bounds: nil))
      } else {
        let bounds = function.bounds[name] ?? 0...Int.max
        result.append(
          .init(names: [name], choices: SizeSearch.numbers(around: guess, in: bounds), bounds: bounds)
        )
      }
    }
    return result
  }

  /// As many as try every choice that the model enumerates and `wanted` allows; one if it enumerates none. Throws as
  /// `init` does.
  package static func every(
    _ function: Function,
    wanted: [String: Int] = [:],
    memory: Int = .max
  ) throws(Diagnostic) -> [SizeChoice] {
    let allowed = function.enumerations.map { (symbols: $0.symbols, choices: $0.choices(allowing: wanted)) }
      .filter { !$0.choices.isEmpty }
    var result: [SizeChoice] = []
    for index in 0..<max(allowed.map { $0.choices.count }.max() ?? 0, 1) {
      var fixed = wanted
      for (symbols, choices) in allowed {
        for (name, value) in zip(symbols, choices[index % choices.count]) { fixed[name] = value }
      }
      result.append(try SizeChoice(function, wanted: fixed, memory: memory))
    }
    return result
  }

  private mutating func choose(_ function: Function, _ wanted: [String: Int], _ factor: Int) throws(Diagnostic) {
    for input in function.inputs {
      let shape = function.type(input).shape
      for (axis, dim) in shape.enumerated() {
        for name in dim.symbols.sorted() where !sizes.contains(where: { $0.name == name }) {
          if let enumeration = function.enumerations.first(where: { $0.symbols.contains(name) }) {
            try choose(enumeration, wanted)
            continue
          }
          let bounds = function.bounds[name] ?? 0...Int.max
          let guess = axis == 0 ? 1 : (shape.count >= 4 ? 64 : 16) * factor
          let value = wanted[name] ?? min(max(guess, bounds.lowerBound), bounds.upperBound)
          guard bounds.contains(value) else {
            throw Diagnostic(
              "size.range",
              "--size \(name)=\(value): the model allows \(bounds.lowerBound) to \(bounds.upperBound)",
              kind: .usage
            )
          }
          sizes.append((name, value))
        }
      }
    }
    try refuseUnknown(wanted)
  }

  /// The first combination that `wanted` allows.
  private mutating func choose(_ enumeration: SizeEnumeration, _ wanted: [String: Int]) throws(Diagnostic) {
    guard let choice = enumeration.choices(allowing: wanted).first else {
      let given = enumeration.symbols.compactMap { name in wanted[name].map { "--size \(name)=\($0)" } }
      throw Diagnostic(
        "size.range",
        "\(given.joined(separator: " ")): the model allows \(enumeration)",
        kind: .usage
      )
    }
    sizes += zip(enumeration.symbols, choice).map { (name: $0, value: $1) }
  }

  private func refuseUnknown(_ wanted: [String: Int]) throws(Diagnostic) {
    guard let unknown = wanted.keys.sorted().first(where: { name in !sizes.contains { $0.name == name } }) else {
      return
    }
    let known = sizes.isEmpty ? "none is open" : "open are " + sizes.map { "'\($0.name)'" }.joined(separator: ", ")
    throw Diagnostic("size.unknown", "the model has no open size '\(unknown)'; \(known)", kind: .usage)
  }
}

extension SizeEnumeration {
  /// Those that give no other number to a size of `wanted`.
  fileprivate func choices(allowing wanted: [String: Int]) -> [[Int]] {
    choices.filter { choice in zip(symbols, choice).allSatisfy { wanted[$0, default: $1] == $1 } }
  }
}

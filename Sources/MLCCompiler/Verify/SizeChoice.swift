import MLCCore
import MLCGraph

/// Numbers for the sizes that a model leaves open, for trying it out.
package struct SizeChoice: Sendable {
  /// In the order in which the inputs name them.
  package private(set) var sizes: [(name: String, value: Int)] = []

  package var byName: [String: Int] { Dictionary(uniqueKeysWithValues: sizes.map { ($0.name, $0.value) }) }

  /// `wanted` decides; otherwise a first axis is a batch of 1, an axis of a picture (rank 4 and above) 64, another 16, each
  /// moved into the model's bounds. Sizes that the model enumerates are its first choice. Where a tensor of the model would be
  /// empty or impossible at such sizes (a window longer than its input), the latter two grow fourfold until it is not, up to
  /// 1,048,576. They begin `scale` times as large. Throws `size.unknown` when `wanted` names what no input has, `size.range` when
  /// it is out of bounds.
  package init(_ function: Function, wanted: [String: Int] = [:], scale: Int = 1) throws(Diagnostic) {
    var factor = scale
    try choose(function, wanted, factor)
    while !fits(function), factor < 1 << 16 {
      factor *= 4
      let last = sizes.map { $0.value }
      sizes = []
      try choose(function, wanted, factor)
      if sizes.map({ $0.value }) == last { break }
    }
  }

  /// As many as try every choice that the model enumerates and `wanted` allows; one if it enumerates none. Throws as `init` does.
  package static func every(
    _ function: Function,
    wanted: [String: Int] = [:]
  ) throws(Diagnostic) -> [SizeChoice] {
    let allowed = function.enumerations.map { (symbols: $0.symbols, choices: $0.choices(allowing: wanted)) }
      .filter { !$0.choices.isEmpty }
    var result: [SizeChoice] = []
    for index in 0..<max(allowed.map { $0.choices.count }.max() ?? 0, 1) {
      var fixed = wanted
      for (symbols, choices) in allowed {
        for (name, value) in zip(symbols, choices[index % choices.count]) { fixed[name] = value }
      }
      result.append(try SizeChoice(function, wanted: fixed))
    }
    return result
  }

  /// Whether every size in the model that these sizes decide is positive.
  private func fits(_ function: Function) -> Bool {
    let numbers = byName
    return function.values.allSatisfy { value in
      value.fact.shape.allSatisfy { ($0.constant == nil ? $0.evaluate(numbers) : nil).map { $0 > 0 } ?? true }
    }
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

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

    package init(_ name: String, bound: Dim) { (self.name, self.bound) = (name, bound) }
  }

  package var name: String
  package var inputs: [Port], outputs: [Port]
  /// In the order of the kernel ABI's numbering: `symbols` first, then `lateSymbols`.
  package var symbols: [Symbol], lateSymbols: [LateSymbol]

  package init(
    _ name: String,
    inputs: [Port],
    outputs: [Port],
    symbols: [Symbol] = [],
    lateSymbols: [LateSymbol] = []
  ) {
    (self.name, self.inputs, self.outputs) = (name, inputs, outputs)
    (self.symbols, self.lateSymbols) = (symbols, lateSymbols)
  }

  /// What is inconsistent about it, if anything: a name twice, or a size that nothing binds.
  package var inconsistency: String? {
    let names = symbols.map { $0.name } + lateSymbols.map { $0.name }
    if let twice = FunctionInterface.firstRepeated(names) { return "the size '\(twice)' is declared twice" }
    if let twice = FunctionInterface.firstRepeated(inputs.map { $0.name }) { return "there are two inputs '\(twice)'" }
    if let twice = FunctionInterface.firstRepeated(outputs.map { $0.name }) {
      return "there are two outputs '\(twice)'"
    }
    var known = Set(symbols.map { $0.name })
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

  private static func firstRepeated(_ names: [String]) -> String? {
    var seen: Set<String> = []
    return names.first { !seen.insert($0).inserted }
  }
}

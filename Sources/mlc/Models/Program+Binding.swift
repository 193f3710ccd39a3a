import MLCCore
import MLCGraph
import MLCPackage
import MLCTraining

extension Program {
  /// The program with the open sizes of its inputs as `bindings` say: numbers, other names, or `Dim.unnamed` for what
  /// stays as it is.
  ///
  /// Throws `input.unknown` for a name that no input of the main function has and `input.shape` for a shape that
  /// contradicts the program's.
  func bound(to bindings: [String: TensorType]) throws(Diagnostic) -> Program {
    if bindings.isEmpty { return self }
    var sizes: [String: Dim] = [:]
    for name in bindings.keys.sorted() {
      let port = try InputFiles.port(name, main.inputPorts)
      guard let wanted = bindings[name], wanted.rank == port.type.rank else { throw Program.mismatch(name, port.type) }
      for (declared, extent) in zip(port.type.shape, wanted.shape) where declared != extent {
        if extent == .unnamed, declared.symbol != nil { continue }
        guard let symbol = declared.symbol, sizes[symbol, default: extent] == extent else {
          throw Program.mismatch(name, port.type)
        }
        if let number = extent.constant, let allowed = main.bounds[symbol], !allowed.contains(number) {
          throw Program.mismatch(name, port.type, "; '\(symbol)' is \(allowed.lowerBound) to \(allowed.upperBound)")
        }
        sizes[symbol] = extent
      }
    }
    var result = self
    result.main.substitute(sizes)
    result.main.enumerations = []
    for enumeration in main.enumerations {
      guard let left = enumeration.choices(at: sizes) else {
        throw Program.mismatch(bindings.keys.sorted().joined(separator: ", "), nil, "; it takes \(enumeration)")
      }
      if let left = SizeEnumeration(left.symbols, choices: left.choices) { result.main.enumerations.append(left) }
    }
    for name in bindings.keys.sorted() {
      let port = try InputFiles.port(name, result.main.inputPorts)
      let declared = try InputFiles.port(name, main.inputPorts).type.shape
      guard port.type.shape == bindings[name]?.shape.named(name, as: declared, sizes) else {
        throw Program.mismatch(name, port.type)
      }
    }
    return result
  }

  /// The program with what it has learnt as constants. Throws as `bound(to:)` does.
  func withConstantParameters() throws(Diagnostic) -> Program {
    let held = main.parameters.map { (main[main.inputs[$0.input]].name, $0.contents.type) }
    return try bound(to: Dictionary(held) { first, _ in first }).withoutLearning()
  }

  fileprivate static func mismatch(_ name: String, _ type: TensorType?, _ detail: String = "") -> Diagnostic {
    let declared = type.map { ", \($0)" } ?? ""
    return Diagnostic(
      "input.shape",
      "--input \(name): this shape contradicts the model's\(declared)\(detail)",
      kind: .usage
    )
  }
}

extension SizeEnumeration {
  /// The sizes still open and the choices that agree with `sizes`; `nil` when none does. Sizes of one new name are one
  /// size.
  fileprivate func choices(at sizes: [String: Dim]) -> (symbols: [String], choices: [[Int]])? {
    let extents = symbols.map { sizes[$0] ?? Dim.symbol($0) }
    let open = extents.compactMap { $0.symbol }.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    var left: [[Int]] = []
    for choice in choices {
      var numbers: [String: Int] = [:]
      let agrees = zip(extents, choice).allSatisfy { extent, number in
        guard let symbol = extent.symbol else { return extent.constant == number }
        defer { numbers[symbol] = number }
        return numbers[symbol, default: number] == number
      }
      let row = open.compactMap { numbers[$0] }
      if agrees, !left.contains(row) { left.append(row) }
    }
    return left.isEmpty ? nil : (open, left)
  }
}

extension Function {
  /// Puts `sizes` in place of names in all that is known of values.
  fileprivate mutating func substitute(_ sizes: [String: Dim]) {
    for index in values.indices where !values[index].fact.isConstant {
      values[index].fact = values[index].fact.substituting(sizes)
    }
    for (old, new) in sizes {
      let range = bounds.removeValue(forKey: old)
      if let name = new.symbol { bounds[name] = range }
    }
  }
}

extension Function {
  /// Holds the open sizes of its inputs to the ranges and choices of `inputs`, whose shapes they have.
  ///
  /// Throws `input.shape` for sizes that the model does not take, or that are one and get two ranges or choices,
  /// `input.unknown` for an input that is none of its.
  mutating func restrict(to inputs: [String: InputBinding]) throws(Diagnostic) {
    var given: [String: InputExtent] = [:]
    for (name, binding) in inputs.sorted(by: { $0.key < $1.key }) {
      let type = try InputFiles.port(name, inputPorts).type
      var choices: [(symbol: String, numbers: [Int])] = []
      for (extent, dim) in zip(binding.extents, type.shape) {
        guard let symbol = dim.symbol else {
          if let size = dim.constant, !extent.allows(size) { throw Program.mismatch(name, type) }
          continue
        }
        if extent.isRestricted {
          let known = given.updateValue(extent, forKey: symbol)
          if known == extent { continue }
          if known != nil { throw Program.mismatch(name, nil, "; '\(symbol)' has another range or choice already") }
        }
        switch extent {
        case .size, .open: continue
        case .range(let range): try allow(range, symbol, name)
        case .choice(let numbers):
          try allow(numbers.min()!...numbers.max()!, symbol, name)
          choices.append((symbol, numbers))
        }
      }
      try enumerate(choices, name)
    }
  }

  /// Bounds a size by `range` besides what the model says.
  private mutating func allow(_ range: ClosedRange<Int>, _ symbol: String, _ input: String) throws(Diagnostic) {
    let known = bounds[symbol] ?? 0...Int.max
    guard known.lowerBound <= range.lowerBound, range.upperBound <= known.upperBound else {
      throw Program.mismatch(input, nil, "; '\(symbol)' is \(known.lowerBound) to \(known.upperBound)")
    }
    bounds[symbol] = range
    for place in enumerations.indices {
      guard let column = enumerations[place].symbols.firstIndex(of: symbol) else { continue }
      let left = enumerations[place].choices.filter { range.contains($0[column]) }
      guard let narrowed = SizeEnumeration(enumerations[place].symbols, choices: left) else {
        throw Program.mismatch(input, nil, "; it takes \(enumerations[place])")
      }
      enumerations[place] = narrowed
    }
  }

  /// Allows all combinations of `choices`, or those of the model's own enumeration that are among them.
  private mutating func enumerate(
    _ choices: [(symbol: String, numbers: [Int])],
    _ input: String
  ) throws(Diagnostic) {
    if choices.isEmpty { return }
    let symbols = choices.map { $0.symbol }
    if let place = enumerations.firstIndex(where: { !Set($0.symbols).isDisjoint(with: symbols) }) {
      let known = enumerations[place]
      let left = known.choices.filter { row in
        choices.allSatisfy { choice in
          known.symbols.firstIndex(of: choice.symbol).map { choice.numbers.contains(row[$0]) } ?? true
        }
      }
      guard Set(symbols).isSubset(of: known.symbols), let narrowed = SizeEnumeration(known.symbols, choices: left)
      else { throw Program.mismatch(input, nil, "; it takes \(known)") }
      enumerations[place] = narrowed
      return
    }
    let rows = choices.reduce([[Int]]([[]])) { rows, choice in rows.flatMap { row in choice.numbers.map { row + [$0] } }
    }
    guard let enumeration = SizeEnumeration(symbols, choices: rows) else {
      throw Program.mismatch(input, nil, "; two of its sizes are one")
    }
    enumerations.append(enumeration)
  }
}

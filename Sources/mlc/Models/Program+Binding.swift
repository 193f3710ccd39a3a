import MLCCore
import MLCGraph
import MLCPackage

extension Program {
  /// The program with the open sizes of its inputs as `bindings` say: numbers, or other names.
  ///
  /// Throws `input.unknown` for a name that no input of the main function has and `input.shape` for a shape that
  /// contradicts the program's.
  func bound(to bindings: [String: TensorType]) throws(Diagnostic) -> Program {
    if bindings.isEmpty { return self }
    var sizes: [String: Dim] = [:]
    for name in bindings.keys.sorted() {
      let port = try InputFiles.port(name, main.inputPorts)
      guard let wanted = bindings[name], wanted.rank == port.type.rank else { throw mismatch(name, port.type) }
      for (declared, extent) in zip(port.type.shape, wanted.shape) where declared != extent {
        guard let symbol = declared.symbol, sizes[symbol, default: extent] == extent else {
          throw mismatch(name, port.type)
        }
        if let number = extent.constant, let allowed = main.bounds[symbol], !allowed.contains(number) {
          throw mismatch(name, port.type, "; '\(symbol)' is \(allowed.lowerBound) to \(allowed.upperBound)")
        }
        sizes[symbol] = extent
      }
    }
    var result = self
    result.main.substitute(sizes)
    result.main.enumerations = []
    for enumeration in main.enumerations {
      guard let left = enumeration.choices(at: sizes) else {
        throw mismatch(bindings.keys.sorted().joined(separator: ", "), nil, "; it takes \(enumeration)")
      }
      if let left = SizeEnumeration(left.symbols, choices: left.choices) { result.main.enumerations.append(left) }
    }
    for name in bindings.keys.sorted() {
      let port = try InputFiles.port(name, result.main.inputPorts)
      guard port.type.shape == bindings[name]?.shape else { throw mismatch(name, port.type) }
    }
    return result
  }

  private func mismatch(_ name: String, _ type: TensorType?, _ detail: String = "") -> Diagnostic {
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

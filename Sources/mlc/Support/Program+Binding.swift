import MLCCore
import MLCGraph
import MLCPackage

extension Program {
  /// The program with the open sizes of its inputs as `bindings` say: numbers, or other names.
  ///
  /// Throws `input.unknown` for a name that no input of the main function has and `input.shape` for a shape that contradicts
  /// the program's.
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
        sizes[symbol] = extent
      }
    }
    var result = self
    result.main.substitute(sizes)
    for name in bindings.keys.sorted() {
      let port = try InputFiles.port(name, result.main.inputPorts)
      guard port.type.shape == bindings[name]?.shape else { throw mismatch(name, port.type) }
    }
    return result
  }

  private func mismatch(_ name: String, _ type: TensorType) -> Diagnostic {
    Diagnostic("input.shape", "--input \(name): this shape contradicts the model's, \(type)", kind: .usage)
  }
}

extension Function {
  /// Puts `sizes` in place of names in all that is known of values.
  fileprivate mutating func substitute(_ sizes: [String: Dim]) {
    for index in values.indices where !values[index].fact.isConstant {
      let fact = values[index].fact
      values[index].fact = Fact(
        fact.type.substituting(sizes),
        elements: fact.elements?.map { $0.substituting(sizes) }
      )
    }
    for (old, new) in sizes {
      let range = bounds.removeValue(forKey: old)
      if let name = new.symbol { bounds[name] = range }
    }
  }
}

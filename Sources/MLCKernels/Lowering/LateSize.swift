import MLCCore

extension LoweringContext {
  /// Whether no input shape and no step so far gives `symbol` its value.
  func isUnbound(_ symbol: String) -> Bool {
    !program.symbols.contains(symbol) && !program.lateSymbols.contains { $0.name == symbol }
  }

  /// Appends a kernel that computes the size `dim`, a symbol of its own, as a number that is at most `bound`.
  mutating func bind(
    _ dim: Dim,
    _ suffix: String,
    bound: Dim,
    _ value: (inout KernelParams) throws(Diagnostic) -> Scalar
  ) throws(Diagnostic) {
    guard let name = dim.symbol else { return }
    let number = temporary(suffix, .int64, [])
    try map("size", to: number) { (params, _) throws(Diagnostic) in try value(&params) }
    bind(name, from: number, bound: bound)
  }

  /// Takes the late size `name` from a one-element integer tensor.
  mutating func bind(_ name: String, from number: TensorID, bound: Dim) {
    declare(name, bound: bound)
    append(.bindSize(name, from: number))
  }

  /// Makes `name` a late size that is at most `bound`.
  mutating func declare(_ name: String, bound: Dim) {
    let known = Dictionary(uniqueKeysWithValues: program.lateSymbols.map { ($0.name, $0.bound) })
    if isUnbound(name) { program.lateSymbols.append((name, bound.substituting(known))) }
  }
}

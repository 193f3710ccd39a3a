import MLCCore
import MLCGraph
import MLCOps

extension LoweringContext {
  /// Whether no input shape and no step so far gives `symbol` its value.
  func isUnbound(_ symbol: String) -> Bool {
    !program.symbols.contains(symbol) && !program.lateSymbols.contains { $0.name == symbol }
  }

  /// Appends a kernel that computes the size `dim`, a symbol of its own, as a number that is at most `bound`; what has
  /// none is open.
  mutating func bind(
    _ dim: Dim,
    _ suffix: String,
    bound: Dim?,
    _ value: (inout KernelParams) throws(Diagnostic) -> Scalar
  ) throws(Diagnostic) {
    guard let name = dim.symbol else { return }
    let number = temporary(suffix, .int64, [])
    try map("size", to: number) { (params, _) throws(Diagnostic) in try value(&params) }
    bind(name, from: number, bound: bound)
  }

  /// Computes `extent`, a size that is element `number` of the integer input `port`, or `own` where that element is 1;
  /// if it is not known before the program runs. What has no bound is open.
  mutating func bindExtent(_ extent: Dim, to port: String, _ number: Int, over own: Dim = 1) throws(Diagnostic) {
    let limit = fact(port).numbers.map { $0[number].limit }
    let bound = limit.map { Dim.max(Dim.largest($0, 0), own) }
    try bindExtent(extent, to: port, number, bound: bound) { wanted in
      let isOne = Scalar.compare(.equal, wanted, .integer(1, .int64))
      let size = Scalar.select(isOne, .size(own), wanted)
      return bound.map { size.within($0) } ?? size
    }
  }

  /// Computes `extent` of element `number` of the integer input `port`, or of the input itself where it is one number;
  /// if it is not known before the program runs. What is above `bound`, or the limit where there is none, is a fault.
  mutating func bindExtent(
    _ extent: Dim,
    to port: String,
    _ number: Int,
    bound: Dim?,
    _ size: (Scalar) -> Scalar
  ) throws(Diagnostic) {
    guard let name = extent.symbol, isUnbound(name) else { return }
    let tensor = input(port)
    let place = program[tensor].shape.map { _ in Index.constant(number) }
    let reader = program
    try bind(extent, "extent\(number)", bound: bound) { (params) throws(Diagnostic) in
      size(reader.integer(tensor, place, &params))
    }
  }

  /// Takes the late size `name` from a one-element integer tensor.
  mutating func bind(_ name: String, from number: TensorID, bound: Dim?) {
    declare(name, bound: bound)
    append(.bindSize(name, from: number))
  }

  /// Makes `name` a late size that is at most `bound`; an open one where there is none, or other open sizes decide it.
  mutating func declare(_ name: String, bound: Dim?) {
    guard isUnbound(name) else { return }
    guard let bound, !program.lateSymbols.contains(where: { $0.isOpen && bound.symbols.contains($0.name) }) else {
      program.lateSymbols.append(.init(name, bound: Dim(program.sizeLimit), isOpen: true))
      return
    }
    let known = Dictionary(uniqueKeysWithValues: program.lateSymbols.map { ($0.name, $0.bound) })
    program.lateSymbols.append(.init(name, bound: bound.substituting(known)))
  }
}

extension Scalar {
  /// This int64 number, no less than 0 and no more than `limit`.
  func within(_ limit: Dim) -> Scalar {
    .binary(.max, .binary(.min, self, .size(limit)), .integer(0, .int64))
  }
}

import MLCCore
import MLCGraph

// Floats of at most eight bits stand for codes, as integers do: what is computed from them is not as inexact as they.

extension Program {
  /// The narrowest floating-point type of a tensor, computed or constant; `nil` when there is none.
  package var narrowestStoredFloat: DType? {
    functions.flatMap { $0.values }.map { $0.fact.dtype }.filter { $0.isWideFloat }.min { $0.bitWidth < $1.bitWidth }
  }

  /// The narrowest floating-point type of a tensor that is computed as the program runs; `nil` when there is none.
  package var narrowestFloat: DType? {
    let computed = functions.flatMap { function in
      let inputs = Set(function.inputs)
      return function.values.indices.filter { !inputs.contains(ValueID($0)) }.map { function.values[$0].fact }
    }
    let floats = computed.filter { $0.value == nil && $0.dtype.isWideFloat }.map { $0.dtype }
    return floats.min { $0.bitWidth < $1.bitWidth }
  }
}

extension DType {
  fileprivate var isWideFloat: Bool { isFloat && smallFloat == nil }
}

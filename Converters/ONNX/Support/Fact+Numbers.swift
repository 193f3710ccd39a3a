import MLCCore
import MLCGraph

extension Fact {
  /// The elements of a constant of numbers; `nil` for strings too.
  var integers: [Int]? { value.flatMap { $0.dtype == .string ? nil : $0.integers } }
  /// The same as doubles.
  var doubles: [Double]? { value.flatMap { $0.dtype == .string ? nil : $0.doubles } }
}

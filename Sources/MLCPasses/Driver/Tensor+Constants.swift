import MLCCore

extension Tensor {
  /// The number that all elements equal; `nil` for none, for strings and above 65,536 elements.
  var uniformNumber: Double? {
    guard dtype != .string, count > 0, count <= 1 << 16 else { return nil }
    if count == 1 { return doubles[0] }
    let numbers = doubles
    return numbers.allSatisfy { $0 == numbers[0] } ? numbers[0] : nil
  }

  /// The largest |x| of the elements, 0 without any; NaN where one is NaN.
  var largestMagnitude: Double {
    if dtype == .float32 {
      return withElements(of: Float.self) { elements in
        Double(elements.reduce(Float(0)) { $1.isNaN ? .nan : max($0, abs($1)) })
      }
    }
    return doubles.reduce(0) { $1.isNaN ? .nan : max($0, abs($1)) }
  }
}

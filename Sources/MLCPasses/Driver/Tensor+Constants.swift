import MLCCore

extension Tensor {
  /// The number that all elements equal; `nil` for none, for strings and above 65,536 elements.
  var uniformNumber: Double? {
    guard dtype != .string, count > 0, count <= 1 << 16 else { return nil }
    if count == 1 { return doubles[0] }
    let numbers = doubles
    return numbers.allSatisfy { $0 == numbers[0] } ? numbers[0] : nil
  }
}

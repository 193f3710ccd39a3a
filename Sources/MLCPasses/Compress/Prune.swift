import CMLCNumerics

extension WeightData {
  /// Marks which elements are kept. Elements that are zero already are never kept, of equal ones the first go.
  mutating func prune(_ pruning: Pruning) throws(Untouched) {
    var magnitudes = values.map { abs($0) }
    let zeros: Int
    switch pruning {
    case .sparsity(let share): zeros = Int(Double(values.count) * share)
    case .threshold(let limit, let least):
      zeros = magnitudes.reduce(0) { $0 + (Double($1) <= limit ? 1 : 0) }
      guard Double(zeros) >= least * Double(values.count) else {
        throw Untouched("only \(zeros) of \(values.count) elements are within \(limit)")
      }
    }
    let sorted = magnitudes.sortedFloats()
    let limit = zeros > 0 ? sorted[zeros - 1] : -1
    var ties = zeros - sorted.prefix(zeros).reversed().drop { $0 == limit }.count
    var mask = [UInt8](repeating: 1, count: values.count)
    for index in values.indices {
      var goes = magnitudes[index] < limit || magnitudes[index] == 0
      if !goes, magnitudes[index] == limit, ties > 0 { (goes, ties) = (true, ties - 1) }
      if goes { (mask[index], values[index]) = (0, 0) }
    }
    magnitudes = []
    self.mask = mask
  }
}

extension [Float] {
  /// The elements in ascending order; none is NaN.
  func sortedFloats() -> [Float] {
    var (result, scratch) = (self, [Float](repeating: 0, count: count))
    mlc_sort_floats(&result, &scratch, count)
    return result
  }
}

import MLCCompiler
import MLCCore

extension SeededGenerator {
  mutating func below(_ count: Int) -> Int { Int(next() % UInt64(count)) }
  mutating func chance(_ share: Double) -> Bool { unit() < share }
  mutating func pick<T>(_ choices: [T]) -> T { choices[below(choices.count)] }

  mutating func shuffled<T>(_ list: [T]) -> [T] {
    var list = list
    for index in list.indices.dropFirst() { list.swapAt(index, below(index + 1)) }
    return list
  }

  /// An extent at which vectors and tiles begin and end; 0 seldom.
  mutating func extent() -> Int { chance(0.02) ? 0 : pick([1, 2, 3, 4, 5, 5, 7, 8, 9, 15, 16, 17, 31, 33]) }
  mutating func smallExtent() -> Int { chance(0.01) ? 0 : pick([1, 2, 3, 4, 5]) }

  /// Multiples of a power of two of at most 2, so that sums of their products are exact; `hasSpecials` strews NaN and
  /// infinities in.
  mutating func tensor(_ dtype: DType, _ shape: [Int], hasSpecials: Bool = false) -> Tensor {
    let count = shape.reduce(1, *)
    if dtype == .bool { return Tensor(dtype, shape, (0..<count).map { _ in below(2) }) }
    guard dtype.isFloat else { return Tensor(dtype, shape, (0..<count).map { _ in below(9) - 4 }) }
    let step = dtype.bitWidth == 16 ? 0.5 : 0.125
    var numbers = (0..<count).map { _ in Double(below(Int(4 / step) + 1)) * step - 2 }
    if hasSpecials, count > 0 {
      for _ in 0..<2 { numbers[below(count)] = pick([.nan, .infinity, -.infinity, -0.0]) }
    }
    return Tensor(dtype, shape, numbers)
  }
}

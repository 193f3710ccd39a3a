import MLCCore
import TestSupport

/// Shapes, numbers and attributes that follow from a seed.
struct Draw {
  private var numbers: SeededNumbers

  init(seed: UInt64) { numbers = SeededNumbers(seed: seed) }

  mutating func int(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &numbers) }
  mutating func flag() -> Bool { Bool.random(using: &numbers) }
  mutating func one<T>(of choices: [T]) -> T { choices[int(0...choices.count - 1)] }
  mutating func real(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &numbers) }
  mutating func shuffled<T>(_ list: [T]) -> [T] { list.shuffled(using: &numbers) }

  mutating func shape(rank: ClosedRange<Int>, _ extents: ClosedRange<Int> = 1...4) -> [Int] {
    let rank = int(rank)
    return (0..<rank).map { _ in int(extents) }
  }

  /// A shape that broadcasts to `shape`.
  mutating func broadcast(to shape: [Int]) -> [Int] {
    let all = shape.map { flag() ? 1 : $0 }
    return Array(all.dropFirst(int(0...shape.count)))
  }

  /// An axis of that rank, from the front or the back.
  mutating func axis(rank: Int) -> Int { int(-rank...rank - 1) }

  /// Some axes in order, one at least.
  mutating func axes(rank: Int) -> [Int] {
    let first = int(0...rank - 1)
    return (0..<rank).filter { $0 == first || flag() }
  }

  /// Numbers in `range` that are no nearer than 0.05 to `corners`, where derivatives jump.
  mutating func reals(_ shape: [Int], _ range: ClosedRange<Double> = -2...2, apart corners: [Double] = []) -> Tensor {
    let values = (0..<shape.reduce(1, *)).map { _ in
      var value = real(range)
      while corners.contains(where: { abs(value - $0) < 0.05 }) { value = real(range) }
      return value
    }
    return Tensor(.float64, shape, values)
  }

  /// Numbers from −2 on, each two 0.1 apart at least.
  mutating func distinct(_ shape: [Int]) -> Tensor {
    let count = shape.reduce(1, *)
    return Tensor(.float64, shape, shuffled((0..<count).map { Double($0) * 0.1 - 2 }))
  }

  /// Integers of type int32.
  mutating func integers(_ shape: [Int], _ range: ClosedRange<Int>) -> Tensor {
    Tensor(.int32, shape, (0..<shape.reduce(1, *)).map { _ in int(range) })
  }
}

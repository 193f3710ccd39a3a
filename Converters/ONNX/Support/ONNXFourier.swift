import Foundation
import MLCCore
import MLCGraph
import MLCOps

/// Discrete Fourier transforms of one length L: `X[k] = Σₙ x[n]·exp(∓2πi·k·n / L)`, with + and 1 / L when `isInverse`.
///
/// Up to `directLimit` elements one product by a constant matrix, whose numbers are computed in double; beyond, a
/// length a·b is transformed in columns of a and rows of b (Cooley and Tukey).
struct ONNXFourier {
  let length: Int
  var isInverse = false

  static let directLimit = 512
  /// Lengths without divisors take matrices up to this one.
  static let primeLimit = 2048

  /// Cosine and sine of `2π·turns / length`.
  func angle(_ turns: Int) -> (cos: Double, sin: Double) {
    let angle = 2 * Double.pi * Double(turns % length) / Double(length)
    return (cos(angle), isInverse ? sin(angle) : -sin(angle))
  }

  /// `[count·parts, frequencies·2]`: what the first `count` elements, of `parts` numbers each, add to the first
  /// `frequencies`.
  func matrix(_ count: Int, parts: Int, frequencies: Int) -> [Double] {
    var values = [Double](repeating: 0, count: count * parts * frequencies * 2)
    let (factor, width) = (isInverse ? 1 / Double(length) : 1, 2 * frequencies)
    for n in 0..<count {
      for k in 0..<frequencies {
        let (cos, sin) = angle(k * n % length)
        let (real, imaginary) = (n * parts * width + 2 * k, (n * parts + 1) * width + 2 * k)
        (values[real], values[real + 1]) = (cos * factor, sin * factor)
        if parts == 2 { (values[imaginary], values[imaginary + 1]) = (-sin * factor, cos * factor) }
      }
    }
    return values
  }

  /// `[count·parts, length]`: what the first `count` frequencies of a real signal, ⌊L / 2⌋ + 1 at most, add to it. The
  /// others are their conjugates.
  func realMatrix(_ count: Int, parts: Int) -> [Double] {
    var values = [Double](repeating: 0, count: count * parts * length)
    for k in 0..<count {
      let twice: Double = k == 0 || 2 * k == length ? 1 : 2
      let factor = twice / Double(length)
      for n in 0..<length {
        let (cos, sin) = angle(k * n % length)
        values[k * parts * length + n] = cos * factor
        // A frequency that is its own conjugate has no imaginary part.
        if parts == 2, twice == 2 { values[(k * 2 + 1) * length + n] = -sin * factor }
      }
    }
    return values
  }

  /// The greatest divisor up to the root; `nil` for primes.
  var divisor: Int? {
    var best: Int?
    var candidate = 2
    while candidate * candidate <= length {
      if length.isMultiple(of: candidate) { best = candidate }
      candidate += 1
    }
    return best
  }
}

extension ONNXContext {
  /// The transform along the last axis but one: `x: T[*B, n, parts]`, `parts` 1 or 2 (real, imaginary) → `T[*B,
  /// frequencies, 2]`. Elements from `n` on up to the length are 0. Throws `onnx.dft` for a length with a great prime
  /// factor.
  mutating func transformed(_ x: ValueID, _ fourier: ONNXFourier, frequencies: Int) throws(Diagnostic) -> ValueID {
    let (shape, length) = (fact(x).shape, fourier.length)
    let batch = Array(shape.dropLast(2))
    guard let count = shape[batch.count].constant, let parts = shape[batch.count + 1].constant else { return x }
    if length > ONNXFourier.directLimit, let a = fourier.divisor {
      let all = count == length ? x : try padded(x, axis: batch.count, by: length - count)
      let y = try transformed(all, fourier, rows: a, columns: length / a, parts: parts)
      return frequencies == length ? y : try slice(y, axis: batch.count, from: 0, to: frequencies)
    }
    guard length <= ONNXFourier.primeLimit else {
      throw Diagnostic("onnx.dft", "a length of \(length) has too great a prime factor", kind: .unsupported)
    }
    let numbers = fourier.matrix(count, parts: parts, frequencies: frequencies)
    let matrix = constant(Tensor(fact(x).dtype, [count * parts, 2 * frequencies], numbers), "dft")
    let flat = try reshape(x, batch + [Dim(count * parts)])
    return try reshape(try emit(MatMul(), flat, matrix), batch + [Dim(frequencies), 2], sources: [x])
  }

  /// The same of all elements of a length `a·b`, those `n₁·b + n₂` to frequencies `k₁ + a·k₂`: transforms over n₁,
  /// turned by `k₁·n₂ / (a·b)`, then over n₂.
  private mutating func transformed(_ x: ValueID, _ fourier: ONNXFourier, rows a: Int, columns b: Int, parts: Int)
    throws(Diagnostic) -> ValueID
  {
    let batch = Array(fact(x).shape.dropLast(2))
    let swap = Array(0..<batch.count) + [batch.count + 1, batch.count, batch.count + 2]
    let grid = try reshape(x, batch + [Dim(a), Dim(b), Dim(parts)], sources: [x])
    let inner = ONNXFourier(length: a, isInverse: fourier.isInverse)
    let columns = try transformed(try emit(Transpose(swap), grid), inner, frequencies: a)
    let turns = (0..<b).flatMap { n in (0..<a).map { fourier.angle(n * $0) } }
    let cosines = constant(Tensor(fact(x).dtype, [b, a], turns.map(\.cos)), "cos")
    let sines = constant(Tensor(fact(x).dtype, [b, a], turns.map(\.sin)), "sin")
    let (real, imaginary) = (
      try element(0, of: columns, axis: batch.count + 2), try element(1, of: columns, axis: batch.count + 2)
    )
    let turned = [
      try emit(Sub(), try emit(Mul(), real, cosines), try emit(Mul(), imaginary, sines)),
      try emit(Add(), try emit(Mul(), real, sines), try emit(Mul(), imaginary, cosines)),
    ]
    var pairs: [ValueID] = []
    for part in turned { pairs.append(try emit(ExpandDims([batch.count + 2]), part)) }
    let rows = try emit(Transpose(swap), try concat(pairs, axis: batch.count + 2))
    let y = try transformed(rows, ONNXFourier(length: b, isInverse: fourier.isInverse), frequencies: b)
    return try reshape(try emit(Transpose(swap), y), batch + [Dim(a * b), 2], sources: [x])
  }

  /// `x` with `amount` zeros behind it along `axis`.
  mutating func padded(_ x: ValueID, axis: Int, by amount: Int) throws(Diagnostic) -> ValueID {
    var amounts = [Int](repeating: 0, count: 2 * fact(x).rank)
    amounts[2 * axis + 1] = amount
    return try emit(Pad(mode: "constant"), x, constant(ints: amounts, "pad"))
  }
}

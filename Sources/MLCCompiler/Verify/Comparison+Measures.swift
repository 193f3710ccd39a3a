import MLCCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The sums and extremes behind a `Comparison`, gathered in one walk.
struct Measures {
  var count = 0
  var maximumAbsolute = 0.0, maximumRelative = 0.0
  var maximumULP: UInt64?
  /// `Σ expected²`, `Σ actual²`, `Σ expected · actual`, `Σ (actual − expected)²`, each divided by the square of
  /// `scale`.
  var signal = 0.0, power = 0.0, product = 0.0, noise = 0.0
  var argmaxAgreement: Double?
  var nonFiniteMismatches = 0, failures = 0
  var worst: (position: Int, excess: Double)?

  init(strings expected: [String], _ actual: [String]) {
    count = expected.count
    for (position, pair) in zip(expected, actual).enumerated() where !pair.0.isSameText(as: pair.1) {
      failures += 1
      worst = worst ?? (position, .infinity)
    }
  }

  init(_ expected: Tensor, _ actual: Tensor, _ tolerance: Tolerance) {
    let (x, y) = (expected.doubles, actual.doubles)
    let tolerance = tolerance.resolved(for: x)
    count = x.count
    let measuresULP = expected.dtype.isFloat && actual.dtype.isFloat
    let ordinals = measuresULP ? (expected.converted(to: actual.dtype).ordinals, actual.ordinals) : ([], [])
    if measuresULP { maximumULP = 0 }
    // 64-bit integers beyond 2⁵³ are equal as doubles where they are not: their bits decide.
    let wide = !measuresULP && max(expected.dtype.bitWidth, actual.dtype.bitWidth) == 64
    let integers = wide && !expected.dtype.isFloat && !actual.dtype.isFloat ? (expected.integers, actual.integers) : nil
    let scale = Measures.scale(x, y)
    for i in x.indices {
      judge(i, x[i], y[i], tolerance, isSame: integers.map { $0.0[i] == $0.1[i] } ?? true)
      guard x[i].isFinite, y[i].isFinite else { continue }
      measure(x[i], y[i], scale)
      if measuresULP { maximumULP = max(maximumULP!, (ordinals.0[i].distance(ordinals.1[i]))) }
    }
    argmaxAgreement = Measures.argmaxAgreement(x, y, expected.shape)
  }

  private mutating func judge(_ position: Int, _ x: Double, _ y: Double, _ tolerance: Tolerance, isSame: Bool) {
    let bothFinite = x.isFinite && y.isFinite
    if !bothFinite && !(x == y || x.isNaN && y.isNaN) { nonFiniteMismatches += 1 }
    if tolerance.accepts(expected: x, actual: y) && (isSame || x != y || tolerance != .exact) { return }
    failures += 1
    let excess = bothFinite ? abs(y - x) - (tolerance.absolute + tolerance.relative * abs(x)) : .infinity
    if worst == nil || excess > worst!.excess { worst = (position, excess) }
  }

  private mutating func measure(_ x: Double, _ y: Double, _ scale: Double) {
    let error = abs(y - x)
    maximumAbsolute = max(maximumAbsolute, error)
    if x != 0 { maximumRelative = max(maximumRelative, error / abs(x)) }
    let (a, b) = (x / scale, y / scale)
    signal += a * a
    power += b * b
    product += a * b
    noise += (b - a) * (b - a)
  }

  /// The largest finite magnitude, so that squares neither overflow nor all vanish; 1 when all are 0.
  private static func scale(_ x: [Double], _ y: [Double]) -> Double {
    let largest = (x + y).reduce(0) { $1.isFinite ? max($0, abs($1)) : $0 }
    return largest == 0 ? 1 : largest
  }

  var cosine: Double {
    if signal == 0 || power == 0 { return signal == power ? 1 : 0 }
    return product / (signal * power).squareRoot()
  }

  private static func argmaxAgreement(_ x: [Double], _ y: [Double], _ shape: [Int]) -> Double? {
    guard let width = shape.last, width > 1, !x.isEmpty else { return nil }
    let rows = x.count / width
    let agreeing = (0..<rows).count { row in
      let range = row * width..<(row + 1) * width
      return argmax(x[range]) == argmax(y[range])
    }
    return Double(agreeing) / Double(rows)
  }

  /// The first position of the largest element; NaN counts as larger than all.
  private static func argmax(_ row: ArraySlice<Double>) -> Int {
    var best = row.startIndex
    for i in row.indices {
      if row[i].isNaN { return i }
      if row[i] > row[best] { best = i }
    }
    return best
  }
}

extension Double {
  static func powerOfTen(_ exponent: Double) -> Double {
    #if canImport(Glibc)
      Glibc.pow(10, exponent)
    #elseif canImport(Musl)
      Musl.pow(10, exponent)
    #else
      Darwin.pow(10, exponent)
    #endif
  }

  var log10: Double {
    #if canImport(Glibc)
      Glibc.log10(self)
    #elseif canImport(Musl)
      Musl.log10(self)
    #else
      Darwin.log10(self)
    #endif
  }
}

extension Int64 {
  fileprivate func distance(_ other: Int64) -> UInt64 {
    self > other ? UInt64(bitPattern: self &- other) : UInt64(bitPattern: other &- self)
  }
}

extension Tensor {
  /// Every float as the count of representable numbers from +0, negative below; −0 and +0 are both 0.
  fileprivate var ordinals: [Int64] {
    func ordinal<Word: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(_: Word.Type) -> [Int64] {
      withElements(of: Word.self) { words in
        words.map { word in
          let magnitude = Int64(truncatingIfNeeded: word & Word.max >> 1)
          return word >> (Word.bitWidth - 1) == 0 ? magnitude : -magnitude
        }
      }
    }
    if let format = dtype.smallFloat {
      return codes.map { $0 & format.signBit == 0 ? Int64($0) : -Int64($0 & ~format.signBit) }
    }
    switch dtype.bitWidth {
    case 16: return ordinal(UInt16.self)
    case 32: return ordinal(UInt32.self)
    default: return ordinal(UInt64.self)
    }
  }
}

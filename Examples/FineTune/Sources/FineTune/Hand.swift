import Foundation

/// Writes digits as one person might: leaning to the left with a thin pen, a bar through the seven and the zero, a foot
/// under the one, an open four. Each is a little different from the last. The same seed writes the same.
struct Hand {
  typealias Point = SIMD2<Double>

  /// How far a line leans to the left as it rises.
  private static let slant = 0.4
  private static let grid = 32
  private var random: SplitMix

  init(seed: UInt64) { random = SplitMix(seed: seed) }

  /// `count` of each digit.
  mutating func digits(_ count: Int) -> [Digit] {
    (0..<count).flatMap { _ in (0..<10).map { write($0) } }
  }

  mutating func write(_ value: Int) -> Digit {
    let slant = Self.slant + random.uniform(-0.08, 0.08)
    let width = random.uniform(0.85, 1.15)
    let strokes = Self.strokes[value].map { stroke in
      let miss = jitter(0.03)
      return stroke.map { point in
        let moved = point + miss + jitter(0.02)
        return Point(width * moved.x + slant * moved.y, moved.y)
      }
    }
    return Digit(counts: counts(strokes, pen: random.uniform(2.2, 3.2)), value: value)
  }

  private mutating func jitter(_ bound: Double) -> Point {
    [random.uniform(-bound, bound), random.uniform(-bound, bound)]
  }

  /// As the forms of the data were read: a bitmap of 32 × 32 that the digit fills, and the ink of each 4 × 4 counted.
  private func counts(_ strokes: [[Point]], pen: Double) -> [UInt8] {
    let points = strokes.joined()
    let low = points.reduce(points.first ?? .zero) { pointwiseMin($0, $1) }
    let high = points.reduce(points.first ?? .zero) { pointwiseMax($0, $1) }
    let scale = (Double(Self.grid) - pen) / max((high - low).max(), 0.1)
    let middle = (low + high) / 2
    var counts = [UInt8](repeating: 0, count: Digit.side * Digit.side)
    let placed = strokes.map { $0.map { ($0 - middle) * scale + Double(Self.grid) / 2 } }
    for y in 0..<Self.grid {
      for x in 0..<Self.grid where Self.hasInk(at: [Double(x) + 0.5, Double(y) + 0.5], placed, pen) {
        counts[y / 4 * Digit.side + x / 4] += 1
      }
    }
    return counts
  }

  private static func hasInk(at pixel: Point, _ strokes: [[Point]], _ pen: Double) -> Bool {
    strokes.contains { stroke in
      zip(stroke, stroke.dropFirst()).contains { from, to in
        let line = to - from
        let along = ((pixel - from) * line).sum() / max((line * line).sum(), 1e-9)
        let away = pixel - from - min(max(along, 0), 1) * line
        return (away * away).sum() <= pen * pen / 4
      }
    }
  }
}

/// Random numbers that are the same for the same seed: Steele, Lea and Flood's SplitMix64.
struct SplitMix: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = (state ^ state >> 30) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
    return mixed ^ mixed >> 31
  }

  mutating func uniform(_ low: Double, _ high: Double) -> Double { .random(in: low..<high, using: &self) }
}

import Foundation

/// Draws a sketch as an unsteady hand does: each time another size, place, slant and pen, with strokes that shake and
/// miss each other a little. The same seed draws the same.
struct Hand {
  private var random: SplitMix

  init(seed: UInt64) { random = SplitMix(seed: seed) }

  mutating func draw(_ sketch: Sketch, side: Int = 128) -> Picture {
    let (turn, slant) = (random.uniform(-0.2, 0.2), random.uniform(-0.15, 0.15))
    let size = Sketch.Point(random.uniform(0.27, 0.39), random.uniform(0.27, 0.39))
    let room = Sketch.Point(repeating: 0.46) - size
    let middle = 0.5 + 0.6 * room * [random.uniform(-1, 1), random.uniform(-1, 1)]
    let wave = Wave(&random)
    var picture = Picture(side: side)
    let width = Double(side) * random.uniform(0.03, 0.06)
    for stroke in sketch.strokes {
      let miss = Sketch.Point(random.uniform(-0.06, 0.06), random.uniform(-0.06, 0.06))
      let points = stroke.map { point -> Sketch.Point in
        let bent = point + miss + wave.shift(at: point)
        let slanted = Sketch.Point(bent.x + slant * bent.y, bent.y)
        let turned = Sketch.Point(
          cos(turn) * slanted.x - sin(turn) * slanted.y,
          sin(turn) * slanted.x + cos(turn) * slanted.y
        )
        return (middle + size * turned) * Double(side)
      }
      for (from, to) in zip(points, points.dropFirst()) { picture.draw(from, to, width: width) }
    }
    return picture
  }

  /// A bend of the whole drawing.
  private struct Wave {
    let across: Sketch.Point, down: Sketch.Point, phases: Sketch.Point, height: Sketch.Point

    init(_ random: inout SplitMix) {
      func pair(_ bound: Double) -> Sketch.Point { [random.uniform(-bound, bound), random.uniform(-bound, bound)] }
      (across, down, phases, height) = (pair(3), pair(3), pair(.pi), pair(0.1))
    }

    func shift(at point: Sketch.Point) -> Sketch.Point {
      height * [sin((across * point).sum() + phases.x), sin((down * point).sum() + phases.y)]
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

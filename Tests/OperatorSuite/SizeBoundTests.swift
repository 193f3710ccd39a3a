import MLCCore
import MLCOps
import Testing

/// What is known of sizes without knowing them.
@Suite struct SizeBoundTests {
  private let x: Dim = "x"

  @Test func roundingUpIsNoSmaller() {
    let once = (x + 1).floorDiv(2)
    let twice = (once + 1).floorDiv(2)
    #expect(Dim.largest(x, once * 2) == once * 2)
    #expect(Dim.largest(twice * 4, x) == twice * 4)
    #expect(Dim.largest(x, x.floorDiv(2)) == .max(x, x.floorDiv(2)))
  }

  /// However often sizes are broadcast, the result is the same expression, and right for all sizes that go together.
  @Test func broadcastsSettle() {
    let (y, z): (Dim, Dim) = ("y", Dim("z") + 1)
    let both = Dim.broadcast(x, y)
    #expect(Dim.broadcast(both, x) == both && Dim.broadcast(y, both) == both && Dim.broadcast(y, x) == both)
    let all = Dim.broadcast(Dim.broadcast(x, z), y)
    #expect(all == Dim.broadcast(z, both) && Dim.broadcast(all, both) == all)
    for (x, y, result) in [(0, 1, 0), (1, 0, 0), (0, 0, 0), (1, 1, 1), (1, 5, 5), (5, 1, 5), (5, 5, 5)] {
      #expect(both.evaluate(["x": x, "y": y]) == result)
    }
  }

  @Test func boundsHold() {
    let dims: [Dim] = [
      x, 5 - x, x.floorDiv(3) * 3 - x, (x + 1).floorDiv(2) * 2 - x, (x + 7).floorDiv(4) * 8 - x - x, x * x - 3,
      .max(x - 9, 2), (x - 5).floorDiv(2) * 4, .min(x, 4) + 1,
    ]
    for dim in dims {
      guard let bound = dim.lowerBound else { continue }
      for size in 0..<40 { #expect(dim.evaluate(["x": size])! >= bound, "\(dim) at \(size)") }
    }
    #expect(dims.map { $0.lowerBound } == [0, nil, -2, 0, 8, -3, 0, -12, 1])
  }
}

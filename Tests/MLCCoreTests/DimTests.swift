import MLCCore
import Testing

@Suite struct DimTests {
  let w: Dim = "w"
  let h: Dim = "h"

  @Test func equalPolynomialsAreEqual() {
    #expect((w + 1) * 2 == 2 * w + 2)
    #expect((w + h) * (w + h) == w * w + 2 * h * w + h * h)
    #expect(w - w == 0)
    #expect(w * h == h * w)
  }

  @Test func divisionTakesOutWhatDivides() {
    #expect((2 * w + 4).floorDiv(2) == w + 2)
    #expect((2 * w + 1).floorDiv(2) == w)
    #expect((w * h * 12).exactQuotient(h * 4) == 3 * w)
    #expect((w * h + w).exactQuotient(h + 1) == w)
    #expect((w + 1).exactQuotient(2) == nil)
    #expect(w.floorDiv(2).evaluate(["w": 7]) == 3)
    #expect(Dim(-7).floorDiv(2) == -4)
    #expect(w.ceilDiv(4).evaluate(["w": 9]) == 3)
    #expect(w.mod(4).evaluate(["w": 9]) == 1)
  }

  @Test func extremaOfKnownDistanceAreDecided() {
    #expect(Dim.max(w, w + 3) == w + 3)
    #expect(Dim.min(w, w + 3) == w)
    #expect(Dim.max(w, h).evaluate(["w": 2, "h": 5]) == 5)
  }

  @Test func nestedExtremaStaySmall() {
    let d: Dim = "d"
    #expect(Dim.max(Dim.max(w, d), d) == Dim.max(d, w))
    #expect(Dim.max(Dim.max(w, h), d) == Dim.max(w, Dim.max(d, h)))
    #expect(Dim.min(Dim.min(w, h), Dim.min(h, w) + 1) == Dim.min(w, h))
    #expect(Dim.max(Dim.min(w, h), w) == w)
    #expect(Dim.max(w + 2, h + 2) == Dim.max(w, h) + 2)
    #expect(Dim.max(Dim.max(w, h) + 1, w) == Dim.max(w, h) + 1)
    var size = Dim.max(w, 1)
    for _ in 0..<200 { size = Dim.max(Dim.max(size, d), Dim.max(w, size)) }
    #expect("\(size)".count < 30)
  }

  @Test func extremaAreWhatTheyStandFor() throws {
    var state: UInt64 = 3
    func draw(_ count: UInt64) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % count)
    }
    func dim(_ depth: Int) -> (Dim, ([String: Int]) -> Int) {
      switch depth == 0 ? draw(2) : draw(6) {
      case 0:
        let name = ["w", "h", "d"][draw(3)]
        return (.symbol(name), { $0[name]! })
      case 1:
        let number = draw(5) - 1
        return (Dim(number), { _ in number })
      case 2, 3:
        let ((a, f), (b, g)) = (dim(depth - 1), dim(depth - 1))
        return (Dim.max(a, b), { max(f($0), g($0)) })
      case 4:
        let ((a, f), (b, g)) = (dim(depth - 1), dim(depth - 1))
        return (Dim.min(a, b), { min(f($0), g($0)) })
      default:
        let ((a, f), number) = (dim(depth - 1), draw(4) - 1)
        return (a + Dim(number), { f($0) + number })
      }
    }
    for _ in 0..<2000 {
      let (size, value) = dim(5)
      for _ in 0..<8 {
        let sizes = ["w": draw(6), "h": draw(6), "d": draw(6)]
        #expect(size.evaluate(sizes) == value(sizes), "\(size) at \(sizes)")
      }
      #expect(try Dim(parsing: "\(size)") == size)
    }
  }

  @Test func arithmeticSaturates() {
    let huge = Dim(Int.max) * Dim(Int.max)
    #expect(huge.constant == 1 << 60)
    #expect((huge * -1).constant == -(1 << 60))
  }

  @Test func evaluatesAsItsPolynomial() {
    var state: UInt64 = 7
    func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    for _ in 0..<500 {
      let (a, b, c, d) = (next(9), next(9), next(9) + 1, next(9) + 1)
      let sizes = ["w": next(20) + 1, "h": next(20) + 1]
      let x = Dim(a) * w + Dim(b)
      let y = (Dim(d) * h + x).floorDiv(Dim(c)) + Dim.max(x, h)
      let (u, v) = (sizes["w"]!, sizes["h"]!)
      let expected = (d * v + a * u + b) / c + max(a * u + b, v)
      #expect(y.evaluate(sizes) == expected)
      #expect(y.substituting(["w": Dim(u), "h": Dim(v)]).constant == expected)
    }
  }

  @Test func unboundNamesAndZeroDivisorsHaveNoValue() {
    #expect(w.evaluate([:]) == nil)
    #expect(h.floorDiv(w).evaluate(["h": 1, "w": 0]) == nil)
  }
}

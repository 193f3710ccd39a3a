import MLCCore
import Testing

@Suite struct RatioTests {
  private let width: Dim = "w"
  private let height: Dim = "h"
  private let w = Ratio(Dim("w"))
  private let h = Ratio(Dim("h"))

  private func known(_ ratio: Ratio?) throws -> Ratio { try #require(ratio) }

  @Test func productsOfSizesAndSmallNumbersAreExact() throws {
    let half = try known(Ratio(0.5))
    let product = try known(w * half)
    let (floor, ceil) = (product.floor.whole, product.ceil.whole)
    #expect(floor == width.floorDiv(2))
    #expect(ceil == width.ceilDiv(2))
    let twice = try known(product * Ratio(Dim(4))).whole
    #expect(twice == width * 2)
  }

  @Test func sumsAndExtremaAreExact() throws {
    let (sum, difference) = (try known(w + h).whole, try known(w - h).whole)
    #expect(sum == width + height)
    #expect(difference == width - height)
    let most = try known(w.max(h)).whole
    #expect(most == Dim.max(width, height))
  }

  /// ⌊10 · 0.7⌋ is 7 in floats, though 0.7 as a float is less than 0.7.
  @Test func productsWithOtherNumbersAreNotRoundedDown() throws {
    let product = try known(w * known(Ratio(Double(Float(0.7)))))
    #expect(product.precision == .near)
    let floor = product.floor.whole
    #expect(floor == nil)
    let limit = try #require(product.limit.evaluate(["w": 10]))
    #expect((7...10).contains(limit))
  }

  @Test func aQuotientOfSizesRoundsToTheWholeNumbersBesideIt() throws {
    let quotient = try known(w / h)
    #expect(quotient.precision == .quotient)
    let (whole, floor, ceil) = (quotient.whole, quotient.floor.whole, quotient.ceil.whole)
    #expect(whole == nil)
    #expect(floor == width.floorDiv(height))
    #expect(ceil == width.ceilDiv(height))
  }

  /// In floats 13 / 11 · 11 is less than 13: it is 13 when rounded to the nearest, and nothing is said of its floor.
  @Test func whatCancelsIsWholeOnlyWhenRounded() throws {
    let float = Float(13) / 11 * 11
    #expect(float < 13)
    let product = try known(known(w / h) * h)
    let (whole, floor, nearest) = (product.whole, product.floor.whole, product.nearest.whole)
    #expect(product.denominator == 1)
    #expect(whole == nil)
    #expect(floor == nil)
    #expect(nearest == width)
  }

  @Test func sharedFactorsCancel() throws {
    let quotient = try known(known(w * h) / known(w * Ratio(Dim(8))))
    #expect(quotient.numerator == height)
    #expect(quotient.denominator == 8)
    #expect(quotient.precision == .exact)
  }

  @Test func numbersOutOfRangeAreNone() throws {
    for number in [Double.nan, .infinity, 1e30, 1e-30] {
      let ratio = Ratio(number)
      #expect(ratio == nil, "\(number)")
    }
    let zero = try known(Ratio(0.0))
    #expect(zero.numerator == 0)
    let quotient = w / zero
    #expect(quotient == nil)
  }

  @Test func sizesInTheirPlaceDecide() throws {
    let quotient = try known(known(w / h).substituting(["w": 6, "h": 3]))
    #expect(quotient.numerator == 2)
  }
}

import Testing

@testable import FineTune

@Suite struct LossCurveTests {
  @Test func theGreatestLossIsAtTheTopAndNoneAtTheBottom() throws {
    let curve = LossCurve(losses: [2, 1, 0])
    let points = try #require(curve.svg.split(separator: "points=\"").last?.split(separator: "\"").first)
    #expect(points == "50.0,20.0 255.0,125.0 460.0,230.0")
    #expect(
      curve.text == [
        "epoch  1  2.000 " + String(repeating: "▇", count: 50), "epoch  2  1.000 " + String(repeating: "▇", count: 25),
        "epoch  3  0.000 ",
      ]
    )
  }

  @Test(arguments: [[], [0], [0, 0]])
  func curvesOfLittleAreDrawnToo(_ losses: [Double]) {
    let svg = LossCurve(losses: losses).svg
    #expect(!svg.contains("nan") && !svg.contains("inf") && svg.hasSuffix("</svg>\n"))
  }
}

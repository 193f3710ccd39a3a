import MLCTargetC
import Testing

@Suite struct WeightStripsTests {
  let strips = WeightStrips(columns: 37, steps: 5, width: 16)

  @Test func everyColumnAndStepHasItsPlace() {
    #expect(strips.count == 3)
    #expect(strips.place(column: 0, step: 0) == 0 && strips.place(column: 15, step: 0) == 15)
    #expect(strips.place(column: 15, step: 4) == 4 * 16 + 15)
    #expect(strips.place(column: 16, step: 0) == 5 * 16 && strips.place(column: 36, step: 4) == (2 * 5 + 4) * 16 + 4)
    let places = (0..<37).flatMap { column in (0..<5).map { strips.place(column: column, step: $0) } }
    #expect(Set(places).count == 37 * 5 && places.max()! < 3 * 5 * 16)
    #expect(WeightStrips(columns: 0, steps: 5, width: 16).count == 0)
  }

  @Test func panelsPastTheEndStartInTheLastStrip() {
    #expect(strips.start("n", mayOverrun: false) == "(n) / 16 * 80 + (n) % 16")
    #expect(strips.start("n", mayOverrun: true) == "mlc_min_i64((n) / 16, 2) * 80 + (n) % 16")
  }

  private func reader(_ vectors: Int, lanes: Int, alignment: Int, most: Int? = nil, mayOverrun: Bool = false)
    -> PanelReader
  {
    PanelReader(
      strips,
      vectors: vectors,
      lanes: lanes,
      alignment: alignment,
      most: most ?? vectors,
      mayOverrun: mayOverrun,
      name: "w"
    )
  }

  @Test func aPanelOfItsOwnIsReadByOnePointer() {
    let panel = PanelReader(vectors: 3, lanes: 8, name: "w")
    #expect((0..<3).map(panel.address) == ["w + 0", "w + 8", "w + 16"])
    #expect(panel.advance() == "w += 24;" && panel.advance(by: "step") == "w += step;")
    #expect(panel.prefetches(elementBytes: 4).count == 2)
    #expect(PanelReader(vectors: 2, lanes: 8, name: "b", unit: "VL").address(1) == "b + 1 * VL")
  }

  /// Panels of whole strips: what lies in the next strip is at a known distance, unless that strip may not be there.
  @Test func wholeStrips() {
    let two = reader(4, lanes: 8, alignment: 32)
    #expect((0..<4).map(two.address) == ["w + 0", "w + 8", "w + 80", "w + 88"])
    #expect(two.arguments == "w" && two.advance() == "w += 16;")
    let last = reader(4, lanes: 8, alignment: 32, mayOverrun: true)
    #expect((0..<4).map(last.address) == ["w0 + 0", "w0 + 8", "w1 + 0", "w1 + 8"])
    #expect(last.arguments == "w0, w1" && last.advance() == "w0 += 16; w1 += 16;")
    let pointers = last.declarations("float", strips, base: "b", first: "c", mayOverrun: true)
    #expect(
      pointers.lines == [
        "const float *w0 = b + mlc_min_i64((c) / 16, 2) * 80 + (c) % 16;",
        "const float *w1 = b + mlc_min_i64((c + 16) / 16, 2) * 80 + (c + 16) % 16;",
      ]
    )
  }

  /// Panels that begin anywhere in a strip have a pointer for each part that surely lies in one.
  @Test func partsOfStrips() {
    let half = reader(2, lanes: 4, alignment: 8)
    #expect(half.arguments == "w" && (0..<2).map(half.address) == ["w + 0", "w + 4"])
    let three = reader(3, lanes: 8, alignment: 24)
    #expect((0..<3).map(three.address) == ["w0 + 0", "w1 + 0", "w2 + 0"])
    let narrower = reader(1, lanes: 8, alignment: 24, most: 3)
    #expect(narrower.arguments == "w0" && narrower.advance() == "w0 += 16;")
    // Half a line each, so as many lines as pointers.
    #expect(three.prefetches(elementBytes: 4).count == 3 && half.prefetches(elementBytes: 4).count == 1)
  }
}

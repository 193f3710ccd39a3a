import MLCTargetC
import Testing

/// Templates of C, and what is inserted into them.
@Suite struct CCodeTests {
  private let pair: CCode = """
    a;
    b;
    """

  @Test func insertedCodeTakesTheIndentationOfItsLine() {
    let code: CCode = """
      f() {
        \(pair)
      }
      """
    #expect(code.text == "f() {\n  a;\n  b;\n}\n")
  }

  @Test func codeInsertedTwiceIsIndentedByBothLines() {
    let inner: CCode = """
      if (x) {
        \(pair)
      }
      """
    #expect(CCode.block(inner).text == "{\n  if (x) {\n    a;\n    b;\n  }\n}\n")
  }

  @Test func aLineOfNothingIsLeftOut() {
    let code: CCode = """
      a;
      \(CCode())
        \("")\(CCode())
      b;
      """
    #expect(code == pair)
  }

  @Test func whatStandsBesideNothingStays() {
    #expect(("x\("")y" as CCode).text == "xy\n")
    let code: CCode = """
      a;

      b;
      """
    #expect(code.lines == ["a;", "", "b;"])
  }

  @Test func textsOfSeveralLinesAreCode() {
    let code: CCode = """
        \("a;\nb;")
      """
    #expect(code.text == "  a;\n  b;\n")
  }

  @Test func codeGoesOnInTheLineThatItIsInsertedInto() {
    #expect(("  if (x) \(pair) // \(1)" as CCode).lines == ["  if (x) a;", "  b; // 1"])
  }

  @Test func emptyLinesAreNotIndented() {
    #expect(CCode.block(CCode(lines: ["a;", "", "b;"])).lines == ["{", "  a;", "", "  b;", "}"])
  }

  @Test func loopsNest() {
    let code = CCode.loops([("i", "N"), ("j", "4")], "a;")
    #expect(
      code.lines == [
        "for (int64_t i = 0; i < N; i++) {", "  for (int64_t j = 0; j < 4; j++) {", "    a;", "  }", "}",
      ]
    )
    #expect(CCode.loops([], "a;") == "a;")
  }

  @Test func partsFollowEachOther() {
    #expect(pair == ["a;", "b;"])
    #expect([pair, [], "c;"].joined().lines == ["a;", "b;", "c;"])
    #expect(CCode("").isEmpty && CCode("").text.isEmpty)
  }
}

import MLCCore
import Testing

@Suite struct DimParsingTests {
  @Test func readsWhatItPrints() throws {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<3000 {
      let dim = Self.random(depth: 3, &random)
      guard dim.description.utf8.count <= 1 << 16, dim.terms.count <= 256 else { continue }
      #expect(try Dim(parsing: dim.description) == dim, "\(dim)")
    }
  }

  @Test func readsExpressions() throws {
    let w: Dim = "w"
    let h: Dim = "h"
    #expect(try Dim(parsing: "2*w + 1") == w * 2 + 1)
    #expect(try Dim(parsing: "-w*3-2") == -(w * 3) - 2)
    #expect(try Dim(parsing: "(h + 1) // 2") == (h + 1).floorDiv(2))
    #expect(try Dim(parsing: "max(w, min(h, 7))") == Dim.max(w, Dim.min(h, 7)))
    #expect(try Dim(parsing: "`odd name`") == Dim.symbol("odd name"))
    #expect(try Dim(parsing: "0") == 0)
  }

  @Test func refusesOtherText() {
    let malformed = [
      "", " ", "1 +", "w w", "(w", "floor(1)", "floor(1, 2", "max(,)", "`w", "``", "2w", "w/2", "*3", "é", "w,", "`\\`",
      "`\\q`", "`\\u{}`",
    ]
    for text in malformed {
      #expect(throws: Diagnostic.self, "\(text)") { try Dim(parsing: text) }
    }
    let large = [
      String(repeating: "(", count: 500) + "1" + String(repeating: ")", count: 500),
      (0..<12).map { "(a\($0)+b\($0))" }.joined(separator: "*"),
      "99999999999999999999",
      String(repeating: "1+", count: 40_000) + "1",
      // Texts that a reader would have to work on for long.
      Array(repeating: "a", count: 17).joined(separator: "*"),
      (0..<200).map { "a\($0)" }.joined(separator: "+"),
    ]
    for text in large {
      #expect { try Dim(parsing: text) } throws: { ($0 as? Diagnostic)?.id == "dim.too-large" }
    }
  }

  private static func random(depth: Int, _ random: inout SystemRandomNumberGenerator) -> Dim {
    if depth == 0 || Int.random(in: 0..<4, using: &random) == 0 {
      let names = ["w", "batch", "h.1", "odd name", "floor", "a`]\n\\u{60}", "\u{202e}\r"]
      return Bool.random(using: &random)
        ? Dim(Int.random(in: -9...9, using: &random)) : .symbol(names.randomElement(using: &random)!)
    }
    let a = Self.random(depth: depth - 1, &random)
    let b = Self.random(depth: depth - 1, &random)
    switch Int.random(in: 0..<6, using: &random) {
    case 0: return a + b
    case 1: return a - b
    case 2: return a * b
    case 3: return a.floorDiv(b)
    case 4: return .max(a, b)
    default: return .min(a, b)
    }
  }
}

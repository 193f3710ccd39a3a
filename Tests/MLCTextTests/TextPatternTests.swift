import MLCCore
import MLCText
import Testing

@Suite struct TextPatternTests {
  private struct Row: Decodable { var pattern: String, matches: [String]?, others: [String]? }

  /// RE2 on random patterns and texts; what it refuses has no matches.
  @Test func matchesAsRE2() throws {
    let rows: [Row] = try fixture("patterns")
    #expect(rows.count == 900)
    var (wrong, matches, refused): ([String], Int, Int) = ([], 0, 0)
    for row in rows {
      guard let pattern = try? TextPattern(row.pattern) else {
        if row.matches != nil { wrong.append("\(row.pattern) is refused") }
        refused += 1
        continue
      }
      guard let texts = row.matches, let others = row.others else {
        wrong.append("\(row.pattern) is taken")
        continue
      }
      matches += texts.count
      wrong += texts.filter { !pattern.matches($0) }.map { "\(row.pattern) does not match \($0.debugDescription)" }
      wrong += others.filter { pattern.matches($0) }.map { "\(row.pattern) matches \($0.debugDescription)" }
    }
    #expect(wrong.isEmpty, "\(wrong.count): \(wrong.prefix(20).joined(separator: "\n"))")
    #expect(matches > 300 && refused > 20)
  }

  @Test func wholeTextsMatch() throws {
    let address = try TextPattern(#"(\W|^)[\w.\-]{0,25}@(yahoo|gmail)\.com(\W|$)"#)
    #expect(address.matches("account@gmail.com"))
    #expect(!address.matches("account@hotmail.com"))
    #expect(!address.matches("account@gmail.com, account@gmail.com"))
    let site = try TextPattern(#"www\.[\w.-]+\.\bcom\b"#)
    #expect(site.matches("www.google.com"))
    #expect(!site.matches("www.bbc.co.uk"))
    #expect(try TextPattern("").matches(""))
    #expect(try !TextPattern("a").matches("a\n"))
  }

  /// Letters are what they are written with.
  @Test func scalarsMatch() throws {
    #expect(try TextPattern("\u{e9}").matches("\u{e9}"))
    #expect(try !TextPattern("\u{e9}").matches("\u{65}\u{301}"))
    #expect(try TextPattern("..").matches("\u{65}\u{301}"))
    #expect(try TextPattern("\r?\n").matches("\r\n"))
    #expect(try TextPattern("\u{e9}") != TextPattern("\u{65}\u{301}"))
    #expect(try Set([TextPattern("a"), TextPattern("a")]).count == 1)
  }

  @Test(arguments: [
    "(", ")", "[a", "a**", "*", "(?z)", "(?-)", "(?P<>a)", #"\"#, #"\8"#, #"\1"#, "[z-a]", "a{2,1}", "a{1001}",
    #"\p{Greek}"#, #"\C"#, #"\x{110000}"#, #"\x{d800}"#, "[[:nope:]]", "(?=a)", #"\é"#, "x{2}{3}", #"\pé"#, #"\x{}"#,
    String(repeating: "(", count: 251) + String(repeating: ")", count: 251),
  ])
  func malformed(_ source: String) {
    #expect(diagnosticID { () throws(Diagnostic) in _ = try TextPattern(source) } == "text.pattern")
  }

  @Test func sizeIsBounded() {
    for source in ["((a{1000}){1000}){1000}", "(?:[ab]{500}){500}", String(repeating: "a", count: 1 << 17)] {
      #expect(diagnosticID { () throws(Diagnostic) in _ = try TextPattern(source) } == "text.pattern-size")
    }
    // Nothing, any number of times, takes no step.
    #expect((try? TextPattern("(((){1000}){1000}){1000}"))?.matches("") == true)
    #expect((try? TextPattern("(((a*)*)*)*b"))?.matches(String(repeating: "a", count: 100_000)) == false)
  }

  /// What no matcher that goes back ever ends on.
  @Test func timeIsLinear() throws {
    let text = String(repeating: "a", count: 20_000)
    #expect(try TextPattern("(a|a|aa)*(a*)*b?").matches(text))
    #expect(try !TextPattern("(?:a?){100}a{100}").matches(text))
    let nested = String(repeating: "(", count: 200) + "a" + String(repeating: ")*", count: 200)
    #expect(try TextPattern(nested).matches(text))
  }
}

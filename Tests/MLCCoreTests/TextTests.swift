import MLCCore
import Testing

/// The gates between languages, over random text and over every character.
@Suite struct TextTests {
  /// Text with many of the characters that mean something to some language.
  private static func random(_ generator: inout SystemRandomNumberGenerator) -> String {
    let marked =
      "\"\\'`?/*\n\r\t\0\u{1b}\u{7f}\u{85}\u{2028}\u{202e}\u{feff}<>&;(){}[]$#%07uxé\u{301}日\u{1f600}\u{10ffff}"
    let choices = Array(marked.unicodeScalars)
    var text = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0..<40, using: &generator) {
      let any = Unicode.Scalar(UInt32.random(in: 0...0x10ffff, using: &generator))
      text.append(Bool.random(using: &generator) ? choices.randomElement(using: &generator)! : any ?? "a")
    }
    return String(text)
  }

  @Test func everyLiteralReadsBack() throws {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<3000 {
      let text = Self.random(&generator)
      let quoted = SwiftText.literal(text)
      #expect(quoted.unicodeScalars.allSatisfy { $0.isPrintable })
      #expect(
        String(unescaping: Array(quoted.utf8.dropFirst().dropLast())[...]).map { Array($0.utf8) } == Array(text.utf8)
      )
      let json = JSON.quoted(text)
      #expect(json.unicodeScalars.allSatisfy { $0.isPrintable })
      guard case .string(let read) = try JSON(parsing: json) else { throw Diagnostic("test.kind", json) }
      #expect(Array(read.utf8) == Array(text.utf8))
      if !text.isEmpty { #expect(try Dim(parsing: "\(Dim.symbol(text) * 2 + 1)") == Dim.symbol(text) * 2 + 1) }
    }
  }

  /// Decoded by the rules of C: an octal escape has three digits here, so that nothing joins it.
  @Test(arguments: [false, true])
  func literalsOfCHoldTheBytes(_ keepsZeros: Bool) {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<3000 {
      let text = Self.random(&generator)
      let literal = Array((keepsZeros ? CText.bytes(text) : CText.literal(text)).utf8)
      #expect(literal.first == UInt8(ascii: "\"") && literal.last == UInt8(ascii: "\""))
      var (rest, bytes) = (literal.dropFirst().dropLast(), [UInt8]())
      while let byte = rest.popFirst() {
        #expect((0x20..<0x7f).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "?"))
        if byte == UInt8(ascii: "\\") {
          bytes.append(UInt8(String(decoding: rest.prefix(3), as: UTF8.self), radix: 8) ?? 0)
          rest = rest.dropFirst(3)
        } else {
          bytes.append(byte)
        }
      }
      let read = keepsZeros ? text : text.replacing("\0", with: "\\u{0}")
      #expect(bytes == Array(read.utf8), "\(text.debugDescription)")
    }
  }

  @Test func whatPeopleReadIsPrintable() {
    for value in UInt32(0)...0x10ffff {
      guard let scalar = Unicode.Scalar(value) else { continue }
      if value < 0x20 || (0x7f...0x9f).contains(value) || (0x2028...0x202e).contains(value) || value > 0xe0000 {
        #expect(!scalar.isPrintable, "\(value)")
      }
    }
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<2000 {
      let text = Self.random(&generator)
      #expect(text.printable.unicodeScalars.allSatisfy { $0.isPrintable })
      #expect(text.printableLines.unicodeScalars.allSatisfy { $0.isPrintable || $0 == "\n" || $0 == "\t" })
      #expect(text.shown().shown() == text.shown())
      #expect(SwiftText.comment(text).unicodeScalars.allSatisfy { $0.isPrintable })
      #expect(!text.markup.utf8.contains { "<>\"'".utf8.contains($0) })
      let entities = text.markup.matches(of: /&(amp|lt|gt|quot|#39);/.matchingSemantics(.unicodeScalar)).count
      #expect(entities == text.markup.utf8.count { $0 == UInt8(ascii: "&") })
    }
    #expect("a b é 日 😀".printable == "a b é 日 😀" && "a\n\u{1b}\u{202e}".printable == #"a\n\u{1b}\u{202e}"#)
  }

  @Test func longTextLosesItsMiddle() {
    let long = String(repeating: "\u{1b}", count: 1 << 20)
    #expect(long.shown().unicodeScalars.count <= 1000 && long.shown().contains("characters left out"))
    #expect(long.shown().shown() == long.shown())
    #expect(String(repeating: "é", count: 1000).shown() == String(repeating: "é", count: 1000))
    #expect(String(repeating: "a", count: 1001).shown(1000).hasSuffix("a"))
  }

  @Test func diagnosticsAreLines() {
    let name = "n\r\n\u{1b}[2J\u{202e}"
    let location = Location(file: name, function: name, node: name, op: name, pass: name)
    let problem = Diagnostic("a.b", "about '\(name)'", at: location, notes: [name, name])
    #expect(problem.description.split(separator: "\n", omittingEmptySubsequences: false).count == 3)
    #expect(problem.description.unicodeScalars.allSatisfy { $0.isPrintable || $0 == "\n" })
  }

  @Test func symbolsAreIdentifiers() {
    #expect(CText.isSymbol("mlc_fp32_conv_relu__avx2_6x16") && CText.isSymbol("_1"))
    for name in ["", "1a", "a-b", "é", "a b", "a\n", String(repeating: "a", count: 501)] {
      #expect(!CText.isSymbol(name), "\(name)")
    }
  }

  @Test func otherEscapesAreRefused() {
    for text in [
      "\\", "\\x", "\\u", "\\u{", "\\u{}", "\\u{d800}", "\\u{110000}", "\\u{+41}", "\\u{00000000041}", "\\u{4 1}",
    ] {
      #expect(String(unescaping: Array(text.utf8)[...]) == nil, "\(text)")
    }
    #expect(String(unescaping: Array("\\u{41}\\\"\\0".utf8)[...]) == "A\"\0")
  }
}

import MLCCore
import MLCText
import Testing

@Suite struct NumberTextTests {
  private struct Row: Decodable { var type: String, number: Double, scientific: String }

  /// numpy's shortest digits.
  @Test func digitsAreTheFewest() throws {
    let rows: [Row] = try fixture("numbers")
    #expect(rows.count > 200)
    let types: [String: DType] = ["float64": .float64, "float32": .float32, "float16": .float16]
    for row in rows {
      let spelled = NumberText.text(row.number, as: try #require(types[row.type]))
      #expect(digits(spelled) == digits(row.scientific), "\(row): \(spelled)")
      #expect(try #require(Double(spelled)).sign == row.number.sign)
    }
  }

  /// The significant digits of a spelling.
  private func digits(_ text: String) -> String {
    let mantissa = text.prefix { $0 != "e" }.filter { $0.isNumber }.drop { $0 == "0" }
    return String(mantissa.reversed().drop { $0 == "0" }.reversed())
  }

  @Test func spellings() {
    let spelled: [(Double, String)] = [
      (0, "0"), (-0.0, "-0"), (1, "1"), (-2.5, "-2.5"), (16_777_216, "16777216"), (1e15, "1000000000000000"),
      (1e16, "1e+16"), (2.5e16, "2.5e+16"), (1e-4, "0.0001"), (1e-5, "1e-05"), (1.25e-7, "1.25e-07"), (1e300, "1e+300"),
      (.nan, "NaN"), (.infinity, "INF"), (-.infinity, "-INF"), (314.15926, "314.15926"), (1234.5, "1234.5"),
    ]
    for (value, text) in spelled { #expect(NumberText.text(value, as: .float64) == text) }
    #expect(NumberText.text(Double(Float(0.1)), as: .float32) == "0.1")
    #expect(NumberText.text(65504, as: .float16) == "65500")
    #expect(NumberText.text(0.0999755859375, as: .float16) == "0.1")
    #expect(NumberText.text(448, as: .float8e4m3fn) == "450")
    #expect(NumberText.text(UInt64.max) == "18446744073709551615")
    #expect(NumberText.text(Int.min) == "-9223372036854775808")
  }

  @Test func everyHalfReadsBack() {
    for dtype in [DType.float16, .bfloat16] {
      let bits = (UInt16(0)...0xffff).filter { $0 % 7 == 0 }
      let all = Tensor(dtype, [bits.count]) { (out: UnsafeMutableBufferPointer<UInt16>) in
        _ = out.initialize(from: bits)
      }
      let wrong = all.doubles.filter { value in
        let spelled = NumberText.text(value, as: dtype)
        guard case .float(let read)? = NumberText.number(spelled, as: dtype) else { return true }
        let back = Tensor(dtype, [1], [read]).doubles[0]
        return !(back == value && back.sign == value.sign || back.isNaN && value.isNaN)
      }
      #expect(wrong.isEmpty, "\(dtype): \(wrong.prefix(9))")
    }
  }

  @Test func floatsAreRead() {
    let read: [(String, Double)] = [
      ("1", 1), (" 2.5\t", 2.5), ("\n-.5", -0.5), ("5.", 5), ("1e5", 1e5), ("1E-3", 1e-3), ("+7", 7),
      ("INF", .infinity), ("+inf", .infinity), ("-Infinity", -.infinity), ("1e400", .infinity), ("1e-400", 0),
    ]
    for (text, value) in read { #expect(NumberText.number(text, as: .float64) == .float(value), "\(text)") }
    #expect(NumberText.number("0.1", as: .float32) == .float(Double(Float(0.1))))
    for text in ["NaN", "nan", "+NAN", "-nan"] {
      guard case .float(let value)? = NumberText.number(text, as: .float32), value.isNaN else {
        Issue.record("\(text) is not read")
        continue
      }
    }
    let others = [
      "", " ", "abc", "1abc", "1_000", "0x10", "1e", "e5", ".", "--1", "- 1", "1,5", "١", "nan(1)", "\u{a0}1",
    ]
    for text in others {
      #expect(NumberText.number(text, as: .float64) == nil, "\(text)")
    }
  }

  @Test func integersAreRead() {
    #expect(NumberText.number(" -12 ", as: .int64) == .signed(-12))
    #expect(NumberText.number("100.5", as: .int32) == .signed(100))
    #expect(NumberText.number("-1.9e1", as: .int8) == .signed(-19))
    #expect(NumberText.number("9223372036854775807", as: .int64) == .signed(.max))
    #expect(NumberText.number("18446744073709551615", as: .uint64) == .unsigned(.max))
    #expect(NumberText.number("-0", as: .uint8) == .unsigned(0))
    #expect(NumberText.number("7", as: .int4) == .signed(7))
    let beyond: [(String, DType)] = [
      ("128", .int8), ("-129", .int8), ("-1", .uint8), ("256", .uint8), ("8", .int4), ("NaN", .int32), ("INF", .int64),
      ("9223372036854775808", .int64), ("18446744073709551616", .uint64), ("2147483648", .int32), ("x", .uint16),
    ]
    for (text, dtype) in beyond {
      #expect(NumberText.number(text, as: dtype) == nil, "\(text) as \(dtype)")
    }
  }

  @Test func truthsAreRead() {
    for (text, value) in [("0", UInt64(0)), ("1", 1), ("-0.0", 0), ("0.5", 1), ("NaN", 1), ("-INF", 1)] {
      #expect(NumberText.number(text, as: .bool) == .unsigned(value), "\(text)")
    }
    #expect(NumberText.number("true", as: .bool) == nil)
    #expect(NumberText.number("1", as: .string) == nil)
  }
}

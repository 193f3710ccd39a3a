import MLCCore

extension NumberText {
  /// What a text says, in the widest type of its kind.
  package enum Number: Hashable, Sendable {
    /// For float types: rounded to float32 where the type is, else to float64.
    case float(Double)
    /// For signed integers.
    case signed(Int64)
    /// For unsigned integers, and truth values: 0 or 1.
    case unsigned(UInt64)
  }

  /// The number of type `dtype` that `text` spells, white space of ASCII around it or not; `nil` where it spells none.
  ///
  /// Spelled are decimals, plain (`3.14`, `-.5`, `+7`) and scientific (`1e-5`, `1E8`), and in either case `INF`,
  /// `INFINITY` and `NAN`, which may have a sign. Floats beyond the range are infinite. Integers take the whole part of
  /// what has a fraction, and nothing that is beyond their range. A truth value is whether the number is not 0.
  package static func number(_ text: String, as dtype: DType) -> Number? {
    let trimmed = trimmed(text)
    guard isNumber(trimmed) else { return nil }
    let word = String(decoding: trimmed, as: UTF8.self)
    switch dtype {
    case .bool: return Double(word).map { .unsigned($0 == 0 ? 0 : 1) }
    case .float32: return Float(word).map { .float(Double($0)) }
    case _ where dtype.isFloat: return Double(word).map { .float($0) }
    case _ where dtype.isInteger: return integer(word, dtype)
    default: return nil
    }
  }

  private static func integer(_ word: String, _ dtype: DType) -> Number? {
    if dtype.isSigned {
      let limit = Int64.max >> (64 - dtype.bitWidth)
      let value = Int64(word) ?? Double(word).flatMap { Int64(exactly: $0.rounded(.towardZero)) }
      return value.flatMap { (-limit - 1...limit).contains($0) ? .signed($0) : nil }
    }
    let limit = UInt64.max >> (64 - dtype.bitWidth)
    let value = UInt64(word) ?? Double(word).flatMap { UInt64(exactly: $0.rounded(.towardZero)) }
    return value.flatMap { $0 <= limit ? .unsigned($0) : nil }
  }

  private static func trimmed(_ text: String) -> ArraySlice<UInt8> {
    func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0d).contains(byte) }
    var bytes = Array(text.utf8)[...]
    while let first = bytes.first, isSpace(first) { bytes.removeFirst() }
    while let last = bytes.last, isSpace(last) { bytes.removeLast() }
    return bytes
  }

  private static func isNumber(_ bytes: ArraySlice<UInt8>) -> Bool {
    var rest = bytes
    func taking(_ marks: String, _ rest: inout ArraySlice<UInt8>) -> Bool {
      guard let first = rest.first, marks.utf8.contains(first) else { return false }
      rest.removeFirst()
      return true
    }
    func digits(_ rest: inout ArraySlice<UInt8>) -> Int {
      let count = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.count
      rest.removeFirst(count)
      return count
    }
    _ = taking("+-", &rest)
    if ["inf", "infinity", "nan"].contains(where: { $0.utf8.elementsEqual(rest.map { $0 | 0x20 }) }) { return true }
    var count = digits(&rest)
    if taking(".", &rest) { count += digits(&rest) }
    guard count > 0 else { return false }
    if taking("eE", &rest) {
      _ = taking("+-", &rest)
      if digits(&rest) == 0 { return false }
    }
    return rest.isEmpty
  }
}

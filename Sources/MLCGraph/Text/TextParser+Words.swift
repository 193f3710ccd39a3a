import MLCCore

// Words, lists and types.

extension TextParser {
  mutating func accept(_ mark: Unicode.Scalar) throws(Diagnostic) -> Bool {
    guard try lexer.peek() == .mark(UInt8(ascii: mark)) else { return false }
    _ = try lexer.next()
    return true
  }
  mutating func accept(word: String) throws(Diagnostic) -> Bool {
    guard try lexer.peek() == .word(word) else { return false }
    _ = try lexer.next()
    return true
  }
  mutating func expect(_ mark: Unicode.Scalar) throws(Diagnostic) {
    guard try accept(mark) else { throw lexer.problem("'\(mark)' is missing") }
  }
  mutating func expect(word: String) throws(Diagnostic) {
    guard try accept(word: word) else { throw lexer.problem("'\(word)' is missing") }
  }

  mutating func word() throws(Diagnostic) -> String {
    guard case .word(let word) = try lexer.next() else { throw lexer.problem("a word is missing") }
    return word
  }
  mutating func string() throws(Diagnostic) -> String {
    guard case .string(let string) = try lexer.next() else { throw lexer.problem("a string is missing") }
    return string
  }
  mutating func valueName() throws(Diagnostic) -> String {
    guard case .name(UInt8(ascii: "%"), let name) = try lexer.next() else { throw lexer.problem("a value is missing") }
    return name
  }
  mutating func integer() throws(Diagnostic) -> Int {
    guard let number = Int(try word()) else { throw lexer.problem("an integer is missing") }
    return number
  }

  /// `(item, …)`
  mutating func list(_ item: (inout TextParser) throws(Diagnostic) -> Void) throws(Diagnostic) {
    try expect("(")
    if try accept(")") { return }
    repeat { try item(&self) } while try accept(",")
    try expect(")")
  }

  mutating func dtype() throws(Diagnostic) -> DType {
    let spelled = try word()
    guard let dtype = DType(rawValue: spelled) else {
      throw lexer.problem("there is no element type '\(spelled)'", "text.dtype")
    }
    return dtype
  }

  mutating func type() throws(Diagnostic) -> TensorType { TensorType(try dtype(), try dims()) }

  mutating func dims() throws(Diagnostic) -> [Dim] {
    let parts = try lexer.bracketed()
    guard parts.count <= 64 else { throw lexer.problem("a rank of \(parts.count) is beyond 64") }
    var dims: [Dim] = []
    for part in parts {
      do throws(Diagnostic) { dims.append(try Dim(parsing: part)) } catch {
        throw lexer.problem(error.message, error.id)
      }
    }
    return dims
  }
}

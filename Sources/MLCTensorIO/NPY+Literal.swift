import MLCCore

extension NPY {
  /// The header's dictionary: three keys in any order, Python's spelling of strings, booleans and tuples of integers.
  struct Literal {
    private let bytes: UnsafeRawBufferPointer
    private var position = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// Throws `npy.header` on anything but the three keys, each once; `npy.dtype` for a record type; `npy.shape`.
    mutating func header() throws(Diagnostic) -> (descr: String, isColumnMajor: Bool, shape: [Int]) {
      var descr: String?
      var isColumnMajor: Bool?
      var shape: [Int]?
      try expect("{")
      while !take("}") {
        let key = try string()
        try expect(":")
        switch key {
        case "descr" where descr == nil: descr = try element()
        case "fortran_order" where isColumnMajor == nil: isColumnMajor = try boolean()
        case "shape" where shape == nil: shape = try tuple()
        default: throw malformed("unexpected key '\(key)'")
        }
        if !take(",") {
          try expect("}")
          break
        }
      }
      skipSpace()
      guard position == bytes.count, let descr, let isColumnMajor, let shape else {
        throw malformed("one of descr, fortran_order and shape is missing, or text follows them")
      }
      return (descr, isColumnMajor, shape)
    }

    private mutating func element() throws(Diagnostic) -> String {
      skipSpace()
      if position < bytes.count, bytes[position] == UInt8(ascii: "[") {
        throw Diagnostic("npy.dtype", "the array holds records; mlc reads plain numbers", kind: .unsupported)
      }
      return try string()
    }

    private mutating func string() throws(Diagnostic) -> String {
      skipSpace()
      guard position < bytes.count, bytes[position] == UInt8(ascii: "'") || bytes[position] == UInt8(ascii: "\"")
      else { throw malformed("a string is missing") }
      let quote = bytes[position]
      let start = position + 1
      guard let end = bytes[start...].firstIndex(of: quote), end - start <= 64 else {
        throw malformed("a string does not end")
      }
      position = end + 1
      return String(decoding: bytes[start..<end], as: UTF8.self)
    }

    private mutating func boolean() throws(Diagnostic) -> Bool {
      if take("True") { return true }
      if take("False") { return false }
      throw malformed("fortran_order is neither True nor False")
    }

    private mutating func tuple() throws(Diagnostic) -> [Int] {
      var values: [Int] = []
      try expect("(")
      while !take(")") {
        values.append(try integer())
        guard values.count <= Header.maximumRank else {
          throw Diagnostic("npy.shape", "more than \(Header.maximumRank) axes")
        }
        if !take(",") {
          try expect(")")
          break
        }
      }
      return values
    }

    /// Digits; Python 2 wrote an `L` after them.
    private mutating func integer() throws(Diagnostic) -> Int {
      skipSpace()
      let digits = bytes[position...].prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      guard !digits.isEmpty else { throw malformed("an extent is not a number") }
      position = digits.endIndex
      guard let value = Int(String(decoding: digits, as: UTF8.self)) else {
        throw Diagnostic("npy.shape", "an extent is too large")
      }
      _ = take("L")
      return value
    }

    private mutating func skipSpace() {
      while position < bytes.count, [0x20, 0x09, 0x0a, 0x0d].contains(bytes[position]) { position += 1 }
    }

    private mutating func take(_ token: StaticString) -> Bool {
      skipSpace()
      let expected = UnsafeRawBufferPointer(start: token.utf8Start, count: token.utf8CodeUnitCount)
      guard bytes[position...].starts(with: expected) else { return false }
      position += expected.count
      return true
    }

    private mutating func expect(_ token: StaticString) throws(Diagnostic) {
      if !take(token) { throw malformed("'\(token)' is missing") }
    }

    private func malformed(_ reason: String) -> Diagnostic {
      Diagnostic("npy.header", "malformed header at byte \(position): \(reason)")
    }
  }
}

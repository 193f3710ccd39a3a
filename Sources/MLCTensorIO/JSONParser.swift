import MLCCore

/// A parser of the part of JSON that tensors use. Recursion is as deep as arrays nest, at most 64.
struct JSONParser {
  private let bytes: UnsafeRawBufferPointer
  private var position = 0

  static let maximumRank = 64

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  mutating func document() throws(Diagnostic) -> [(name: String?, tensor: Tensor)] {
    var tensors: [(name: String?, tensor: Tensor)] = []
    if take("{") {
      while !take("}") {
        if !tensors.isEmpty { try expect(",") }
        let name = try string()
        if tensors.contains(where: { $0.name == name }) { throw syntax("'\(name)' is given twice") }
        try expect(":")
        tensors.append((name, try tensor()))
      }
    } else {
      tensors.append((nil, try tensor()))
    }
    skipSpace()
    guard position == bytes.count else { throw syntax("text follows the value") }
    return tensors
  }

  private mutating func tensor() throws(Diagnostic) -> Tensor {
    var elements = JSONElements()
    try value(0, &elements)
    return try elements.tensor()
  }

  private mutating func value(_ depth: Int, _ elements: inout JSONElements) throws(Diagnostic) {
    guard take("[") else {
      try elements.leaf(at: depth)
      return try scalar(&elements)
    }
    guard depth < JSONParser.maximumRank else {
      throw Diagnostic("json.shape", "arrays nest deeper than \(JSONParser.maximumRank)")
    }
    var count = 0
    while !take("]") {
      if count > 0 { try expect(",") }
      try value(depth + 1, &elements)
      count += 1
    }
    try elements.close(axis: depth, count)
  }

  private mutating func scalar(_ elements: inout JSONElements) throws(Diagnostic) {
    if take("true") { return try elements.append(true) }
    if take("false") { return try elements.append(false) }
    if take("NaN") { return try elements.append(.nan, nil) }
    if take("Infinity") { return try elements.append(.infinity, nil) }
    if take("-Infinity") { return try elements.append(-.infinity, nil) }
    let token = bytes[position...].prefix { byte in
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "+-.eE".utf8.contains(byte)
    }
    guard let first = token.first else {
      throw Diagnostic("json.element", "byte \(position): neither a number nor a boolean nor an array")
    }
    let text = String(decoding: token, as: UTF8.self)
    let leadsWell = first != UInt8(ascii: "+") && first != UInt8(ascii: ".") && text.last != "."
    guard leadsWell, token.count <= 512, let number = Double(text) else {
      throw syntax("'\(text.prefix(40))' is no number")
    }
    position = token.endIndex
    try elements.append(number, Int(text))
  }

  /// A quoted name. `\u` escapes outside the Basic Multilingual Plane come as pairs of surrogates.
  private mutating func string() throws(Diagnostic) -> String {
    try expect("\"")
    var units: [UInt8] = []
    while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
      if bytes[position] != UInt8(ascii: "\\") {
        units.append(bytes[position])
        position += 1
        continue
      }
      position += 1
      units += try escape()
    }
    guard position < bytes.count else { throw syntax("a name does not end") }
    position += 1
    return String(decoding: units, as: UTF8.self)
  }

  private mutating func escape() throws(Diagnostic) -> [UInt8] {
    guard position < bytes.count else { throw syntax("a name does not end") }
    let letter = bytes[position]
    position += 1
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [letter]
    case UInt8(ascii: "b"): return [8]
    case UInt8(ascii: "t"): return [9]
    case UInt8(ascii: "n"): return [10]
    case UInt8(ascii: "f"): return [12]
    case UInt8(ascii: "r"): return [13]
    case UInt8(ascii: "u"):
      var units = [try hexUnit()]
      if UTF16.isLeadSurrogate(units[0]), bytes[position...].starts(with: "\\u".utf8) {
        position += 2
        units.append(try hexUnit())
      }
      return Array(String(decoding: units, as: UTF16.self).utf8)
    default: throw syntax("an unknown escape")
    }
  }

  private mutating func hexUnit() throws(Diagnostic) -> UInt16 {
    let digits = bytes[position...].prefix(4)
    guard digits.count == 4, digits.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }),
      let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw syntax("an unknown escape") }
    position += 4
    return unit
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
    if !take(token) { throw syntax("'\(token)' is missing") }
  }

  private func syntax(_ reason: String) -> Diagnostic {
    Diagnostic("json.syntax", "byte \(position): \(reason)")
  }
}

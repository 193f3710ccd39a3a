import MLCCore

/// A parser of the part of JSON that tensors use. Recursion is as deep as arrays nest, at most 64.
struct JSONTensorParser {
  private var scanner: JSONScanner

  static let maximumRank = 64

  init(_ bytes: UnsafeRawBufferPointer) { scanner = JSONScanner(bytes) }

  mutating func document() throws(Diagnostic) -> [(name: String?, tensor: Tensor)] {
    var tensors: [(name: String?, tensor: Tensor)] = []
    if scanner.take("{") {
      while !scanner.take("}") {
        if !tensors.isEmpty { try scanner.expect(",") }
        let name = try scanner.string()
        if tensors.contains(where: { $0.name == name }) { throw scanner.syntax("'\(name)' is given twice") }
        try scanner.expect(":")
        tensors.append((name, try tensor()))
      }
    } else {
      tensors.append((nil, try tensor()))
    }
    try scanner.expectEnd()
    return tensors
  }

  private mutating func tensor() throws(Diagnostic) -> Tensor {
    var elements = JSONElements()
    try value(0, &elements)
    return try elements.tensor()
  }

  private mutating func value(_ depth: Int, _ elements: inout JSONElements) throws(Diagnostic) {
    guard scanner.take("[") else {
      try elements.leaf(at: depth)
      return try scalar(&elements)
    }
    guard depth < JSONTensorParser.maximumRank else {
      throw Diagnostic("json.shape", "arrays nest deeper than \(JSONTensorParser.maximumRank)")
    }
    var count = 0
    while !scanner.take("]") {
      if count > 0 { try scanner.expect(",") }
      try value(depth + 1, &elements)
      count += 1
    }
    try elements.close(axis: depth, count)
  }

  private mutating func scalar(_ elements: inout JSONElements) throws(Diagnostic) {
    if scanner.take("true") { return try elements.append(true) }
    if scanner.take("false") { return try elements.append(false) }
    if scanner.take("NaN") { return try elements.append(.nan, nil) }
    if scanner.take("Infinity") { return try elements.append(.infinity, nil) }
    if scanner.take("-Infinity") { return try elements.append(-.infinity, nil) }
    if scanner.next == UInt8(ascii: "\"") { return try elements.append(try scanner.string()) }
    let token = scanner.bytes[scanner.position...].prefix { byte in
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "+-.eE".utf8.contains(byte)
    }
    guard let first = token.first else {
      throw Diagnostic(
        "json.element",
        "byte \(scanner.position): neither a number nor a boolean nor a text nor an array"
      )
    }
    let text = String(decoding: token, as: UTF8.self)
    let leadsWell = first != UInt8(ascii: "+") && first != UInt8(ascii: ".") && text.last != "."
    guard leadsWell, token.count <= 512, let number = Double(text) else {
      throw scanner.syntax("'\(text.prefix(40))' is no number")
    }
    scanner.position = token.endIndex
    try elements.append(number, Int(text))
  }
}

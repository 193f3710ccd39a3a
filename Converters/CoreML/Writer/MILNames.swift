/// Names that MIL takes: a letter or `_`, then letters, digits and `_`; each used once in a function.
struct MILNames {
  private var taken: [String: Int] = [:]

  /// `name` with every other character replaced, and a number when that is taken.
  mutating func unique(_ name: String) -> String {
    let base = Self.sanitized(name)
    guard var number = taken[base] else {
      taken[base] = 1
      return base
    }
    while taken["\(base)_\(number)"] != nil { number += 1 }
    taken[base] = number + 1
    taken["\(base)_\(number)"] = 1
    return "\(base)_\(number)"
  }

  static func sanitized(_ name: String) -> String {
    var result = String(
      String.UnicodeScalarView(name.unicodeScalars.map { isPart($0) ? $0 : "_" })
    )
    if let first = result.unicodeScalars.first, !("0"..."9").contains(first) { return result }
    result = "_" + result
    return result
  }

  private static func isPart(_ scalar: Unicode.Scalar) -> Bool {
    ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar) || scalar == "_"
  }
}

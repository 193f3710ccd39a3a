import MLCCore

/// Names of Swift's out of names that a model has.
package enum SwiftIdentifier {
  /// `name` with `_` for every character that no identifier may have, and before a leading digit.
  ///
  /// `images/x:0` gives `images_x_0`, `2d` gives `_2d`, the empty name `_0`. Letters of any script stay, invisible ones
  /// do not, and names end after 200 characters.
  package static func spelling(_ name: String) -> String {
    var result = ""
    for scalar in name.unicodeScalars.prefix(200) {
      let properties = scalar.properties
      if scalar == "_" || (properties.isXIDContinue && scalar.isPrintable) {
        if result.isEmpty && scalar != "_" && !properties.isXIDStart { result += "_" }
        result.unicodeScalars.append(scalar)
      } else {
        result += "_"
      }
    }
    // Underscores alone are patterns and no names.
    return result.allSatisfy { $0 == "_" } ? result + "_0" : result
  }

  /// Whether `name` is an identifier as it stands, and no word of the language.
  package static func isValid(_ name: String) -> Bool {
    spelling(name) == name && !keywords.contains(name) && !unquotable.contains(name)
  }

  /// `name` as it stands in a declaration: in back-quotes when it is a word of the language.
  package static func quoted(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }

  /// `name` as it labels an argument, where few words mean something else.
  package static func label(_ name: String) -> String {
    ["inout", "let", "var"].contains(name) ? "`\(name)`" : name
  }

  /// One property name for each of `names`, in order; none is in `taken`, none is there twice, and where `suffixes` are
  /// given the names with each suffix collide with none either.
  ///
  /// A name that collides, or that no back-quotes make a property's, gets `_` and a number at its end, counted from 2.
  package static func distinct(
    _ names: [String],
    taken: Set<String> = [],
    suffixes: [String] = []
  ) -> [String] {
    var used = taken.union(unquotable)
    return names.map { name in
      let base = spelling(name)
      var (candidate, number) = (base, 2)
      while ([""] + suffixes).contains(where: { used.contains(candidate + $0) }) {
        candidate = "\(base)_\(number)"
        number += 1
      }
      for suffix in [""] + suffixes { used.insert(candidate + suffix) }
      return candidate
    }
  }

  /// Names that mean something else even in back-quotes.
  private static let unquotable: Set<String> = ["self", "Self", "init", "Type", "Protocol", "_"]

  /// Words that need back-quotes where a declaration is expected.
  private static let keywords: Set<String> = [
    "Any", "as", "associatedtype", "await", "break", "case", "catch", "class", "continue", "default", "defer", "deinit",
    "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import",
    "in", "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private", "protocol", "public",
    "repeat", "rethrows", "return", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true",
    "try",
    "typealias", "var", "where", "while",
  ]
}

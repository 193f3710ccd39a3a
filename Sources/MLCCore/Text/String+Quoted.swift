extension String {
  /// The text in double quotes, a backslash before each quote and backslash in it; every other character that is not
  /// printable is spelled by `escape`.
  package func quoted(_ escape: (Unicode.Scalar) -> String = { $0.escaped }) -> String {
    var text = "\""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      default: if scalar.isPrintable { text.unicodeScalars.append(scalar) } else { text += escape(scalar) }
      }
    }
    return text + "\""
  }
}

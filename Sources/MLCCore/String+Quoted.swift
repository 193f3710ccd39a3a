extension String {
  /// The text in double quotes, a backslash before each quote and backslash in it; `escape` gives what stands for any other
  /// character that cannot stand for itself.
  package func quoted(_ escape: (Unicode.Scalar) -> String?) -> String {
    var text = "\""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      default: if let escaped = escape(scalar) { text += escaped } else { text.unicodeScalars.append(scalar) }
      }
    }
    return text + "\""
  }
}

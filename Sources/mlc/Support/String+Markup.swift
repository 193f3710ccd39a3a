extension String {
  /// As text or an attribute's value in HTML and XML; characters that XML forbids are left out.
  var escapedMarkup: String {
    unicodeScalars.reduce(into: "") { out, scalar in
      switch scalar {
      case "&": out += "&amp;"
      case "<": out += "&lt;"
      case ">": out += "&gt;"
      case "\"": out += "&quot;"
      case "\t", "\n": out.unicodeScalars.append(scalar)
      case _ where scalar.value < 0x20 || (0xfffe...0xffff).contains(scalar.value): break
      default: out.unicodeScalars.append(scalar)
      }
    }
  }
}

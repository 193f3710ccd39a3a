extension String {
  /// As text or an attribute's value in HTML and XML: `shown`, since XML has no form for most controls, and with
  /// entities for what is markup.
  package var markup: String {
    shown().unicodeScalars.reduce(into: "") { out, scalar in
      switch scalar {
      case "&": out += "&amp;"
      case "<": out += "&lt;"
      case ">": out += "&gt;"
      case "\"": out += "&quot;"
      case "'": out += "&#39;"
      default: out.unicodeScalars.append(scalar)
      }
    }
  }
}

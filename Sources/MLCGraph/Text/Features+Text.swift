import MLCCore

extension Features {
  /// ` features(input "image" image rgb, output "p" scores("cat", "dog"), label "class" probabilities "p")`; empty for
  /// none.
  var spelled: String {
    if isEmpty { return "" }
    var items = inputs.map { "input \($0.spelled)" } + outputs.map { "output \($0.spelled)" }
    if let classifier {
      let probabilities = classifier.probabilities.map { " probabilities \(TextSpelling.quoted($0))" } ?? ""
      items.append("label \(TextSpelling.quoted(classifier.label))\(probabilities)")
    }
    return " features(\(items.joined(separator: ", ")))"
  }
}

extension Feature {
  fileprivate var spelled: String {
    var text = "\(TextSpelling.quoted(name)) \(form.spelled)"
    if isOptional { text += " optional" }
    if let defaultValue { text += " default \(TextSpelling.number(defaultValue))" }
    if !summary.isEmpty { text += " summary \(TextSpelling.quoted(summary))" }
    return text
  }
}

extension Feature.Form {
  fileprivate var spelled: String {
    switch self {
    case .array: "array"
    case .number: "number"
    case .sequence: "sequence"
    case .image(let space): "image \(space.rawValue)"
    case .dictionary(let isText): "dictionary \(isText ? "texts" : "integers")"
    case .scores(.strings(let labels)): "scores(\(labels.map(TextSpelling.quoted).joined(separator: ", ")))"
    case .scores(.integers(let labels)): "scores(\(labels.map { "\($0)" }.joined(separator: ", ")))"
    }
  }
}

extension TextParser {
  /// What stands behind the word `features`.
  mutating func features() throws(Diagnostic) -> Features {
    var features = Features()
    try list { parser throws(Diagnostic) in
      switch try parser.word() {
      case "input": features.inputs.append(try parser.feature())
      case "output": features.outputs.append(try parser.feature())
      case "label":
        features.classifier = .init(label: try parser.string())
        if try parser.accept(word: "probabilities") { features.classifier?.probabilities = try parser.string() }
      case let word: throw parser.lexer.problem("a feature is an input, an output or a label, not '\(word)'")
      }
    }
    return features
  }

  private mutating func feature() throws(Diagnostic) -> Feature {
    var feature = Feature(try string(), try form())
    feature.isOptional = try accept(word: "optional")
    if try accept(word: "default") {
      guard let number = Double(try word()) else { throw lexer.problem("a number is missing") }
      feature.defaultValue = number
    }
    if try accept(word: "summary") { feature.summary = try string() }
    return feature
  }

  private mutating func form() throws(Diagnostic) -> Feature.Form {
    switch try word() {
    case "array": return .array
    case "number": return .number
    case "sequence": return .sequence
    case "image":
      guard let space = Feature.ColorSpace(rawValue: try word()) else {
        throw lexer.problem("an image is gray, gray16, rgb or bgr")
      }
      return .image(space)
    case "dictionary":
      let keys = try word()
      guard ["texts", "integers"].contains(keys) else { throw lexer.problem("keys are texts or integers") }
      return .dictionary(isText: keys == "texts")
    case "scores": return .scores(try labels())
    case let word: throw lexer.problem("no feature is called '\(word)'")
    }
  }

  private mutating func labels() throws(Diagnostic) -> ClassLabels {
    var strings: [String] = []
    var integers: [Int64] = []
    try list { parser throws(Diagnostic) in
      if case .string = try parser.lexer.peek() {
        strings.append(try parser.string())
      } else {
        integers.append(Int64(try parser.integer()))
      }
    }
    guard strings.isEmpty || integers.isEmpty else { throw lexer.problem("labels are all texts or all integers") }
    return integers.isEmpty ? .strings(strings) : .integers(integers)
  }
}

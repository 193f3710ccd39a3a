import MLCCore

/// An argument of the form `NAME=VALUE`.
struct NamedArgument {
  let name: String, value: String

  /// The name ends at the first `=`. Throws a problem of `id` where there is none or no name before it; `form` is what
  /// the option takes.
  init(_ text: String, of option: String, _ form: String, _ id: Diagnostic.ID) throws(Diagnostic) {
    guard let equals = text.firstIndex(of: "="), equals != text.startIndex else {
      throw Diagnostic(id, "\(option) \(text): write \(form)", kind: .usage)
    }
    (name, value) = (String(text[..<equals]), String(text[text.index(after: equals)...]))
  }
}

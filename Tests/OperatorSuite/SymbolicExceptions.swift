/// Operators, or single cases, whose inputs need a known extent before run time, each with the reason.
enum SymbolicExceptions {
  static let reasons: [String: String] = [:]
}

import MLCCore

/// The Swift code of the builder's operators: a function each, with the operator's parameters under their names.
package enum MILBuilderCode {
  /// Operators with several results.
  private static let several: Set<String> = [
    "classify", "gru", "lstm", "non_maximum_suppression", "rnn", "split", "topk",
  ]
  /// Those that the builder writes itself, and constants that are compressed, which are no calls.
  private static func isCall(_ name: String) -> Bool {
    !["cond", "while_loop"].contains(name) && !name.hasPrefix("constexpr_")
  }

  package static var text: String {
    let functions = MILOperatorVersions.rows.filter { isCall($0.name) }.map(function).joined(separator: "\n")
    return """
      // Written from the table of operators, which has their parameters by system; MILBuilderCodeTests compares.
      // swift-format-ignore-file

      extension FunctionBuilder {
      \(functions)}

      """
  }

  private static func function(_ row: MILOperatorVersions.Row) -> String {
    let words = row.parameters.split(separator: " ").map(String.init)
    let names = words.map { String($0.prefix { $0 != "?" && $0 != "@" && $0 != "-" }) }
    let optional = words.map { $0.contains("?") || $0.contains("@") || $0.contains("-") }
    let places = names.indices.filter { !optional[$0] } + names.indices.filter { optional[$0] }
    let parameters = places.map { place in
      optional[place] ? "\(names[place]): (any Argument)? = nil" : "\(names[place]): any Argument"
    }
    let isSingle = !several.contains(row.name)
    let rest = ["name: String? = nil", "file: String = #filePath", "line: Int = #line"]
    let call = "\(isSingle ? "result" : "results")(\"\(row.name)\", arguments, name, "
    let arguments = names.map { "      (\"\($0)\", \($0))," }.joined(separator: "\n")
    return """
        /// MIL's `\(row.name)`, since iOS \(row.since).
        public func \(row.name)(
          \((parameters + rest).joined(separator: ",\n    "))
        ) throws(BuildError) -> \(isSingle ? "Value" : "[Value]") {
          let arguments: [(String, (any Argument)?)] = [
      \(arguments)
          ]
          return try \(call)CallSite(file: file, line: line))
        }

      """
  }
}

import MLCCore

/// The Swift code of the builder's operators, a file a group: for each operator a function with its parameters under
/// their names, those that every call has first.
package enum MILBuilderCode {
  /// Operators with several results.
  private static let several: Set<String> = [
    "classify", "constexpr_lut_to_sparse", "constexpr_sparse_blockwise_shift_scale", "gru", "lstm",
    "non_maximum_suppression", "rnn", "split", "topk",
  ]
  /// Not those that the builder writes itself.
  private static func isCall(_ row: MILOperatorVersions.Row) -> Bool { !["cond", "while_loop"].contains(row.name) }

  /// By the group's name.
  package static var files: [String: String] {
    Dictionary(grouping: MILOperatorVersions.rows.filter(isCall), by: \.group).mapValues(file)
  }

  private static func file(_ rows: [MILOperatorVersions.Row]) -> String {
    """
    // Written from the table of operators, which has their parameters by system; MILBuilderCodeTests compares.
    // swift-format-ignore-file

    extension FunctionBuilder {
    \(rows.map(function).joined(separator: "\n"))}

    """
  }

  private static func function(_ row: MILOperatorVersions.Row) -> String {
    let inOrder = row.parameters.filter(\.isRequired) + row.parameters.filter { !$0.isRequired }
    let parameters = inOrder.map { "\($0.name): \($0.isRequired ? "any Argument" : "(any Argument)? = nil")" }
    let rest = ["name: String? = nil", "file: String = #filePath", "line: Int = #line"]
    let arguments = row.parameters.map { "\"\($0.name)\": \($0.name)" }
    let isSingle = !several.contains(row.name)
    let list = arguments.joined(separator: ", ")
    let call = "    try \(isSingle ? "result" : "results")(\"\(row.name)\", [\(list)], name, file, line)"
    let longCall = """
          try \(isSingle ? "result" : "results")(
            "\(row.name)",
            [
      \(lines(arguments, indent: 8))
            ],
            name, file, line
          )
      """
    return """
        /// MIL's `\(row.name)`, since iOS \(row.since).
        public func \(row.name)(
      \(lines(parameters + rest, indent: 4))
        ) throws(BuildError) -> \(isSingle ? "Value" : "[Value]") {
      \(call.count <= 120 ? call : longCall)
        }

      """
  }

  /// The items with commas between, as many a line as 120 columns hold.
  private static func lines(_ items: [String], indent: Int) -> String {
    let margin = String(repeating: " ", count: indent)
    var lines = [margin]
    for (place, item) in items.enumerated() {
      let text = item + (place == items.count - 1 ? "" : ",")
      if lines[lines.count - 1].count + 1 + text.count > 120 { lines.append(margin) }
      lines[lines.count - 1] += (lines[lines.count - 1] == margin ? "" : " ") + text
    }
    return lines.joined(separator: "\n")
  }
}

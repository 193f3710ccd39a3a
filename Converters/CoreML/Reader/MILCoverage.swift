import MLCGraph
import MLCOps

/// What mlc makes of each operator of ML programs, as a page.
package enum MILCoverage {
  /// A table in Markdown, by operator: since which system there is one, how it is read, and its parameters by system.
  package static var page: String {
    let rows = MILOperatorVersions.rows.map { row in
      "| `\(row.name)` | \(row.since) | \(reading(row.name)) | \(parameters(row)) |"
    }
    return """
      # Operators of ML programs

      What coremltools 9 can write for iOS 15 to iOS 18, and how mlc reads it: as the operator of the graph that has
      its name and parameters, as a composition of several, as a compressed constant, or not at all. A parameter that
      may be left out ends with `?`; those of later systems stand behind the others.

      | operator | since iOS | read | parameters |
      |---|---|---|---|
      \(rows.joined(separator: "\n"))

      """
  }

  /// Operators that are not read.
  package static var missing: [String] { MILOperatorVersions.rows.map { $0.name }.filter { reading($0) == "no" } }

  private static func reading(_ name: String) -> String {
    if MILImportTable.rule(name) != nil { return "composition" }
    if MILConstexpr.handles(name) { return "compressed constant" }
    return OperatorSet.named(name) == nil ? "no" : "operator"
  }

  /// `x axis?; 16: batch_dims?`
  private static func parameters(_ row: MILOperatorVersions.Row) -> String {
    var bySystem: [Int: [String]] = [:]
    for parameter in row.parameters {
      let name = "`\(parameter.name)\(parameter.isOptional ? "?" : "")`"
      bySystem[parameter.since ?? row.since, default: []].append(name + (parameter.until.map { " (to \($0))" } ?? ""))
    }
    return bySystem.sorted { $0.key < $1.key }.map { system, names in
      (system == row.since ? "" : "iOS \(system): ") + names.joined(separator: ", ")
    }.joined(separator: "; ")
  }
}

import MLCCore
import MLCFormatCoreML
import MLCGraph

/// A program as a Core ML package, and what the user should know of it.
struct CoreMLOutput {
  private let report: CoreMLReport

  /// Refuses before the model is read what `write` would refuse whatever the model is. Throws `convert.same`,
  /// `convert.target`, `file.write`.
  static func check(_ path: String, of model: String, _ deployment: DeploymentOptions) throws(Diagnostic) {
    guard path != model else {
      throw Diagnostic("convert.same", "the result would replace the model; name another with -o", kind: .usage)
    }
    _ = try deployment.options()
    try CoreMLPackage.check(path)
  }

  /// One model, or several as a pipeline. Throws what the writer throws.
  static func write(
    _ parts: [CoreMLPart],
    to path: String,
    _ deployment: DeploymentOptions
  ) throws(Diagnostic) -> CoreMLOutput {
    CoreMLOutput(report: try CoreMLPackage.write(pipeline: parts, to: path, options: try deployment.options()))
  }

  func text(_ path: String) -> ConsoleText {
    var lines: [ConsoleText] =
      ["\(path): \(report.weightBytes.megabytes) MB of weights, for \(report.deploymentTarget.name)"]
      + report.notes.map { "note: \($0)" }
    if report.refusals.isEmpty { return lines.joined(separator: "\n") }
    lines.append("\nApple's loader would refuse this package; mlc reads it:")
    var table = Table(["operator", "count", "reason", "way round", "nodes"], right: [1])
    for row in report.refusals {
      let nodes = abridged(row.nodes, 3)
      table.add([row.op, "\(row.nodes.count)", row.reason, row.advice, nodes])
    }
    return (lines + [table.text]).joined(separator: "\n")
  }

  func json(_ path: String, _ summaries: [PrecisionSummary]) -> JSON {
    let refusals: [JSON] = report.refusals.map { row in
      .object([
        "op": .string(row.op), "reason": .string(row.reason), "advice": .string(row.advice),
        "nodes": .array(row.nodes.map { .string($0) }),
      ])
    }
    return .object([
      "package": .string(path), "weight_bytes": .integer(report.weightBytes),
      "deployment_target": .string(report.deploymentTarget.name),
      "notes": .array(report.notes.map { .string($0) }), "refused_by_apple": .array(refusals),
      "half": summaries.count == 1 ? summaries[0].json : .array(summaries.map { $0.json }),
    ])
  }
}

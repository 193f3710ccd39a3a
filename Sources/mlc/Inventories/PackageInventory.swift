import MLCCore
import MLCPackage
import MLCRuntime

/// What a compiled package holds for each target, and whether this machine runs it.
struct PackageInventory {
  private struct Row {
    var device: String, steps: Int, codeBytes: Int, weightBytes: Int
    /// By which code and weights make the package larger, beside those of the targets before.
    var addedBytes: Int
    var obstacle: String?
  }
  private let tool: String, source: String, digest: String
  private let precision: DType?
  private var rows: [Row] = []

  init(_ package: PackageReader) throws(Diagnostic) {
    (tool, source, precision) = (package.manifest.tool, package.manifest.source, package.manifest.precision)
    digest = package.manifest.digest
    var stored: Set<String> = []
    for target in package.manifest.targets {
      var steps = 0
      let segments = target.code.flatMap { $0.segments }
      for segment in segments { steps += try package.plan(segment).steps.count }
      rows.append(
        Row(
          device: target.name,
          steps: steps,
          codeBytes: segments.reduce(0) { $0 + $1.kernels.size },
          weightBytes: Dictionary(segments.map { ($0.weights.path, $0.weights.size) }) { size, _ in size }
            .values.reduce(0, +),
          addedBytes: segments.flatMap { [$0.kernels, $0.weights] }
            .reduce(0) { $0 + (stored.insert($1.path).inserted ? $1.size : 0) },
          obstacle: CPU.obstacle(isa: target.device.isa, requires: target.device.requires)
        )
      )
    }
  }

  var text: ConsoleText {
    var table = Table(["target", "steps", "code KB", "weights MB", "adds MB", "runs here"], right: [1, 2, 3, 4])
    for row in rows {
      let runs = row.obstacle.map { "no: \($0)" } ?? "yes"
      table.add([
        row.device, "\(row.steps)", row.codeBytes.kilobytes, row.weightBytes.megabytes, row.addedBytes.megabytes, runs,
      ])
    }
    let stored = precision.map { ", tensors stored as \($0.rawValue)" } ?? ""
    return "compiled by \(tool)\(stored)\ndigest \(digest)\n\n\(table.text)"
  }

  var json: [String: JSON] {
    [
      "tool": .string(tool), "source": .string(source), "digest": .string(digest),
      "precision": precision.map { .string($0.rawValue) } ?? .null,
      "targets": .array(
        rows.map { row in
          .object([
            "name": .string(row.device), "steps": .integer(row.steps), "code_bytes": .integer(row.codeBytes),
            "weight_bytes": .integer(row.weightBytes), "added_bytes": .integer(row.addedBytes),
            "runs_here": .bool(row.obstacle == nil), "reason": row.obstacle.map { .string($0) } ?? .null,
          ])
        }
      ),
    ]
  }
}

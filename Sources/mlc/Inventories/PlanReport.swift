import MLCCore
import MLCPackage

extension ModelPlan {
  /// Those that are no constants.
  private var shown: [Row] { rows.filter { !$0.entry.isConstant } }

  /// What a pipeline calls the model of a row; empty where there is none.
  private func model(of row: Row) -> String {
    var (names, structure): ([String], ModelStructure) = ([], structure)
    for part in row.entry.place.parts {
      guard case .pipeline(let models) = structure, models.indices.contains(part) else { break }
      names.append(models[part].name)
      structure = models[part].structure
    }
    return names.joined(separator: "/")
  }

  private var kind: String {
    switch structure {
    case .program: "program"
    case .network: "network"
    case .pipeline: "pipeline"
    case .unsupported: "other"
    }
  }

  var text: ConsoleText {
    let hasModels = rows.contains { !$0.entry.place.parts.isEmpty }
    let first = hasModels ? ["model"] : []
    let count = first.count
    var table = Table(
      first + ["name", "operation", "cost %", "runs on", "kernels"],
      right: [count + 2],
      cut: Set(0..<count + 1).union([count + 4])
    )
    for row in shown {
      let indent = String(repeating: "  ", count: max(0, row.entry.place.numbers.count - 1) / 2)
      let names = row.kernels.joined(separator: ", ")
      let kernels = names.isEmpty ? "none" : row.isShared ? "\(names), with others" : names
      table.add(
        (hasModels ? [model(of: row)] : []) + [
          indent + row.entry.name, row.entry.op, row.kernels.isEmpty ? "0" : (row.weight * 100).fixed(2), "CPU",
          kernels,
        ]
      )
    }
    let note: ConsoleText = "GPU, Neural Engine: \(ModelPlan.reasonAgainstOtherDevices)"
    return "target \(target), function \(function), \(kind)\n\n" + table.text + "\n\n" + note
  }

  var report: JSON {
    let rows: [JSON] = shown.map { row in
      .object([
        "model": .string(model(of: row)), "name": .string(row.entry.name), "operation": .string(row.entry.op),
        "depth": .integer(max(0, row.entry.place.numbers.count - 1) / 2), "weight": .rounded(row.weight, 6),
        "supported": .array([.string("CPU")]), "preferred": .string("CPU"),
        "kernels": .array(row.kernels.map { .string($0) }), "shared": .bool(row.isShared),
      ])
    }
    return .object([
      "target": .string(target), "function": .string(function), "structure": .string(kind),
      "operations": .array(rows),
      "unsupported": .object([
        "GPU": .string(ModelPlan.reasonAgainstOtherDevices),
        "Neural Engine": .string(ModelPlan.reasonAgainstOtherDevices),
      ]),
    ])
  }
}

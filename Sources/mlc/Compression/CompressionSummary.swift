import MLCCore
import MLCPackage
import MLCPasses

/// What `mlc compress` says at its end.
struct CompressionSummary {
  let path: String
  let reports: [CompressionReport]
  /// What stayed float32 for `--precision fp16`.
  let half: PrecisionSummary
  let package: CoreMLOutput
  let outputs: OutputFidelity

  private var weights: [CompressionReport.Weight] { reports.flatMap { $0.weights } }
  private var compressed: [CompressionReport.Weight] { reports.flatMap { $0.compressed } }
  private var before: Int { reports.reduce(0) { $0 + $1.bytesBefore } }
  private var after: Int { reports.reduce(0) { $0 + $1.bytesAfter } }

  /// Of everything that was compressed.
  private var error: Double {
    var whole = CompressionReport()
    whole.weights = compressed
    return whole.error
  }

  private var bits: Double {
    let elements = compressed.reduce(0) { $0 + ($1.type.staticShape?.checkedProduct ?? 0) }
    return Double(compressed.reduce(0) { $0 + $1.bytesAfter }) * 8 / Double(max(1, elements))
  }

  var text: ConsoleText {
    var table = Table(
      ["weight", "operator", "shape", "form", "bits", "KB before", "after", "error", "worst channel"],
      right: [4, 5, 6, 7, 8]
    )
    for weight in compressed {
      let worst = weight.error?.worst ?? 0
      let shape = weight.type.staticShape?.map(String.init).joined(separator: "×") ?? ""
      table.add([
        weight.name, weight.operators.joined(separator: ", "), shape, weight.form ?? "", weight.bits.fixed(2),
        weight.bytesBefore.kilobytes, weight.bytesAfter.kilobytes, (weight.error?.relative ?? 0).percent,
        "\(worst > CompressionReport.limit ? "! " : "")\(worst.percent)",
      ])
    }
    let total = compressed.reduce((0, 0)) { ($0.0 + $1.bytesBefore, $0.1 + $1.bytesAfter) }
    table.add([
      compressed.count.of("weight"), "", "", "", bits.fixed(2), total.0.kilobytes, total.1.kilobytes, error.percent, "",
    ])
    var lines: [ConsoleText] = [table.text, ""]
    for (reason, names) in untouched {
      lines.append("left alone, \(reason): \(abridged(names, 4)) (\(names.count))")
    }
    lines.append("weights: \(before.megabytes) MB before, \(after.megabytes) MB after")
    for output in outputs.outputs {
      lines.append("output '\(output.name)': SNR \(output.signalToNoise.decibels) (\(outputs.source))")
    }
    return (lines + [package.text(path)]).joined(separator: "\n")
  }

  /// Names by reason, in the order of appearance.
  private var untouched: [(reason: String, names: [String])] {
    var rows: [(reason: String, names: [String])] = []
    for weight in weights {
      guard let reason = weight.reason else { continue }
      if let row = rows.firstIndex(where: { $0.reason == reason }) {
        rows[row].names.append(weight.name)
      } else {
        rows.append((reason, [weight.name]))
      }
    }
    return rows
  }

  var warning: String? { reports.warning }

  var json: JSON {
    guard case .object(var members) = package.json(path, [half]) else { return .null }
    members["bytes_before"] = .integer(before)
    members["bytes_after"] = .integer(after)
    members["bits"] = .rounded(bits, 4)
    members["error"] = .rounded(error, 6)
    members["outputs"] = .array(
      outputs.outputs.map { .object(["name": .string($0.name), "snr_db": .rounded($0.signalToNoise, 2)]) }
    )
    members["weights"] = .array(weights.map { $0.json })
    members["warning"] = warning.map { .string($0) } ?? .null
    return .object(members)
  }
}

extension CompressionReport.Weight {
  fileprivate var json: JSON {
    var members: [String: JSON] = [
      "name": .string(name), "node": node.map { .string($0) } ?? .null,
      "operators": .array(operators.map { .string($0) }), "dtype": .string(type.dtype.rawValue),
      "shape": .array((type.staticShape ?? []).map { .integer($0) }), "bytes_before": .integer(bytesBefore),
      "bytes_after": .integer(bytesAfter), "bits": .rounded(bits, 4),
    ]
    members["form"] = form.map { .string($0) } ?? .null
    members["left_alone"] = reason.map { .string($0) } ?? .null
    if let error {
      members["error"] = .rounded(error.relative, 8)
      members["worst_channel"] = .integer(error.worstChannel)
      members["worst_channel_error"] = .rounded(error.worst, 8)
    }
    return .object(members)
  }
}

extension Double {
  /// `12.3 %`
  var percent: String { "\((self * 100).fixed(self < 0.01 ? 3 : 1)) %" }
  fileprivate var decibels: String { self == .infinity ? "∞" : "\(fixed(1)) dB" }
}

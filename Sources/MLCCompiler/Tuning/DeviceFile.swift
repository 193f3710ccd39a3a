import MLCCore
import MLCKernels

/// What was measured of contractions on one machine, as a file: what `mlc tune` writes and `mlc compile --device-file`
/// reads.
///
/// ```json
/// {"format": "mlc-device", "version": 1, "tool": "mlc 0.1.0", "device": "x86-64-v4", "cpu": "AMD EPYC 9B45",
///  "threads": 1, "problems": [{"problem": "matmul fp32[128, 768] 3f…", "candidates": [
///   {"strategy": "PackedGemm", "variant": "8x3", "ns": 71240.5}]}]}
/// ```
package struct DeviceFile: Hashable, Sendable {
  package static let format = "mlc-device"
  package static let version = 1

  package var tool: String
  /// The device of the catalog that code was measured for, what the processor calls itself, and how many threads ran.
  package var device: String, cpu: String, threads: Int
  package var measured: [String: [Tuning.Choice: Double]]

  package init(tool: String, device: String, cpu: String, threads: Int, measured: [String: [Tuning.Choice: Double]]) {
    (self.tool, self.device, self.cpu, self.threads, self.measured) = (tool, device, cpu, threads, measured)
  }

  package var tuning: Tuning {
    var tuning = Tuning()
    tuning.measured = measured
    return tuning
  }
}

extension DeviceFile {
  /// Equal measurements give equal bytes.
  package var json: JSON {
    let problems: [JSON] = measured.sorted { $0.key < $1.key }.map { problem, times in
      let candidates: [JSON] = times.sorted { ($0.value, $0.key.name) < ($1.value, $1.key.name) }.map { choice, time in
        var members: [String: JSON] = ["strategy": .string(choice.strategy), "ns": .number(time)]
        if let variant = choice.variant { members["variant"] = .string(variant) }
        return .object(members)
      }
      return .object(["problem": .string(problem), "candidates": .array(candidates)])
    }
    return .object([
      "format": .string(Self.format), "version": .integer(Self.version), "tool": .string(tool),
      "device": .string(device), "cpu": .string(cpu), "threads": .integer(threads), "problems": .array(problems),
    ])
  }

  /// Throws `json.…` for a file that is no JSON and `device-file.format` for one that does not say what it should; each
  /// is located at the file.
  package static func load(_ path: String) throws(Diagnostic) -> DeviceFile {
    try locating(Location(file: path)) { () throws(Diagnostic) in
      let mapped = try MappedFile(path: path)
      let json = try withExtendedLifetime(mapped) { () throws(Diagnostic) in try JSON(parsing: mapped.bytes) }
      return try DeviceFile(json)
    }
  }

  /// Throws `device-file.format`.
  package init(_ json: JSON) throws(Diagnostic) {
    let root = try Fields(json, "the file")
    guard case .string(Self.format)? = root.members["format"] else {
      throw Fields.malformed("it is no device file: its 'format' is not '\(Self.format)'")
    }
    let version = try root.integer("version")
    guard version == Self.version else {
      throw Fields.malformed("it has version \(version), this mlc reads version \(Self.version): tune again")
    }
    self.init(
      tool: try root.string("tool"),
      device: try root.string("device"),
      cpu: try root.string("cpu"),
      threads: try root.integer("threads"),
      measured: [:]
    )
    for problem in try root.objects("problems") {
      let key = try problem.string("problem")
      guard measured[key] == nil else { throw Fields.malformed("\(problem.place) is about '\(key)' once more") }
      var times: [Tuning.Choice: Double] = [:]
      for candidate in try problem.objects("candidates") {
        let variant = candidate.members["variant"] == nil ? nil : try candidate.string("variant")
        let choice = Tuning.Choice(try candidate.string("strategy"), variant)
        guard times.updateValue(try candidate.time("ns"), forKey: choice) == nil else {
          throw Fields.malformed("\(candidate.place) is about '\(choice.name)' once more")
        }
      }
      measured[key] = times
    }
  }

  /// One object, read by its fields.
  private struct Fields {
    let members: [String: JSON]
    let place: String

    init(_ json: JSON, _ place: String) throws(Diagnostic) {
      guard case .object(let members) = json else { throw Fields.malformed("\(place) is no object") }
      (self.members, self.place) = (members, place)
    }

    static func malformed(_ problem: String) -> Diagnostic { Diagnostic("device-file.format", problem) }

    func string(_ key: String) throws(Diagnostic) -> String {
      guard case .string(let text)? = members[key], text.utf8.count <= 4096 else {
        throw Fields.malformed("'\(key)' of \(place) is no text of at most 4096 bytes")
      }
      return text
    }

    func integer(_ key: String) throws(Diagnostic) -> Int {
      guard case .integer(let number)? = members[key], number > 0 else {
        throw Fields.malformed("'\(key)' of \(place) is no number from 1")
      }
      return number
    }

    func time(_ key: String) throws(Diagnostic) -> Double {
      let time: Double? =
        switch members[key] {
        case .integer(let number): Double(number)
        case .number(let number): number
        default: nil
        }
      guard let time, time > 0, time < 1e15 else {
        throw Fields.malformed("'\(key)' of \(place) is no number of nanoseconds above 0")
      }
      return time
    }

    func objects(_ key: String) throws(Diagnostic) -> [Fields] {
      guard case .array(let items)? = members[key] else { throw Fields.malformed("'\(key)' of \(place) is no list") }
      var fields: [Fields] = []
      for (index, item) in items.enumerated() { fields.append(try Fields(item, "\(key)[\(index)]")) }
      return fields
    }
  }
}

import MLCCore
import MLCPackage
import MLCPasses

/// Forms of weights as coremltools' configurations spell them: one `OptimizationConfig` as a dictionary, or a list of
/// them.
///
/// Pruning by n:m patterns and blocks, vectors in palettes and functions of the user's are refused.
struct CompressionConfig {
  let rules: [CompressionRules]

  /// Throws `file.open` and the like, `json.syntax`, and `compress.config` that names the field.
  init(path: String) throws(Diagnostic) {
    let file = try MappedFile(path: path)
    let json = try locating(Location(file: path)) { () throws(Diagnostic) in
      try withExtendedLifetime(file) { () throws(Diagnostic) in try JSON(parsing: file.bytes) }
    }
    self = try locating(Location(file: path)) { () throws(Diagnostic) in try CompressionConfig(json) }
  }

  /// `place` is where `json` stands in a larger document. Throws `compress.config` that names the field.
  init(_ json: JSON, at place: String = "") throws(Diagnostic) {
    guard case .array(let items) = json else {
      rules = [try Self.rules(ConfigObject(json, place))]
      return
    }
    var rules: [CompressionRules] = []
    for (index, item) in items.enumerated() {
      rules.append(try Self.rules(ConfigObject(item, "\(place)[\(index)]")))
    }
    self.rules = rules
  }

  private static func rules(_ config: ConfigObject) throws(Diagnostic) -> CompressionRules {
    try config.allow(["config_type", "global_config", "op_type_configs", "op_name_configs"])
    let type = try config.text("config_type", else: "")
    guard !type.isEmpty else { throw config.wrong("config_type", "is missing") }
    var rules = CompressionRules()
    if let global = try config.object("global_config") { rules.all = try rule(global, type) }
    rules.byOperator = try entries(config, "op_type_configs", type)
    rules.byName = try entries(config, "op_name_configs", type)
    return rules
  }

  private static func entries(_ config: ConfigObject, _ key: String, _ type: String) throws(Diagnostic)
    -> [String: CompressionRules.Rule]
  {
    guard let object = try config.object(key) else { return [:] }
    var result: [String: CompressionRules.Rule] = [:]
    for name in object.members.keys.sorted() {
      if let entry = try object.object(name) {
        result[name] = try rule(entry, type)
      } else {
        result[name] = .init(nil)
      }
    }
    return result
  }

  private static func rule(_ entry: ConfigObject, _ type: String) throws(Diagnostic) -> CompressionRules.Rule {
    let type = try entry.text("config_type", else: type)
    let step: CompressionStep
    switch type {
    case "OpPalettizerConfig": step = .palettize(try palettization(entry))
    case "OpLinearQuantizerConfig": step = .quantize(try quantization(entry))
    case "OpMagnitudePrunerConfig":
      try entry.allow(["config_type", "target_sparsity", "weight_threshold"])
      step = .prune(.sparsity(try entry.number("target_sparsity", in: 0...1)))
    case "OpThresholdPrunerConfig":
      try entry.allow(["config_type", "threshold", "minimum_sparsity_percentile", "weight_threshold"])
      let least = try entry.number("minimum_sparsity_percentile", in: 0...1, else: 0.5)
      step = .prune(
        .threshold(try entry.number("threshold", in: 0...Double.greatestFiniteMagnitude, else: 1e-12), least: least)
      )
    default: throw entry.wrong("config_type", "is '\(type)', which mlc does not have")
    }
    // coremltools compresses what has more elements than the threshold.
    let threshold = try entry.integer("weight_threshold", in: 0...Int.max - 1)
    return .init(step, minimumElements: threshold.map { $0 + 1 })
  }

  private static func palettization(_ entry: ConfigObject) throws(Diagnostic) -> Palettization {
    try entry.allow([
      "config_type", "mode", "nbits", "granularity", "group_size", "channel_axis", "cluster_dim",
      "enable_per_channel_scale", "num_kmeans_workers", "weight_threshold",
    ])
    var result = Palettization(bits: try entry.integer("nbits", in: 1...8))
    let mode = try entry.text("mode", else: "kmeans").lowercased()
    guard let known = Palettization.Mode(rawValue: mode) else {
      throw entry.wrong("mode", "is '\(mode)'; there are kmeans, uniform and unique")
    }
    result.mode = known
    if known == .unique {
      guard result.bits == nil else { throw entry.wrong("nbits", "does not go with mode unique") }
    } else {
      guard let bits = result.bits, Palettization.widths.contains(bits) else {
        throw entry.wrong("nbits", "must be 1, 2, 3, 4, 6 or 8")
      }
    }
    let vector = try entry.integer("cluster_dim", in: 1...1 << 20)
    guard (vector ?? 1) == 1 else {
      throw entry.wrong("cluster_dim", "must be 1: mlc makes no palettes of vectors")
    }
    switch try entry.text("granularity", else: "per_tensor").lowercased() {
    case "per_tensor": result.granularity = .tensor
    case "per_grouped_channel": result.granularity = .groups(try entry.integer("group_size", in: 1...1 << 40) ?? 32)
    case let other: throw entry.wrong("granularity", "is '\(other)'; there are per_tensor and per_grouped_channel")
    }
    result.axis = try entry.integer("channel_axis", in: -64...64)
    result.scalesChannels = try entry.flag("enable_per_channel_scale")
    return result
  }

  private static func quantization(_ entry: ConfigObject) throws(Diagnostic) -> LinearQuantization {
    try entry.allow(["config_type", "mode", "dtype", "granularity", "block_size", "weight_threshold"])
    let name = try entry.text("dtype", else: "int8")
    guard let dtype = DType(rawValue: name), LinearQuantization.types.contains(dtype) else {
      throw entry.wrong("dtype", "is '\(name)'; there are int8, uint8, int4 and uint4")
    }
    var result = LinearQuantization(dtype)
    switch try entry.text("mode", else: "linear_symmetric").lowercased() {
    case "linear_symmetric": result.isSymmetric = true
    case "linear": result.isSymmetric = false
    case let other: throw entry.wrong("mode", "is '\(other)'; there are linear_symmetric and linear")
    }
    switch try entry.text("granularity", else: "per_channel").lowercased() {
    case "per_tensor": result.granularity = .tensor
    case "per_channel": result.granularity = .channel
    case "per_block":
      if let sizes = try entry.integers("block_size", in: 0...1 << 40) {
        result.granularity = .blocks(sizes)
      } else {
        result.granularity = .block(try entry.integer("block_size", in: 1...1 << 40) ?? 32)
      }
    case let other: throw entry.wrong("granularity", "is '\(other)'; there are per_tensor, per_channel and per_block")
    }
    return result
  }
}

/// One object of a configuration. Each problem is `compress.config`, naming the field.
private struct ConfigObject {
  let members: [String: JSON]
  private let place: String

  init(_ value: JSON, _ place: String) throws(Diagnostic) {
    guard case .object(let members) = value else {
      throw Diagnostic("compress.config", "\(place.isEmpty ? "the configuration" : place) is no object", kind: .usage)
    }
    (self.members, self.place) = (members, place)
  }

  private func name(_ key: String) -> String { place.isEmpty ? key : "\(place).\(key)" }
  func wrong(_ key: String, _ problem: String) -> Diagnostic {
    Diagnostic("compress.config", "\(name(key)) \(problem)", kind: .usage)
  }

  func allow(_ keys: Set<String>) throws(Diagnostic) {
    guard let other = members.keys.sorted().first(where: { !keys.contains($0) }) else { return }
    throw wrong(other, "is not known; there are \(keys.sorted().joined(separator: ", "))")
  }

  /// `nil` for what is absent or null.
  private subscript(key: String) -> JSON? { members[key].flatMap { $0 == .null ? nil : $0 } }

  func object(_ key: String) throws(Diagnostic) -> ConfigObject? {
    guard let value = self[key] else { return nil }
    return try ConfigObject(value, name(key))
  }

  func text(_ key: String, else absent: String) throws(Diagnostic) -> String {
    guard let value = self[key] else { return absent }
    guard case .string(let text) = value else { throw wrong(key, "is no string") }
    return text
  }

  func flag(_ key: String) throws(Diagnostic) -> Bool {
    guard let value = self[key] else { return false }
    guard case .bool(let flag) = value else { throw wrong(key, "is neither true nor false") }
    return flag
  }

  func integer(_ key: String, in range: ClosedRange<Int>) throws(Diagnostic) -> Int? {
    guard let value = self[key] else { return nil }
    guard case .integer(let number) = value, range.contains(number) else {
      throw wrong(key, "is no whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// `nil` when the field is no list.
  func integers(_ key: String, in range: ClosedRange<Int>) throws(Diagnostic) -> [Int]? {
    guard case .array(let items)? = self[key] else { return nil }
    var numbers: [Int] = []
    for item in items {
      guard case .integer(let number) = item, range.contains(number) else { throw wrong(key, "holds no whole number") }
      numbers.append(number)
    }
    return numbers
  }

  func number(_ key: String, in range: ClosedRange<Double>, else absent: Double? = nil) throws(Diagnostic) -> Double {
    let number: Double
    switch self[key] {
    case .integer(let value)?: number = Double(value)
    case .number(let value)?: number = value
    case nil:
      guard let absent else { throw wrong(key, "is missing") }
      number = absent
    default: throw wrong(key, "is no number")
    }
    guard range.contains(number) else { throw wrong(key, "is not from \(range.lowerBound) to \(range.upperBound)") }
    return number
  }
}

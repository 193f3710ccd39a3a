import MLCCore
import MLCPackage
import MLCPasses

/// What is to become of weights, and of which: the options of `mlc compress`, or `compression` in `mlc.json`.
struct CompressionRequest {
  /// Who asks, which says how problems name the values.
  enum Origin {
    case commandLine
    /// The setting of that name in `mlc.json`.
    case settings(String)
  }
  /// A configuration of coremltools'.
  enum Configuration {
    case file(String)
    case json(JSON)
  }

  /// The values by their names in `mlc.json`; the command line's are `--group-size` for `groupSize`.
  static let names = [
    "asymmetric", "blockSize", "channelScale", "config", "fp16", "groupSize", "minElements", "paletteMode", "palettize",
    "perChannel", "perTensor", "prune", "quantize", "skip",
  ]

  let origin: Origin
  var palettize: String?
  var quantize: String?
  var half = false
  var prune: Double?
  var perTensor = false
  var perChannel = false
  var groupSize: Int?
  var blockSize: Int?
  var paletteMode: String?
  var channelScale = false
  var asymmetric = false
  var config: Configuration?
  var skip: [String] = []
  var minimumElements = 2048

  init(_ origin: Origin) { self.origin = origin }

  /// Throws `compress.option` or `settings.field`, and `compress.config` for a configuration.
  func plan() throws(Diagnostic) -> CompressionPlan {
    guard minimumElements >= 0 else { throw wrong("\(name("minElements")) \(minimumElements): write 0 or more") }
    var plan = CompressionPlan(try rules())
    (plan.skip, plan.minimumElements) = (skip, minimumElements)
    return plan
  }

  private func rules() throws(Diagnostic) -> [CompressionRules] {
    let steps = try steps()
    try checkUse()
    guard let config else {
      guard !steps.isEmpty else {
        throw wrong("nothing to do: give \(list(["palettize", "quantize", "fp16", "prune", "config"], "or"))")
      }
      return steps.map { CompressionRules(all: .init($0)) }
    }
    guard steps.isEmpty else { throw wrong("\(name("config")) says what is done; the other forms exclude it") }
    switch config {
    case .file(let path): return try CompressionConfig(path: path).rules
    case .json(let json): return try CompressionConfig(json, at: place("config")).rules
    }
  }

  private func steps() throws(Diagnostic) -> [CompressionStep] {
    var steps: [CompressionStep] = []
    if let prune {
      guard prune >= 0, prune <= 1 else { throw wrong("\(name("prune")) \(prune): a share lies between 0 and 1") }
      steps.append(.prune(.sparsity(prune)))
    }
    let forms = (palettize != nil ? 1 : 0) + (quantize != nil ? 1 : 0) + (half ? 1 : 0)
    guard forms <= 1 else { throw wrong("\(list(["palettize", "quantize", "fp16"], "and")) exclude each other") }
    if let palettize { steps.append(.palettize(try palettization(palettize))) }
    if let quantize { steps.append(.quantize(try quantization(quantize))) }
    if half { steps.append(.half) }
    return steps
  }
}

// MARK: Problems

extension CompressionRequest {
  private static let granularities = ["perTensor", "perChannel", "groupSize", "blockSize"]

  private func wrong(_ problem: String) -> Diagnostic {
    switch origin {
    case .commandLine: Diagnostic("compress.option", problem, kind: .usage)
    case .settings: Diagnostic("settings.field", problem)
    }
  }

  /// Where a value stands.
  private func place(_ key: String) -> String {
    switch origin {
    case .commandLine: "--" + key.reduce(into: "") { $0 += $1.isUppercase ? "-\($1.lowercased())" : "\($1)" }
    case .settings(let place): "\(place).\(key)"
    }
  }

  private func name(_ key: String) -> String {
    if case .settings = origin { "'\(place(key))'" } else { place(key) }
  }

  private func list(_ keys: [String], _ word: String) -> String {
    keys.dropLast().map { name($0) }.joined(separator: ", ") + " \(word) " + name(keys[keys.count - 1])
  }

  private func checkUse() throws(Diagnostic) {
    if palettize == nil, paletteMode != nil || channelScale {
      throw wrong("\(name(channelScale ? "channelScale" : "paletteMode")) goes with \(name("palettize"))")
    }
    if quantize == nil, asymmetric { throw wrong("\(name("asymmetric")) goes with \(name("quantize"))") }
    if palettize == nil, quantize == nil, try granularity() != nil {
      throw wrong("\(list(Self.granularities, "and")) go with \(list(["palettize", "quantize"], "or"))")
    }
  }
}

// MARK: Forms

extension CompressionRequest {
  private func granularity() throws(Diagnostic) -> Granularity? {
    var given: [Granularity] = []
    if perTensor { given.append(.tensor) }
    if perChannel { given.append(.channel) }
    if let groupSize { given.append(.groups(groupSize)) }
    if let blockSize { given.append(.block(blockSize)) }
    guard given.count <= 1 else { throw wrong("\(list(Self.granularities, "and")) exclude each other") }
    for (key, size) in [("groupSize", groupSize), ("blockSize", blockSize)] {
      if let size, size < 1 { throw wrong("\(name(key)) \(size) is no size of groups") }
    }
    return given.first
  }

  private func palettization(_ text: String) throws(Diagnostic) -> Palettization {
    var result = Palettization(bits: Int(text))
    if text == "unique" {
      result.mode = .unique
    } else {
      guard let bits = result.bits, Palettization.widths.contains(bits) else {
        throw wrong("\(name("palettize")) \(text): there are palettes of 1, 2, 3, 4, 6 and 8 bits, and 'unique'")
      }
      guard let mode = Palettization.Mode(rawValue: paletteMode ?? "kmeans"), mode != .unique else {
        throw wrong("\(name("paletteMode")) \(paletteMode ?? ""): there are kmeans and uniform")
      }
      result.mode = mode
    }
    result.granularity = try granularity() ?? .tensor
    if case .block = result.granularity {
      throw wrong("\(name("blockSize")) goes with \(name("quantize")); palettes have \(name("groupSize"))")
    }
    result.scalesChannels = channelScale
    return result
  }

  private func quantization(_ text: String) throws(Diagnostic) -> LinearQuantization {
    guard let dtype = DType(rawValue: text), LinearQuantization.types.contains(dtype) else {
      throw wrong("\(name("quantize")) \(text): there are int8, uint8, int4 and uint4")
    }
    var result = LinearQuantization(dtype)
    result.isSymmetric = !asymmetric
    result.granularity = try granularity() ?? .channel
    return result
  }
}

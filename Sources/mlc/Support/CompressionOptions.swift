import ArgumentParser
import MLCCore
import MLCPasses

/// What becomes of weights.
struct CompressionOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Indices into a table of values: 1, 2, 3, 4, 6 or 8 bits; 'unique' for as few as hold every value.",
      valueName: "BITS|unique"
    )
  )
  var palettize: String?
  @Option(help: ArgumentHelp("Integers with a scale: int8, uint8, int4 or uint4.", valueName: "TYPE"))
  var quantize: String?
  @Flag(name: .customLong("fp16"), help: "Floats of half the width; arithmetic stays as it is.") var half = false
  @Option(
    help: ArgumentHelp(
      "Zeros in place of this share of the elements, those of least magnitude; goes with any other form.",
      valueName: "0…1"
    )
  )
  var prune: Double?
  @Flag(help: "One palette or scale for the whole tensor; the default of --palettize.") var perTensor = false
  @Flag(help: "One for each output channel; the default of --quantize.") var perChannel = false
  @Option(help: ArgumentHelp("One for every N output channels.", valueName: "N")) var groupSize: Int?
  @Option(help: ArgumentHelp("One for every N input channels of each output channel.", valueName: "N")) var blockSize:
    Int?
  @Option(
    help: ArgumentHelp(
      "How a palette is chosen: kmeans has the least error, uniform equal distances.",
      valueName: "kmeans|uniform"
    )
  )
  var paletteMode: String?
  @Flag(help: "Scale every output channel to the same magnitude before --palettize.") var channelScale = false
  @Flag(help: "Let --quantize use a zero point.") var asymmetric = false
  @Option(
    help: ArgumentHelp(
      "Forms by node name, operator type and for the rest, as coremltools has them.",
      valueName: "FILE"
    ),
    completion: .file(extensions: ["json"])
  )
  var config: String?

  /// Throws `compress.option`, and `compress.config` for the file.
  func rules() throws(Diagnostic) -> [CompressionRules] {
    var steps: [CompressionStep] = []
    if let prune {
      guard prune >= 0, prune <= 1 else { throw Self.wrong("--prune \(prune): a share lies between 0 and 1") }
      steps.append(.prune(.sparsity(prune)))
    }
    let forms = (palettize != nil ? 1 : 0) + (quantize != nil ? 1 : 0) + (half ? 1 : 0)
    guard forms <= 1 else { throw Self.wrong("--palettize, --quantize and --fp16 exclude each other") }
    if let palettize { steps.append(.palettize(try palettization(palettize))) }
    if let quantize { steps.append(.quantize(try quantization(quantize))) }
    if half { steps.append(.half) }
    try checkUse()
    guard let config else {
      guard !steps.isEmpty else {
        throw Self.wrong("nothing to do: give --palettize, --quantize, --fp16, --prune or --config")
      }
      return steps.map { CompressionRules(all: .init($0)) }
    }
    guard steps.isEmpty else { throw Self.wrong("--config says what is done; the other forms exclude it") }
    return try CompressionConfig(path: config).rules
  }

  static func wrong(_ problem: String) -> Diagnostic { Diagnostic("compress.option", problem, kind: .usage) }

  private func checkUse() throws(Diagnostic) {
    if palettize == nil, paletteMode != nil || channelScale {
      throw Self.wrong("\(channelScale ? "--channel-scale" : "--palette-mode") goes with --palettize")
    }
    if quantize == nil, asymmetric { throw Self.wrong("--asymmetric goes with --quantize") }
    if palettize == nil, quantize == nil, try granularity() != nil {
      throw Self.wrong("--per-tensor, --per-channel, --group-size and --block-size go with --palettize or --quantize")
    }
  }

  private func granularity() throws(Diagnostic) -> Granularity? {
    var given: [Granularity] = []
    if perTensor { given.append(.tensor) }
    if perChannel { given.append(.channel) }
    if let groupSize { given.append(.groups(groupSize)) }
    if let blockSize { given.append(.block(blockSize)) }
    guard given.count <= 1 else {
      throw Self.wrong("--per-tensor, --per-channel, --group-size and --block-size exclude each other")
    }
    for size in [groupSize, blockSize].compactMap({ $0 }) where size < 1 {
      throw Self.wrong("\(size) is no size of groups")
    }
    return given.first
  }

  private func palettization(_ text: String) throws(Diagnostic) -> Palettization {
    var result = Palettization(bits: Int(text))
    if text == "unique" {
      result.mode = .unique
    } else {
      guard let bits = result.bits, Palettization.widths.contains(bits) else {
        throw Self.wrong("--palettize \(text): there are palettes of 1, 2, 3, 4, 6 and 8 bits, and 'unique'")
      }
      guard let mode = Palettization.Mode(rawValue: paletteMode ?? "kmeans"), mode != .unique else {
        throw Self.wrong("--palette-mode \(paletteMode ?? ""): there are kmeans and uniform")
      }
      result.mode = mode
    }
    result.granularity = try granularity() ?? .tensor
    if case .block = result.granularity {
      throw Self.wrong("--block-size goes with --quantize; palettes have --group-size")
    }
    result.scalesChannels = channelScale
    return result
  }

  private func quantization(_ text: String) throws(Diagnostic) -> LinearQuantization {
    guard let dtype = DType(rawValue: text), LinearQuantization.types.contains(dtype) else {
      throw Self.wrong("--quantize \(text): there are int8, uint8, int4 and uint4")
    }
    var result = LinearQuantization(dtype)
    result.isSymmetric = !asymmetric
    result.granularity = try granularity() ?? .channel
    return result
  }
}

/// Which weights are compressed.
struct SelectionOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Leave alone what has such a name or operator type; '*' stands for any characters. May be repeated.",
      valueName: "PATTERN"
    )
  )
  var skip: [String] = []
  @Option(help: ArgumentHelp("Leave alone weights with fewer elements.", valueName: "N")) var minElements = 2048

  func plan(_ rules: [CompressionRules]) throws(Diagnostic) -> CompressionPlan {
    guard minElements >= 0 else { throw CompressionOptions.wrong("--min-elements \(minElements): write 0 or more") }
    var plan = CompressionPlan(rules)
    (plan.skip, plan.minimumElements) = (skip, minElements)
    return plan
  }
}

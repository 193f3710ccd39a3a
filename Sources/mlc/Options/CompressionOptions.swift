import ArgumentParser

/// What becomes of weights.
struct CompressionOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Indices into a table of values: 1, 2, 3, 4, 6 or 8 bits; 'unique' for as few as hold every value.",
      valueName: "BITS|unique"
    ),
    completion: .list(["1", "2", "3", "4", "6", "8", "unique"])
  )
  var palettize: String?
  @Option(
    help: ArgumentHelp("Integers with a scale: int8, uint8, int4 or uint4.", valueName: "TYPE"),
    completion: .list(["int8", "uint8", "int4", "uint4"])
  )
  var quantize: String?
  @Flag(name: .customLong("fp16"), help: "Floats of half the width; arithmetic stays as it is.") var half = false
  @Option(
    help: ArgumentHelp(
      "Zeros in place of this share of the elements, those of least magnitude; goes with any other form.",
      valueName: "0...1"
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
    ),
    completion: .list(["kmeans", "uniform"])
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

  func request(_ selection: SelectionOptions) -> CompressionRequest {
    var request = CompressionRequest(.commandLine)
    (request.palettize, request.quantize, request.half, request.prune) = (palettize, quantize, half, prune)
    (request.perTensor, request.perChannel) = (perTensor, perChannel)
    (request.groupSize, request.blockSize) = (groupSize, blockSize)
    (request.paletteMode, request.channelScale, request.asymmetric) = (paletteMode, channelScale, asymmetric)
    request.config = config.map { .file($0) }
    (request.skip, request.minimumElements) = (selection.skip, selection.minElements)
    return request
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
}

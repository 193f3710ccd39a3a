import MLCCore
import MLCPasses

extension SettingsField {
  /// `{"palettize": 4}`: the options of `mlc compress` under their names, or under `config` what coremltools takes.
  ///
  /// Throws `compress.config` too.
  func compression() throws(Diagnostic) -> CompressionPlan {
    var request = CompressionRequest(.settings(name))
    for (key, field) in try members("is no object of options").sorted(by: { $0.key < $1.key }) {
      try field.read(key, into: &request)
    }
    return try locating(location) { () throws(Diagnostic) in try request.plan() }
  }

  private func read(_ key: String, into request: inout CompressionRequest) throws(Diagnostic) {
    switch key {
    case "asymmetric": request.asymmetric = try flag()
    case "blockSize": request.blockSize = try integer()
    case "channelScale": request.channelScale = try flag()
    case "config": request.config = .json(value)
    case "fp16": request.half = try flag()
    case "groupSize": request.groupSize = try integer()
    case "minElements": request.minimumElements = try integer()
    case "paletteMode": request.paletteMode = try text()
    case "palettize": request.palettize = try bits()
    case "perChannel": request.perChannel = try flag()
    case "perTensor": request.perTensor = try flag()
    case "prune": request.prune = try number()
    case "quantize": request.quantize = try text()
    case "skip": request.skip = try texts()
    default:
      throw wrong("is no option; \(CompressionRequest.names.suggestion(for: key))")
    }
  }

  /// A number, or a word that stands for one.
  private func bits() throws(Diagnostic) -> String {
    switch value {
    case .integer(let bits): return "\(bits)"
    case .string(let text): return text
    default: throw wrong("is neither a number of bits nor 'unique'")
    }
  }
}

import MLCCore
import MLCGraph
import MLCOps

/// The window attributes that Keras' convolutions and pools share, as MIL spells them.
struct KerasWindow {
  /// Spatial axes.
  let rank: Int
  let strides: [Int], dilations: [Int]
  var pad: [Int] = []
  var padType: String
  /// The layer itself takes channels behind the batch.
  let isChannelsFirst: Bool

  /// `strides` defaults to `size`, as for pools, or to ones. Throws `keras.config`, `keras.padding`.
  init(_ config: KerasConfig, rank: Int, kernel: [Int], pools: Bool = false) throws(Diagnostic) {
    self.rank = rank
    strides = try config.ints("strides", count: rank) ?? (pools ? kernel : [Int](repeating: 1, count: rank))
    dilations = try config.ints("dilation_rate", count: rank) ?? [Int](repeating: 1, count: rank)
    isChannelsFirst = try KerasWindow.isChannelsFirst(config)
    switch try config.string("padding", default: "valid").lowercased() {
    case "valid": padType = "custom"
    case "same": padType = "same"
    case "causal" where rank == 1:
      padType = "custom"
      pad = [try KerasWindow.causal(kernel[0], dilations[0]), 0]
    case let other: throw Diagnostic("keras.padding", "the padding '\(other)' is not known", kind: .unsupported)
    }
  }

  private static func causal(_ kernel: Int, _ dilation: Int) throws(Diagnostic) -> Int {
    let (product, overflow) = (kernel - 1).multipliedReportingOverflow(by: dilation)
    guard !overflow, (0...Int(Int32.max)).contains(product) else {
      throw Diagnostic("keras.padding", "a kernel of \(kernel) with dilation \(dilation) is too large")
    }
    return product
  }

  /// Throws `keras.config`.
  static func isChannelsFirst(_ config: KerasConfig) throws(Diagnostic) -> Bool {
    try config.string("data_format", default: "channels_last") == "channels_first"
  }

  /// `same` as numbers where the input's extents are some.
  mutating func settle(_ owner: String, kernel: [Dim], input: [Dim]) throws(Diagnostic) {
    guard padType == "same" else { return }
    let window = try SpatialWindow(
      owner,
      kernel: kernel,
      strides: strides,
      dilations: dilations,
      pad: [],
      padType: padType
    )
    guard input.count == rank else { return }
    let pairs = input.indices.map { window.padding($0, input: input[$0]) }
    let numbers = pairs.flatMap { [$0.low.constant, $0.high.constant] }.compactMap { $0 }
    if numbers.count == 2 * rank { (pad, padType) = (numbers, "custom") }
  }
}

extension KerasContext {
  /// The input of a spatial layer with its channels behind the batch. Throws `keras.rank` unless it has `rank` spatial
  /// axes.
  mutating func spatial(
    _ tensor: KerasTensor,
    rank: Int,
    isChannelsFirst: Bool
  ) throws(Diagnostic) -> ValueID {
    guard self.rank(tensor) == rank + 2 else {
      throw Diagnostic("keras.rank", "the input is \(fact(tensor.value).type); it needs \(rank + 2) axes")
    }
    return isChannelsFirst ? try plain(tensor) : try channelsFirst(tensor)
  }

  /// What a layer gives that has no weights and works on the spatial axes alone: `body` takes the input with its
  /// channels behind the batch, and the number of spatial axes.
  mutating func spatially(
    _ call: KerasCall,
    _ body: (inout KerasContext, ValueID, Int) throws(Diagnostic) -> ValueID
  ) throws(Diagnostic) -> [KerasTensor] {
    let rank = spatialRank(call.layer.className)
    let isChannelsFirst = try KerasWindow.isChannelsFirst(call.config)
    let x = try spatial(try call.input(), rank: rank, isChannelsFirst: isChannelsFirst)
    return [spatialResult(try body(&self, x, rank), isChannelsFirst: isChannelsFirst)]
  }

  /// What a spatial layer gives, in the order in which Keras knows it.
  func spatialResult(_ value: ValueID, isChannelsFirst: Bool) -> KerasTensor {
    KerasTensor(value, isChannelsFirst: !isChannelsFirst)
  }
}

/// The number before `D` in a class' name.
func spatialRank(_ className: String) -> Int {
  className.contains("1D") ? 1 : className.contains("3D") ? 3 : 2
}

import MLCCore
import MLCGraph
import MLCOps

/// The window attributes that ONNX convolutions and pools share, as MIL spells them.
struct ONNXWindow {
  var strides: [Int], dilations: [Int]
  /// MIL's `[low₀, high₀, …]`.
  var pad: [Int]
  var padType: String

  /// Reads `strides`, `dilations`, `pads` and `auto_pad`. Throws `onnx.pads` and `onnx.auto-pad`.
  init(_ node: ONNXNode) throws(Diagnostic) {
    strides = try node.ints("strides") ?? []
    dilations = try node.ints("dilations") ?? []
    pad = try ONNXWindow.interleaved(try node.ints("pads") ?? [])
    switch try node.string("auto_pad", default: "NOTSET") {
    case "NOTSET", "": padType = "custom"
    case "VALID": padType = "valid"
    case "SAME_UPPER": padType = "same"
    case "SAME_LOWER": padType = "same_lower"
    case let other: throw Diagnostic("onnx.auto-pad", "auto_pad is '\(other)'")
    }
    if padType != "custom" { pad = [] }
  }

  /// ONNX's `[low₀, low₁, …, high₀, high₁, …]` in pairs.
  private static func interleaved(_ pads: [Int]) throws(Diagnostic) -> [Int] {
    guard pads.count.isMultiple(of: 2) else { throw Diagnostic("onnx.pads", "pads is \(pads)") }
    let half = pads.count / 2
    return (0..<half).flatMap { [pads[$0], pads[half + $0]] }
  }

  /// `auto_pad` as explicit padding, when the input's extents are numbers; otherwise `pad_type` says it.
  mutating func settle(_ owner: String, kernel: [Dim], input: [Dim]) throws(Diagnostic) {
    guard padType.hasPrefix("same") else {
      if padType == "valid" { padType = "custom" }
      return
    }
    let window = try SpatialWindow(
      owner,
      kernel: kernel,
      strides: strides,
      dilations: dilations,
      pad: pad,
      padType: padType
    )
    let pairs = input.indices.map { window.padding($0, input: input[$0]) }
    let numbers = pairs.flatMap { [$0.low.constant, $0.high.constant] }.compactMap { $0 }
    guard numbers.count == 2 * input.count else { return }
    (pad, padType) = (numbers, "custom")
  }
}

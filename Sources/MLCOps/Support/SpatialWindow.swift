import MLCCore
import MLCGraph

/// A window sliding over the spatial axes of `x: [N, C, *D]`: what convolutions and pools share.
///
/// `pad_type` is MIL's: `custom` takes `pad` (`[low₀, high₀, low₁, high₁, …]`), `valid` pads nothing, `same` gives `⌈D
/// / stride⌉` outputs with the odd element of padding at the end, `same_lower` at the start. With e the extent of the
/// dilated kernel, `D′ = ⌊(D + low + high − e) / stride⌋ + 1`; `ceil_mode` rounds up, but no window starts past the
/// data.
package struct SpatialWindow: Sendable {
  package let kernel: [Dim]
  package let strides: [Int], dilations: [Int], pad: [Int]
  package let padType: String
  package let ceilMode: Bool
  private let owner: String

  /// Checks the parameters of operator `owner`; empty lists mean ones, and zeros for `pad`. Throws `<owner>.strides`,
  /// `.dilations`, `.pad`, `.pad-type` or `.kernel`.
  package init(
    _ owner: String,
    kernel: [Dim],
    strides: [Int],
    dilations: [Int] = [],
    pad: [Int],
    padType: String,
    ceilMode: Bool = false
  ) throws(Diagnostic) {
    let rank = kernel.count
    (self.owner, self.kernel, self.padType, self.ceilMode) = (owner, kernel, padType, ceilMode)
    self.strides = strides.isEmpty ? Array(repeating: 1, count: rank) : strides
    self.dilations = dilations.isEmpty ? Array(repeating: 1, count: rank) : dilations
    self.pad = pad.isEmpty || padType != "custom" ? Array(repeating: 0, count: 2 * rank) : pad
    try SpatialWindow.check(self.strides, "strides", rank, 1, owner)
    try SpatialWindow.check(self.dilations, "dilations", rank, 1, owner)
    try SpatialWindow.check(self.pad, "pad", 2 * rank, 0, owner)
    guard ["custom", "valid", "same", "same_lower"].contains(padType) else {
      throw Diagnostic(.init("\(owner).pad-type"), "pad_type is '\(padType)'")
    }
    for case let extent? in kernel.map(\.constant) where extent < 1 || extent > Int(Int32.max) {
      throw Diagnostic(.init("\(owner).kernel"), "the kernel has the extent \(extent)")
    }
  }

  private static func check(
    _ values: [Int],
    _ name: String,
    _ count: Int,
    _ least: Int,
    _ owner: String
  ) throws(Diagnostic) {
    guard values.count == count, values.allSatisfy({ $0 >= least && $0 <= Int(Int32.max) }) else {
      let message = "\(name) is \(values); expected \(count) integers of at least \(least)"
      throw Diagnostic(.init("\(owner).\(name)"), message)
    }
  }

  /// The kernel with the gaps that dilation makes.
  package func dilated(_ axis: Int) -> Dim { (kernel[axis] - 1) * Dim(dilations[axis]) + 1 }

  /// Padding before and after spatial axis `axis` of extent `input`.
  package func padding(_ axis: Int, input: Dim) -> (low: Dim, high: Dim) {
    guard padType.hasPrefix("same") else { return (Dim(pad[2 * axis]), Dim(pad[2 * axis + 1])) }
    let step = Dim(strides[axis])
    let total = Dim.max(0, (input.ceilDiv(step) - 1) * step + dilated(axis) - input)
    let half = total.floorDiv(2)
    return padType == "same" ? (half, total - half) : (total - half, half)
  }

  /// The outputs along spatial axis `axis`. Throws `<owner>.kernel` when the kernel does not fit.
  package func extent(_ axis: Int, input: Dim) throws(Diagnostic) -> Dim {
    let step = Dim(strides[axis])
    if padType.hasPrefix("same") { return input.ceilDiv(step) }
    let (low, high) = padding(axis, input: input)
    let room = input + low + high - dilated(axis)
    if let room = room.constant, room < 0 {
      let message =
        "axis \(axis + 2): a kernel of extent \(dilated(axis)) does not fit \(input) padded by \(low) and \(high)"
      throw Diagnostic(.init("\(owner).kernel"), message)
    }
    guard ceilMode else { return room.floorDiv(step) + 1 }
    return Dim.min(room.ceilDiv(step), (input + low - 1).floorDiv(step)) + 1
  }

  package func extents(_ input: [Dim]) throws(Diagnostic) -> [Dim] {
    var extents: [Dim] = []
    for (axis, size) in input.enumerated() { extents.append(try extent(axis, input: size)) }
    return extents
  }
}

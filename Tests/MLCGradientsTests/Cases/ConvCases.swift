import MLCCore
import MLCOps

extension GradientCase {
  static let conv: [GradientCase] = [
    GradientCase("conv.windows") { draw in
      let window = DrawnWindow(&draw)
      var op = Conv()
      (op.strides, op.dilations, op.pad, op.padType) = (window.strides, window.dilations, window.pad, window.padType)
      op.groups = draw.int(1...3)
      let (channels, filters) = (draw.int(1...2), op.groups * draw.int(1...2))
      let x = draw.reals([draw.int(1...2), channels * op.groups] + window.data(&draw))
      let weight = draw.reals([filters, channels] + window.kernel)
      return DrawnOperation(op, [[x], [weight]] + (draw.flag() ? [[draw.reals([filters])]] : []))
    },
    GradientCase("conv_transpose.windows") { draw in
      let window = DrawnWindow(&draw, padding: 0...0)
      var op = ConvTranspose()
      (op.strides, op.dilations) = (window.strides, window.dilations)
      op.pad = window.kernel.indices.flatMap { axis in
        let extent = (window.kernel[axis] - 1) * window.dilations[axis] + 1
        return [draw.int(0...(extent - 1) / 2), draw.int(0...(extent - 1) / 2)]
      }
      if draw.flag() { op.outputPadding = window.strides.map { draw.int(0...$0 - 1) } }
      op.groups = draw.int(1...3)
      let (channels, filters) = (op.groups * draw.int(1...2), draw.int(1...2))
      let x = draw.reals([draw.int(1...2), channels] + window.kernel.map { _ in draw.int(1...3) })
      let weight = draw.reals([channels, filters] + window.kernel)
      return DrawnOperation(op, [[x], [weight]] + (draw.flag() ? [[draw.reals([filters * op.groups])]] : []))
    },
    GradientCase("conv_transpose.same") { draw in
      var op = ConvTranspose()
      (op.padType, op.strides) = (draw.one(of: ["same", "same_lower"]), [draw.int(1...2), draw.int(1...2)])
      let kernel = op.strides.map { draw.int($0...3) }
      return DrawnOperation(op, draw.reals([1, 2, draw.int(1...3), draw.int(1...3)]), draw.reals([2, 2] + kernel))
    },
  ]
}

/// A window over one to three axes.
struct DrawnWindow {
  let kernel: [Int], strides: [Int], dilations: [Int], pad: [Int]
  let padType: String

  init(_ draw: inout Draw, padding: ClosedRange<Int> = 0...2, dilates: Bool = true) {
    let rank = draw.int(1...3)
    let most = rank == 3 ? 2 : 3
    (kernel, strides) = ((0..<rank).map { _ in draw.int(1...most) }, (0..<rank).map { _ in draw.int(1...2) })
    dilations = (0..<rank).map { _ in dilates ? draw.int(1...2) : 1 }
    pad = kernel.flatMap { size in [min(draw.int(padding), size - 1), min(draw.int(padding), size - 1)] }
    padType = draw.one(of: ["custom", "custom", "valid", "same", "same_lower"])
  }

  /// Extents that the kernel fits.
  func data(_ draw: inout Draw) -> [Int] {
    kernel.indices.map { (kernel[$0] - 1) * dilations[$0] + 1 + draw.int(0...3) }
  }
}

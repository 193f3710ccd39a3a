import MLCCore
import MLCGraph

/// Moves `downscale_factor × downscale_factor` squares of the plane into channels: `x: T[N, C, H, W]` →
/// `y: T[N, C·b², H/b, W/b]`, `y[n, c·b² + i·b + j, h, w] = x[n, c, h·b + i, w·b + j]`. Throws as `BlockRearrangement`.
/// Source: MIL `pixel_unshuffle`, ONNX `SpaceToDepth` with mode CRD.
package struct PixelUnshuffle: BlockRearrangement {
  package var block = 1

  package static let schema = Schema<PixelUnshuffle>(
    "pixel_unshuffle",
    [.input("x", rank: 4...4), .attribute("downscale_factor", \.block)]
  )
  package static let grows = false
  package static let perm = [0, 1, 3, 5, 2, 4]

  package init() {}
  package init(block: Int) { self.block = block }

  package func split(_ x: [Int], _ y: [Int]) -> [Int] { [x[0], x[1], y[2], block, y[3], block] }
}

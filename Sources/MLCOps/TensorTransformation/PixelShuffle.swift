import MLCCore
import MLCGraph

/// Moves channels into `upscale_factor × upscale_factor` squares of the plane: `x: T[N, C, H, W]` →
/// `y: T[N, C/b², H·b, W·b]`, `y[n, c, h·b + i, w·b + j] = x[n, c·b² + i·b + j, h, w]`. Throws as `BlockRearrangement`.
/// Source: MIL `pixel_shuffle`, ONNX `DepthToSpace` with mode CRD.
package struct PixelShuffle: BlockRearrangement {
  package var block = 1

  package static let schema = Schema<PixelShuffle>(
    "pixel_shuffle",
    [.input("x", rank: 4...4), .attribute("upscale_factor", \.block)]
  )
  package static let grows = true
  package static let perm = [0, 1, 4, 2, 5, 3]

  package init() {}
  package init(block: Int) { self.block = block }

  package func split(_ x: [Int], _ y: [Int]) -> [Int] { [x[0], y[1], block, block, x[2], x[3]] }
}

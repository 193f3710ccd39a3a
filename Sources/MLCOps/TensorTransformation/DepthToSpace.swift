import MLCCore
import MLCGraph

/// Moves channels into `block_size × block_size` squares of the plane: `x: T[N, C, H, W]` → `y: T[N, C/b², H·b, W·b]`,
/// `y[n, c, h·b + i, w·b + j] = x[n, (i·b + j)·C/b² + c, h, w]`. Throws as `BlockRearrangement`.
/// Source: MIL `depth_to_space`, ONNX `DepthToSpace` with mode DCR.
package struct DepthToSpace: BlockRearrangement {
  package var block = 1

  package static let schema = Schema<DepthToSpace>(
    "depth_to_space",
    [.input("x", rank: 4...4), .attribute("block_size", \.block)]
  )
  package static let grows = true
  package static let perm = [0, 3, 4, 1, 5, 2]

  package init() {}
  package init(block: Int) { self.block = block }

  package func split(_ x: [Int], _ y: [Int]) -> [Int] { [x[0], block, block, y[1], x[2], x[3]] }
}

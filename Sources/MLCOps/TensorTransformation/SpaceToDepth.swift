import MLCCore
import MLCGraph

/// Moves `block_size × block_size` squares of the plane into channels: `x: T[N, C, H, W]` → `y: T[N, C·b², H/b, W/b]`,
/// `y[n, (i·b + j)·C + c, h, w] = x[n, c, h·b + i, w·b + j]`. Throws as `BlockRearrangement`.
/// Source: MIL `space_to_depth`, ONNX `SpaceToDepth`.
package struct SpaceToDepth: BlockRearrangement {
  package var block = 1

  package static let schema = Schema<SpaceToDepth>(
    "space_to_depth",
    [.input("x", rank: 4...4), .attribute("block_size", \.block)]
  )
  package static let grows = false
  package static let perm = [0, 3, 5, 1, 2, 4]

  package init() {}
  package init(block: Int) { self.block = block }

  package func split(_ x: [Int], _ y: [Int]) -> [Int] { [x[0], x[1], y[2], block, y[3], block] }
}

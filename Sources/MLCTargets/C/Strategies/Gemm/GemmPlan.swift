import MLCCore
import MLCKernels

/// How a matmul is computed: the choices that the emitter spells out.
struct GemmPlan: Sendable {
  var tile: GemmTile
  /// Columns of a panel: `tile.vectors` vectors.
  var width: Int
  /// Most rows of one task.
  var block: Int
  /// Most steps of k between a panel's packing and its use; partial sums wait in scratch when k is longer.
  var depth: Int
  /// Elements of a packed row where they are not `depth`.
  var leftDepth: Int?
  /// Whether k may be longer than `depth`.
  var chunked: Bool
  /// Whether rows of the left operand are copied into scratch as float32.
  var packsLeft: Bool
  /// Element type of the constant panels, `nil` when panels are packed while running or are codes.
  var constantType: DType?
  /// Columns of a strip where the constant lies in strips; `nil` where it lies in panels.
  var strip: Int?
  /// The right operand when it is kept compressed.
  var compressed: CompressedPanels?
  /// Whether codes are expanded a panel at a time, not in registers.
  var expandsCodes = false

  var lanes: Int { width / tile.vectors }

  /// Elements from one packed row to the next: never a multiple of 4 KiB.
  var leftStride: Int {
    let depth = leftDepth ?? depth
    return depth + (depth % 32 == 16 ? 32 : 16 + (32 - depth % 32) % 32)
  }

  /// Elements of scratch before the packed left rows: partial sums, or one tile.
  var sumElements: Int { (chunked ? block : tile.rows) * width }
  var leftElements: Int { packsLeft ? block * leftStride : 0 }
  var rightElements: Int { constantType == nil && (compressed == nil || expandsCodes) ? depth * width : 0 }
  var scratchElements: Int { sumElements + leftElements + rightElements }
}

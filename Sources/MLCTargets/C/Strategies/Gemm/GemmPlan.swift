import MLCCore
import MLCKernels

/// How a matmul is computed: the choices that the emitter spells out.
struct GemmPlan: Sendable {
  var tile: GemmTile
  /// Columns of a panel: `tile.vectors` vectors.
  var width: Int
  /// Most rows of one task.
  var block: Int
  /// Whether the tasks of a panel follow each other, not those of a block of rows.
  var rowsFirst = false
  /// Most steps of k that all rows of a task take before the next ones; partial sums wait in scratch when k is longer.
  var depth: Int
  /// Whether k may be longer than `depth`.
  var chunked: Bool
  /// Whether rows of the left operand are copied into scratch as float32.
  var packsLeft: Bool
  /// Elements of a packed row.
  var leftDepth: Int
  /// Element type of the constant panels, `nil` when panels are packed while running or are codes.
  var constantType: DType?
  /// Columns of a strip where the constant lies in strips; `nil` where it lies in panels.
  var strip: Int?
  /// The right operand when it is kept compressed.
  var compressed: CompressedPanels?
  /// Whether codes are expanded a panel at a time, not in registers.
  var expandsCodes = false
  /// Steps of k in which a tile asks for one cache line of what follows the panel; `nil` where it asks for none.
  var stepsPerPrefetch: Int?
  /// Whether a step of k asks for the constant's rows that later steps read.
  var readsAhead = false
  /// Whether a tile asks for the cache lines of its results while it multiplies.
  var fetchesResults = false
  /// Whether sums are formed in tiles, not in vectors.
  var usesTiles = false

  var lanes: Int { width / tile.vectors }

  /// Elements from one packed row to the next: never a multiple of 4 KiB.
  var leftStride: Int { leftDepth + (leftDepth % 32 == 16 ? 32 : 16 + (32 - leftDepth % 32) % 32) }
  /// Whether a row block's left rows are packed once for all panels, not part by part for each.
  var packsLeftOnce: Bool { !chunked || leftDepth > depth }

  /// Elements of scratch before the packed left rows: partial sums, or one tile.
  var sumElements: Int { (chunked ? block : tile.rows) * width }
  /// Tiles read as many rows as they have.
  var leftElements: Int { packsLeft ? (usesTiles ? block + tile.rows : block) * leftStride : 0 }
  var rightElements: Int { constantType == nil && (compressed == nil || expandsCodes) ? depth * width : 0 }
  var scratchElements: Int { sumElements + leftElements + rightElements }
}

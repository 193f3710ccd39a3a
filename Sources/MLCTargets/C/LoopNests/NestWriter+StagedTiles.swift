import MLCCore
import MLCKernels

// Transpositions that write rows about a multiple of a large power of two apart. The lines of a tile then fall into few
// sets of the first cache and push each other out, so several tiles are turned into a buffer, and longer pieces of rows
// are written at a time.

extension NestWriter {
  /// Tiles beside each other in a block: along the rows, and along the lanes.
  static var stagedRows: Int { 4 }
  static var stagedLanes: Int { 8 }
  /// Bytes after which addresses fall into the same set of a first cache; its size in these is how many a set holds.
  private static var setBytes: Int { 4096 }
  private static var lineBytes: Int { 64 }
  /// Tensors of so many times the second cache's bytes are written at the pace of memory, staged or not.
  private static var farthest: Int { 16 }

  /// Whether the lines that a tile's rows are written to are more than the sets hold that they fall into.
  func sharesSets(_ tile: Transposition) -> Bool {
    guard let rows = tile.rows.extent.constant, let columns = tile.lanes.extent.constant,
      rows >= Self.stagedRows * lanes, columns >= Self.stagedLanes * lanes,
      let step = speller.address(tile.param, tile.index).coefficient(of: tile.rows.id)?.constant, step > 0,
      let stride = speller.params[tile.param].dtype.byteCount(step)
    else { return false }
    let far = Self.farthest * device.secondCacheBytes
    let elements = nest.axes.reduce(1) { Swift.min($0 * TaskPlan.extent($1), 1 << 40) }
    let ways = Swift.max(1, (device.cacheBytes.first ?? 32768) / Self.setBytes)
    let sets = (0..<lanes).map { $0 * (stride % Self.setBytes) % Self.setBytes / Self.lineBytes }
    let isCrowded = Dictionary(grouping: sets) { $0 }.values.contains { $0.count > ways }
    return isCrowded && elements * 4 * (1 + tile.loads.count) <= far
  }

  /// Blocks of tiles from row `u` on, as long as they are whole; tiles one by one behind the last whole block of each.
  func stagedTiles(_ tile: Transposition) -> CCode {
    let (rows, columns) = (Self.stagedRows, Self.stagedLanes)
    return """
      while (u + \(rows) * VL <= hi) {
        int64_t done = 0;
        for (; done + \(columns) * VL <= \(speller.sizes.spell(tile.lanes.extent)); done += \(columns) * VL) {
          \(block(tile))
        }
        for (const int64_t last = u + \(rows) * VL; u < last; u += VL) {
          \(strip(tile, rows: nil, from: "done"))
        }
      }
      """
  }

  /// The block from row `u` and lane `done` on: read along its rows, then written along its lanes.
  private func block(_ tile: Transposition) -> CCode {
    let numbers = tile.loads.indices
    // One vector more than is used keeps the buffer's rows in sets of their own.
    let buffers = numbers.map { "V staged\($0)[\(Self.stagedRows) * VL][\(Self.stagedLanes) + 1];" }
    let kept = numbers.map { "for (int k = 0; k < VL; k++) staged\($0)[i * VL + k][j] = tile\($0)[k];" }
    var reader = speller
    reader.name(tile.rows.id, "(u + i * VL)")
    reader.name(tile.lanes.id, "(done + j * VL + k)")
    let store = stored(tile, row: "(u + k)", lane: "(done + j * VL)", part: nil) { "staged\($0)[k][j]" }
    return """
      \(CCode(lines: buffers))
      for (int64_t j = 0; j < \(Self.stagedLanes); j++) {
        for (int64_t i = 0; i < \(Self.stagedRows); i++) {
          \(read(tile, reader, rows: nil, lanes: nil))
          \(CCode(lines: kept))
        }
      }
      for (int64_t k = 0; k < \(Self.stagedRows) * VL; k++)
        for (int64_t j = 0; j < \(Self.stagedLanes); j++) \(store)
      """
  }
}

import MLCCore
import MLCKernels

/// How blocked attention is cut up: rows of queries at a time, panels of keys, groups of value columns, chunks of keys.
struct AttentionTile: Hashable, Sendable {
  /// Queries whose scores, then sums, are made together, and vectors of keys, then of value columns, beside each other:
  /// as many accumulators as registers hold.
  let rows: Int, vectors: Int
  /// Keys that are packed together, a multiple of a panel.
  let keys: Int
  /// Queries of one task.
  let block: Int
  let lanes: Int

  init(_ problem: AttentionProblem, on device: DeviceDescription) {
    lanes = device.lanes
    let isWide = device.vectorRegisters >= 32
    rows = isWide ? 14 : device.lanes >= 8 ? 6 : 4
    vectors = 2
    let panel = vectors * lanes
    let cache = device.secondCacheBytes
    let columns = (problem.width + lanes - 1) / lanes * lanes
    let fitting = max(panel, min(1024, cache / 8 / (problem.depth + columns)) / panel * panel)
    let wanted = min(problem.attention.n.extent.constant ?? 512, 1 << 20)
    let chunks = max(1, (wanted + fitting - 1) / fitting)
    keys = max(panel, ((wanted + chunks - 1) / chunks + panel - 1) / panel * panel)
    let queries = problem.attention.m.extent.constant ?? 128
    let batch = problem.attention.batch.reduce(1.0) { $0 * Double($1.extent.constant ?? 1) }
    // Where keys take several chunks, each block packs all of them anew; its sums stay in a quarter of the cache.
    let sizes = chunks > 1 ? [512, 256].filter { 16 * $0 * columns <= cache } + [128] : [128]
    let block = sizes.first { batch * max(1, Double(queries) / Double($0)) >= 8 } ?? 64
    self.block = max(1, min(queries, block))
  }

  var panel: Int { vectors * lanes }
  /// Elements from one row of scores to the next: no multiple of 4 KiB.
  var stride: Int { keys + 16 }

  /// Value columns in vectors, as groups that are as even as they can be.
  func groups(_ width: Int) -> [Int] {
    let count = (width + lanes - 1) / lanes
    return AttentionTile.split(count, vectors)
  }

  /// Row counts of the tiles that tasks fall into.
  func rowCounts(_ m: Int?) -> [Int] {
    guard let m else { return Array(1...rows) }
    let blocks = (m + block - 1) / block
    if blocks == 0 { return [] }
    let sizes = Set([m / blocks, (m + blocks - 1) / blocks])
    return Set(sizes.flatMap { AttentionTile.split($0, rows) }).sorted()
  }

  /// `count` as the fewest parts of at most `most`, the larger ones first.
  static func split(_ count: Int, _ most: Int) -> [Int] {
    let parts = (count + most - 1) / most
    return (0..<parts).map { count / parts + ($0 < count % parts ? 1 : 0) }
  }
}

import MLCCore
import MLCKernels

/// How blocked attention is cut up: rows of queries at a time, panels of keys, groups of value columns, chunks of keys.
struct AttentionTile: Hashable, Sendable {
  /// Queries whose scores are made together, and vectors of keys beside each other.
  let rows: Int, vectors: Int
  /// Vectors of value columns summed together at most, and the accumulators that registers hold.
  let widest: Int, accumulators: Int
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
    widest = isWide ? 4 : 2
    accumulators = isWide ? 28 : device.lanes >= 8 ? 12 : 8
    let panel = vectors * lanes
    let cache = device.cacheBytes.dropFirst().first ?? 262_144
    let columns = (problem.width + lanes - 1) / lanes * lanes
    let fitting = max(panel, min(1024, cache / 8 / (problem.depth + columns)) / panel * panel)
    let wanted = problem.attention.n.extent.constant ?? 512
    keys = max(panel, min(fitting, (min(wanted, 1 << 20) + panel - 1) / panel * panel))
    let batch = problem.attention.batch.reduce(1.0) { $0 * Double($1.extent.constant ?? 1) }
    let most = batch >= 8 ? 128 : 64
    block = max(1, min(most, problem.attention.m.extent.constant ?? most))
  }

  var panel: Int { vectors * lanes }
  /// Elements from one row of scores to the next: no multiple of 4 KiB.
  var stride: Int { keys + 16 }

  /// Value columns in vectors, as groups that are as even as they can be.
  func groups(_ width: Int) -> [Int] {
    let count = (width + lanes - 1) / lanes
    return AttentionTile.split(count, widest)
  }

  /// `rows` in parts whose accumulators fit beside a group of `vectors` columns.
  func parts(_ rows: Int, _ vectors: Int) -> [Int] {
    AttentionTile.split(rows, max(1, min(self.rows, accumulators / vectors)))
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

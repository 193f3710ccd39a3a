import MLCCore
import MLCKernels

/// Matmul by a constant of bytes, or of factors rounded to bfloat16, in tiles: two by two of them hold sums.
package enum TileGemm: GemmStrategy {
  package static let name = "TileGemm"
  static let label = "tiles"

  static func plan(_ problem: GemmProblem, on device: DeviceDescription) -> GemmPlan? {
    guard problem.usesTiles, device.lanes == TileShape.words, device.variant == nil else { return nil }
    let rows = problem.matmul.m.extent.constant ?? 128
    let tile = GemmTile(rows: rows <= TileShape.rows ? TileShape.rows : 2 * TileShape.rows, vectors: 2)
    guard let panels = ConstantPanels(problem, width: tile.width(device)) else { return nil }
    var plan = PackedGemm.plan(problem, tile, panels, device)
    plan.usesTiles = true
    plan.stepsPerPrefetch = PackedGemm.stepsPerPrefetch(plan, rows: min(plan.block, rows))
    return plan
  }

  static func refined(_ problem: GemmProblem, on device: DeviceDescription) -> GemmProblem {
    let type: DType? = problem.areBytes ? .int8 : problem.factors?.type
    guard let type, device.multipliesInTiles(type) else { return problem }
    return problem.inTiles() ?? problem
  }

  /// Of a step of k, a word: products of tiles, or loads where these take longer; of a block of sums, its way through
  /// memory; of a row, its rounding or copy. Those of bytes count four times beside vectors, which multiply two words a
  /// cycle, not one as their costs say, and wait less for sums.
  static func cost(_ problem: GemmProblem, _ plan: GemmPlan, on device: DeviceDescription) -> Double {
    let matmul = problem.matmul
    let batch = matmul.batch.reduce(1) { $0 * Double($1.extent.constant ?? 8) }
    let (m, n) = (matmul.m.extent.constant ?? 128, matmul.n.extent.constant ?? 128)
    let words = Double(matmul.k.extent.constant ?? 128)
    let (high, wide) = (Double(plan.tile.rows / TileShape.rows), 2.0)
    let blocks = Double((m + plan.tile.rows - 1) / plan.tile.rows * ((n + plan.width - 1) / plan.width))
    let step = max(high * wide * TileShape.productCycles, (high + wide) * TileShape.loadCycles)
    let sums = 4 * high * wide * Double(TileShape.rows)
    let cycles = batch * (blocks * (words / Double(TileShape.words) * step + sums) + Double(m) * words / 8)
    return problem.areBytes ? 4 * cycles : cycles
  }
}

extension GemmProblem {
  /// Whether rows of both operands are counted in rows of tiles.
  var usesTiles: Bool { factors?.wordsPerStep == TileShape.words || wordsPerRow != nil }
}

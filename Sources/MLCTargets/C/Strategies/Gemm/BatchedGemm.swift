import MLCCore
import MLCKernels

/// Matmul of two operands that are both known only as the program runs: each task packs its panel into scratch.
/// Takes every strided matmul, whatever is symbolic, but constants whose panels `PackedGemm` has packed: scratch is
/// bounded by taking k in parts.
package enum BatchedGemm: GemmStrategy {
  package static let name = "BatchedGemm"
  static let label = "batched"

  static func plan(_ problem: GemmProblem, on device: DeviceDescription) -> GemmPlan? {
    if problem.compressed != nil || problem.areBytes || problem.factors != nil { return nil }
    if problem.constant != nil, PackedGemm.plan(problem, on: device) != nil { return nil }
    let matmul = problem.matmul
    let m = matmul.m.extent.constant
    let candidates = GemmTile.candidates(device, registers: problem.registers).filter { m != nil || $0.rows <= 8 }
    let tile = GemmTile.best(candidates, m: m, n: matmul.n.extent.constant, device)
    let whole = matmul.k.extent.constant.flatMap { $0 <= 1024 ? max($0, 1) : nil }
    let block = m.map { min(max($0, 1), 256) } ?? 256
    return GemmPlan(
      tile: tile,
      width: tile.width(device),
      block: block,
      depth: whole ?? 512,
      chunked: whole == nil,
      packsLeft: problem.packsLeft(rows: block),
      leftDepth: whole ?? 512,
      constantType: nil
    )
  }
}

import MLCCore
import MLCKernels

/// One to four rows times a constant: every weight is read once, in panels as wide as the registers allow.
package enum Gemv: GemmStrategy {
  package static let name = "Gemv"
  static let label = "gemv"

  static func plan(_ problem: GemmProblem, on device: DeviceDescription) -> GemmPlan? {
    guard let m = problem.matmul.m.extent.constant, (1...4).contains(m) else { return nil }
    if problem.compressed != nil { return codesPlan(problem, rows: m, device) }
    let device = problem.counting(device)
    let candidates = GemmTile.wideCandidates(device, rows: m, registers: problem.registers).filter {
      problem.factors != nil || $0.followsStrips(device)
    }
    let tile = GemmTile.best(candidates, m: m, n: problem.matmul.n.extent.constant, device)
    guard let panels = ConstantPanels(problem, width: tile.width(device)) else { return nil }
    var plan = PackedGemm.plan(problem, tile, panels, device)
    plan.readsAhead = !problem.areHalves && problem.constantCount > device.secondCacheBytes / 16
    return PackedGemm.inStrips(plan, problem, device)
  }

  /// Codes expanded in registers, each used once for every row.
  private static func codesPlan(_ problem: GemmProblem, rows: Int, _ device: DeviceDescription) -> GemmPlan? {
    // With few registers, wide panels leave none for palettes and scales.
    let widest = device.vectorRegisters >= 32 ? 8 : 4
    let tile = GemmTile.best(
      GemmTile.wideCandidates(device, rows: rows).filter { $0.vectors <= widest },
      m: rows,
      n: problem.matmul.n.extent.constant,
      device
    )
    guard let constant = problem.compressed, let panels = ConstantPanels(problem, width: tile.width(device)),
      let compressed = CompressedPanels(constant, panels.grid(vectors: tile.vectors), lanes: device.lanes),
      compressed.codes != nil
    else { return nil }
    var plan = PackedGemm.plan(problem, tile, panels, device)
    (plan.constantType, plan.compressed) = (nil, compressed)
    return plan
  }
}

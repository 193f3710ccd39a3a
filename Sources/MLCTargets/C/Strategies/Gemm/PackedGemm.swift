import MLCCore
import MLCKernels

/// Matmul by a constant: panels of columns packed while compiling, rows read where they are.
package enum PackedGemm: GemmStrategy {
  package static let name = "PackedGemm"
  static let label = "packed"

  static func plan(_ problem: GemmProblem, on device: DeviceDescription) -> GemmPlan? {
    let (matmul, device) = (problem.matmul, problem.counting(device))
    let m = matmul.m.extent.constant
    let isCode = problem.compressed != nil
    let candidates = GemmTile.candidates(device, problem).filter {
      (m != nil || $0.rows <= 8) && (isCode || problem.factors != nil || $0.followsStrips(device))
    }
    let widening = problem.widening(on: device)
    let tile = GemmTile.best(candidates, m: m, n: matmul.n.extent.constant, device, widening: widening)
    guard let panels = ConstantPanels(problem, width: tile.width(device)) else { return nil }
    if let compressed = problem.compressed { return expanding(compressed, problem, tile, panels, device) }
    guard var plan = inStrips(plan(problem, tile, panels, device), problem, device) else { return nil }
    // Float16 sums are formed in runs of their own.
    if !problem.areHalves { plan.stepsPerPrefetch = stepsPerPrefetch(plan, rows: min(plan.block, m ?? plan.block)) }
    return plan
  }

  /// Codes expanded in parts of k that are whole runs, or whole words of one run.
  private static func expanding(
    _ constant: CompressedConstant,
    _ problem: GemmProblem,
    _ tile: GemmTile,
    _ panels: ConstantPanels,
    _ device: DeviceDescription
  ) -> GemmPlan? {
    let grid = panels.grid(vectors: tile.vectors)
    guard let compressed = CompressedPanels(constant, grid, lanes: device.lanes) else { return nil }
    var plan = plan(problem, tile, panels, device)
    (plan.constantType, plan.compressed, plan.expandsCodes) = (nil, compressed, true)
    let (most, unit) = (1 << 20, compressed.unit)
    if plan.depth * plan.width * 4 <= most { return plan }
    plan.depth = max(1, most / 4 / plan.width / unit) * unit
    plan.chunked = plan.depth < panels.k
    plan.leftDepth = plan.depth
    return plan.depth * plan.width * 4 <= 4 * most ? plan : nil
  }

  /// `plan` for a constant in strips where devices share it; `nil` where they would be too large.
  static func inStrips(_ plan: GemmPlan, _ problem: GemmProblem, _ device: DeviceDescription) -> GemmPlan? {
    guard problem.factors == nil, let strip = device.packedLanes else { return plan }
    guard ConstantPanels(problem, width: strip) != nil else { return nil }
    var plan = plan
    plan.strip = strip
    return plan
  }

  static func plan(_ problem: GemmProblem, _ tile: GemmTile, _ panels: ConstantPanels, _ device: DeviceDescription)
    -> GemmPlan
  {
    let (block, rowsFirst) = block(problem, tile, panels, device)
    let (k, rows) = (max(panels.k, 1), min(block, problem.matmul.m.extent.constant ?? block))
    let depth = depth(problem, tile, rows: rows, width: panels.width, k, device)
    return GemmPlan(
      tile: tile,
      width: panels.width,
      block: block,
      rowsFirst: rowsFirst,
      depth: depth,
      chunked: depth < k,
      packsLeft: problem.packsLeft(rows: block),
      leftDepth: problem.factors?.words ?? k,
      constantType: constantType(problem, device)
    )
  }

  /// Blocks of rows stay in the second cache while the panels pass by, and leave every core of a large machine a task.
  /// So do results where they are much wider than rows: panels side by side share their cache lines. Rows that stay
  /// there all together are divided for the sake of cores alone: then a panel's blocks follow each other, so that it is
  /// read once; rows that a task packs are not, where panels are tasks enough.
  /// Very long packed rows are taken a tile at a time: scratch is bounded.
  private static func block(
    _ problem: GemmProblem,
    _ tile: GemmTile,
    _ panels: ConstantPanels,
    _ device: DeviceDescription
  ) -> (rows: Int, rowsFirst: Bool) {
    let packs = problem.packsLeft(rows: tile.rows + 1)
    if packs, panels.k > 8192 { return (tile.rows, false) }
    let n = problem.matmul.n.extent.constant ?? 0
    let row = max(panels.k, 1) + (n > 4 * panels.k ? n : 0)
    // Products of few bits are too fast for panels that come from beyond the cache more than once.
    let isFast = problem.factors != nil || problem.areBytes
    let cache = device.secondCacheBytes
    let fitting = isFast ? max(128, cache / 2 / (4 * row)) : max(64, secondCache(device) / 2 / (4 * row))
    guard let m = problem.matmul.m.extent.constant else { return (fitting, false) }
    let batch = problem.matmul.batch.reduce(1.0) { $0 * Double($1.extent.constant ?? 1) }
    let tasks = max(Double(panels.panels) * batch, 1)
    let isWhole = m <= (isFast ? fitting * 3 / 2 : fitting)
    if isWhole, packs, tasks >= 8 { return (max(m, 1), false) }
    let shared = max(4 * tile.rows, Int(min(Double(m) * tasks / 16, 1e6)))
    let rows = max(1, min(m, shared, isWhole ? m : fitting))
    return (rows, isWhole && !packs && rows < m)
  }

  /// Weights keep their type where the instruction set widens it, unless they are rounded; a pair is a word.
  static func constantType(_ problem: GemmProblem, _ device: DeviceDescription) -> DType {
    if let factors = problem.factors { return factors.arePairs ? .int32 : factors.type }
    let type = problem.constant?.dtype ?? .float32
    return type == .float16 && !device.convertsFloat16 ? .float32 : type
  }
}

extension GemmProblem {
  /// Vector operations that widen a vector of the constant as it is loaded.
  func widening(on device: DeviceDescription) -> Int {
    guard constant != nil, factors == nil, !areBytes else { return 0 }
    return PackedGemm.constantType(self, device).bitWidth < sumElement.bitWidth ? 2 : 0
  }

  /// Rows are rounded and narrow ones widened once, those for tiles filled up with zeros, and rows a multiple of 4 KiB
  /// apart are moved so that they do not evict each other.
  func packsLeft(rows: Int) -> Bool {
    if areBytes { return usesTiles }
    if factors != nil { return true }
    if lhsType != sumElement { return true }
    guard rows > 8, lhs.stride(matmul.k) == 1, let row = lhs.stride(matmul.m).constant else { return false }
    return row != 0 && row.isMultiple(of: 1024)
  }
}

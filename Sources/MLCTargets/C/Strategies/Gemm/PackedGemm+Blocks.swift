import MLCCore
import MLCKernels

extension PackedGemm {
  /// Steps of k that a block of rows takes before the next ones: all where the second cache keeps the rows, a panel and
  /// the next one, else equal parts. Partial sums are to be few beside the products between them.
  static func depth(
    _ problem: GemmProblem,
    _ tile: GemmTile,
    rows: Int,
    width: Int,
    _ k: Int,
    _ device: DeviceDescription
  ) -> Int {
    // Panels that few tiles read are not worth keeping.
    guard problem.factors == nil, !problem.areBytes, problem.constant != nil, rows > 4 * tile.rows else { return k }
    if let wanted = GemmVariant(device.variant)?.depth, wanted > 0 { return min(wanted, k) }
    let bytes = problem.sumElement.bitWidth / 8
    let fitting = max(512, (secondCache(device) - rows * k * bytes) / (2 * width * bytes))
    if k <= fitting { return k }
    let parts = (k + fitting - 1) / fitting
    return ((k + parts - 1) / parts + 7) / 8 * 8
  }

  /// What of the second cache a product has for itself: pages fall unevenly into it, and where it is large another
  /// thread of the core often has its half.
  static func secondCache(_ device: DeviceDescription) -> Int {
    min(device.secondCacheBytes / 4 * 3, 3 << 18)
  }

  /// How many steps of k pass between two lines that a tile asks for, such that `rows` of a task ask for a whole panel;
  /// `nil` where there are too few to hide it.
  static func stepsPerPrefetch(_ plan: GemmPlan, rows: Int) -> Int? {
    guard plan.strip == nil, let type = plan.constantType else { return nil }
    let tiles = (rows + plan.tile.rows - 1) / plan.tile.rows
    let most = tiles * 64 * 8 / (plan.width * type.bitWidth)
    return most >= 8 ? 8 : most >= 4 ? 4 : most >= 2 ? 2 : nil
  }
}

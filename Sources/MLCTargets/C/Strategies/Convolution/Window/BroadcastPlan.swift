import MLCCore
import MLCKernels

/// How a convolution whose vectors run over filters is computed: the choices that the emitter spells out.
struct BroadcastPlan {
  /// Outputs of a row by vectors of filters that a micro-kernel keeps in registers: for whole panels, and for the
  /// narrower last one.
  let tiles: [GemmTile]
  let panels: ConvolutionPanels
  let region: WindowRegion
  /// Input channels whose weights of a panel stay in the second-level cache.
  let channels: Int
  /// Panels of a task.
  let panelsPerTask: Int
  /// Estimated vector operations on one core.
  let cost: Double

  /// The cheapest plan; `nil` where the sizes of the output are not known.
  static func best(_ problem: ConvolutionProblem, _ space: WindowSpace) -> BroadcastPlan? {
    let output = space.output.compactMap(\.constant)
    guard output.count == 3 else { return nil }
    let plans = (1...Swift.min(problem.filterBlocks, 8)).map { BroadcastPlan(problem, space, output, vectors: $0) }
    return plans.min { $0.cost < $1.cost }
  }

  private init(_ problem: ConvolutionProblem, _ space: WindowSpace, _ output: [Int], vectors: Int) {
    let device = problem.device
    let cache = device.cacheBytes.last ?? 1 << 18
    region = BroadcastPlan.region(space, output, channels: problem.channels, most: cache / 8)
    panels = ConvolutionPanels(blocksPerGroup: problem.filterBlocks, groups: 1, vectors: vectors)
    let columns = region.columns
    tiles = [vectors, panels.rest].filter { $0 > 0 }.map {
      let most = Swift.max(1, (device.vectorRegisters - 1 - $0) / $0)
      let count = (columns + most - 1) / most
      return GemmTile(rows: (columns + count - 1) / count, vectors: $0)
    }
    let most = Swift.max(1, cache / 16 / (problem.taps * vectors * device.lanes))
    let parts = (problem.channels + most - 1) / most
    channels = (problem.channels + parts - 1) / parts
    let regions = zip(output, [region.planes, region.rows, region.columns]).reduce(problem.batch.constant ?? 1) {
      $0 * (($1.0 + $1.1 - 1) / $1.1)
    }
    panelsPerTask = regions >= 16 ? panels.count : Swift.max(1, panels.count * regions / 16)
    // Sums wait between parts of the channels, and are turned and stored in the end.
    let pixels = Double(region.pixels * problem.filterBlocks)
    let lines = region.planes * region.rows
    let products = zip(tiles, [panels.whole, 1]).reduce(0.0) {
      $0 + $1.0.cost(m: columns, n: $1.1 * $1.0.vectors * device.lanes, device)
    }
    let geometry = WindowGeometry(space, region)
    let copied = Double(geometry.channelStride * problem.channels * panels.count) / Double(device.lanes)
    let copies = copied / Double(panelsPerTask) * (space.spans[2].stride == 1 ? 2 : 2 * Double(device.lanes))
    cost = Double(regions) * (Double(lines * problem.steps) * products + pixels * Double(2 * parts + 12) + copies)
  }

  /// Whole rows of up to 128 outputs, then several rows and planes of up to 256, while the inputs are at most `most`
  /// floats.
  private static func region(_ space: WindowSpace, _ output: [Int], channels: Int, most: Int) -> WindowRegion {
    let parts = (output[2] + 127) / 128
    var region = WindowRegion(planes: 1, rows: 1, columns: (output[2] + parts - 1) / parts)
    func grow(_ path: WritableKeyPath<WindowRegion, Int>, to limit: Int) {
      while region[keyPath: path] < limit {
        var larger = region
        larger[keyPath: path] += 1
        guard larger.pixels <= 256, WindowGeometry(space, larger).channelStride * channels <= most else { return }
        region = larger
      }
    }
    guard parts == 1 else { return region }
    grow(\.rows, to: output[1])
    if region.rows == output[1] { grow(\.planes, to: output[0]) }
    return region
  }
}

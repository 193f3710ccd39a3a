import MLCCore
import MLCKernels

/// How a convolution of plain tensors by `transform` is blocked. A place is a part of an image: some rows and columns
/// of tiles. Tiles of one row of a place follow each other, and one that computes nothing.
struct PlainWinogradPlan {
  let transform: WinogradTransform
  /// Filters by vectors of tiles that a micro-kernel keeps in registers.
  let tile: GemmTile
  /// Tiles of a place.
  let tileRows: Int, tileColumns: Int
  /// Places that are multiplied together, and those of a task, a multiple of that.
  let places: Int, taskPlaces: Int
  /// Filters of a task.
  let filters: Int
  let lanes: Int
  /// Cycles on one core.
  private(set) var cost = Double.infinity

  /// What sizes not known are taken as.
  private static let usualExtent = 64

  /// The cheapest plan.
  static func best(_ problem: ConvolutionProblem) -> PlainWinogradPlan {
    let device = problem.device
    let transforms = device.wanted([.four, .two], WinogradConv.variant)
    let plans = transforms.flatMap { transform in
      WindowPlan.tiles(device).map { PlainWinogradPlan(problem, transform, $0) }
    }
    return plans.min { $0.cost < $1.cost }!
  }

  private init(_ problem: ConvolutionProblem, _ transform: WinogradTransform, _ tile: GemmTile) {
    (self.transform, self.tile, lanes) = (transform, tile, problem.device.lanes)
    let cache = problem.device.cacheBytes.last ?? 1 << 18
    func floats(_ share: Int) -> Int { cache / 4 / share / transform.products }
    // Transformed inputs and filters take a third of the second-level cache each, as far as they can.
    let most = Swift.max(lanes, Swift.min(128, floats(3) / problem.channels))
    func tiles(_ extent: Dim) -> Int {
      ((extent.constant ?? Self.usualExtent) + transform.outputs - 1) / transform.outputs
    }
    func even(_ count: Int, _ most: Int) -> Int {
      let parts = (count + Swift.max(1, most) - 1) / Swift.max(1, most)
      return (count + parts - 1) / Swift.max(1, parts)
    }
    tileColumns = Swift.max(1, even(tiles(problem.columns), Swift.min(most, 4 * lanes)))
    tileRows = Swift.max(1, even(tiles(problem.rows), most / (tileColumns + 1)))
    let (across, down) = (tiles(problem.columns), tiles(problem.rows))
    let count =
      (problem.batch.constant ?? Self.usualExtent) * ((across + tileColumns - 1) / tileColumns)
      * ((down + tileRows - 1) / tileRows)
    let share = even(problem.filters, Swift.max(tile.rows, floats(3) / problem.channels))
    filters = Swift.min(problem.filters, (share + tile.rows - 1) / tile.rows * tile.rows)
    let parts = (problem.filters + filters - 1) / filters
    places = Swift.max(1, Swift.min(count, most / (tileRows * (tileColumns + 1))))
    // Each task transforms its filters: there are some tasks, not many.
    let wanted = Swift.max(1, count * parts / 16)
    taskPlaces = (wanted + places - 1) / places * places
    // Strategies are compared by what one image takes where nobody knows how many there are.
    cost = cycles(problem, count: count, parts: parts) / (problem.batch.constant == nil ? Double(Self.usualExtent) : 1)
  }

  var width: Int { tile.vectors * lanes }
  /// Tiles of a row, with the one that computes nothing, and of a place.
  var pitch: Int { tileColumns + 1 }
  var placeTiles: Int { tileRows * pitch }
  var tiles: Int { places * placeTiles }
  /// Elements for `tiles`, whole micro-kernels, and what vectors write past them: an odd number of cache lines.
  var tileStep: Int { (Swift.max((tiles + width - 1) / width * width, tiles + lanes) + 15) / 16 * 16 | 16 }

  /// Rows of inputs of a place, and elements of each.
  var inputRows: Int { tileRows * transform.outputs + 2 }
  var lineLength: Int { (pitch * transform.outputs + lanes * transform.outputs - 1) / lanes * lanes }
  /// Every `outputs`-th row and column of a place's inputs lie together; from one of these parts to the next one.
  var phaseStride: Int { ((tileRows + 1) * pitch + 2 * lanes - 1) / lanes * lanes }

  /// Where the tiles' input at `row` and `column` lies, of the first tile.
  func input(_ row: Int, _ column: Int) -> Int {
    let size = transform.outputs
    return (row % size * size + column % size) * phaseStride + row / size * pitch + column / size
  }

  private func cycles(_ problem: ConvolutionProblem, count: Int, parts: Int) -> Double {
    let (products, filters) = (Double(transform.products), Double(self.filters))
    let channels = Double(problem.channels)
    let groups = Double(parts) * (Double(count) / Double(places)).rounded(.up)
    let vectors = (Double(tiles) / Double(lanes)).rounded(.up)
    let tasks = Double(parts) * (Double(count) / Double(taskPlaces)).rounded(.up)
    let calls = (filters / Double(tile.rows)).rounded(.up) * (Double(tiles) / Double(width)).rounded(.up)
    let multiplied =
      products
      * (channels * tile.cost(m: self.filters, n: tiles, problem.device) / 2
        + calls * Double(12 + tile.rows * tile.vectors))
    let place = Double(inputRows) * Double(12 + 3 * lineLength / lanes)
    let inputs = channels * (Double(places) * place + (vectors + Double(places)) * 3.5 * products)
    let rows = Double(places * tileRows * transform.outputs)
    let stored = rows * Double(16 + 3 * tileColumns * transform.outputs / lanes)
    let outputs = filters * (vectors * 3.5 * products + stored)
    let transformed = filters * channels * products * 0.5
    return groups * (multiplied + inputs + outputs) + tasks * transformed
  }
}

import MLCCore
import MLCKernels

/// How many outputs one micro-kernel keeps in registers: `rows × columns` pixels by `vectors` blocks of channels.
struct ConvolutionTile: Hashable {
  var rows, columns, vectors: Int
  var pixels: Int { rows * columns }
}

/// A grid of outputs that tiles cover, `nil` standing for a size known at run time.
struct ConvolutionGrid {
  let rows: Int?, columns: Int?
  let weights: WeightSupply
  /// Vectors of weights of each block that are in registers at once.
  var held = 1
  /// What a tile has at most, in one row, where that is given.
  var widest: Int?

  fileprivate var registers: Int { weights.device.vectorRegisters }
  fileprivate func pixels(vectors: Int) -> Int {
    let spare = held == 1 ? 1 : HalfSums.spare
    return Swift.min(Swift.max(1, (registers - spare - held * vectors) / vectors), widest ?? .max)
  }
}

/// A choice of tiles for a grid of outputs, by the cost of its inner loop.
struct ConvolutionTiling {
  /// The tile of most outputs.
  var tile: ConvolutionTile
  /// Estimated cycles per input channel and tap.
  var cost: Double

  /// The cheapest tiles of `vectors` blocks. Several rows share a tile only where it spans whole rows of known width.
  init(_ grid: ConvolutionGrid, vectors: Int) {
    let most = grid.pixels(vectors: vectors)
    var best = ConvolutionTiling(tile: ConvolutionTile(rows: 1, columns: 1, vectors: vectors), cost: .infinity)
    for width in 1...Swift.max(1, Swift.min(most, grid.columns ?? most)) {
      let mayStack = width == grid.columns && grid.widest == nil
      for height in 1...Swift.max(1, mayStack ? Swift.min(most / width, grid.rows ?? most) : 1) {
        let tile = ConvolutionTile(rows: height, columns: width, vectors: vectors)
        let cost = ConvolutionTiling.cost(tile, grid)
        if cost < best.cost { best = ConvolutionTiling(tile: tile, cost: cost) }
      }
    }
    self = best
  }

  private init(tile: ConvolutionTile, cost: Double) { (self.tile, self.cost) = (tile, cost) }

  private static func cost(_ tile: ConvolutionTile, _ grid: ConvolutionGrid) -> Double {
    let (down, below) = (grid.rows ?? 64).quotientAndRemainder(dividingBy: tile.rows)
    let (across, beside) = (grid.columns ?? 64).quotientAndRemainder(dividingBy: tile.columns)
    func step(_ pixels: Int) -> Double {
      pixels == 0 ? 0 : cycles(pixels: pixels, vectors: tile.vectors, grid.weights)
    }
    return Double(down * across) * step(tile.pixels) + Double(down) * step(tile.rows * beside)
      + Double(across) * step(below * tile.columns) + step(below * beside)
  }

  /// Cycles of one step of the inner loop: two multiply-adds or two loads a cycle, eight multiply-adds in flight, while
  /// the weights of the next step arrive; a little of each load shows.
  static func cycles(pixels: Int, vectors: Int, _ weights: WeightSupply) -> Double {
    let (p, v) = (Double(pixels), Double(vectors))
    return Swift.max(p * v / 2, 4, (p + v) / 2, weights.cycles(vectors: vectors)) + 0.02 * p + 0.1 * v
  }
}

extension ConvolutionTiling {
  /// The tile of the best number of vectors for `blocks` channel blocks, what is left over after whole panels counted.
  static func best(_ grid: ConvolutionGrid, blocks: Int) -> ConvolutionTile {
    let most = Swift.max(1, Swift.min(blocks, grid.registers == 32 ? 12 : 6))
    var best = (tile: ConvolutionTile(rows: 1, columns: 1, vectors: 1), cost: Double.infinity)
    for vectors in 1...most {
      let tiling = ConvolutionTiling(grid, vectors: vectors)
      var cost = tiling.cost * Double(blocks / vectors)
      if blocks % vectors != 0 { cost += ConvolutionTiling(grid, vectors: blocks % vectors).cost }
      if cost < best.cost { best = (tiling.tile, cost) }
    }
    return best.tile
  }
}

import MLCCore
import MLCKernels

/// How many outputs one micro-kernel keeps in registers: `rows × columns` pixels by `vectors` blocks of channels.
struct ConvolutionTile: Hashable {
  var rows, columns, vectors: Int
  var pixels: Int { rows * columns }
}

/// A choice of tiles for a grid of outputs, by the cost of its inner loop.
struct ConvolutionTiling {
  /// The tile of most outputs.
  var tile: ConvolutionTile
  /// Estimated cycles per input channel and tap.
  var cost: Double

  /// The cheapest tiles of `vectors` blocks for `rows × columns` outputs, `nil` standing for a size known at run time.
  ///
  /// Several rows share a tile only where it spans whole rows of known width. A tile is of one row and of `widest`
  /// columns at most where those are given.
  /// `held` vectors of weights of each block are in registers at once.
  init(rows: Int?, columns: Int?, vectors: Int, registers: Int, held: Int = 1, widest: Int? = nil) {
    let spare = held == 1 ? 1 : HalfSums.spare
    let most = Swift.min(Swift.max(1, (registers - spare - held * vectors) / vectors), widest ?? .max)
    var best = ConvolutionTiling(tile: ConvolutionTile(rows: 1, columns: 1, vectors: vectors), cost: .infinity)
    for width in 1...Swift.max(1, Swift.min(most, columns ?? most)) {
      let mayStack = width == columns && widest == nil
      for height in 1...Swift.max(1, mayStack ? Swift.min(most / width, rows ?? most) : 1) {
        let tile = ConvolutionTile(rows: height, columns: width, vectors: vectors)
        let cost = ConvolutionTiling.cost(tile, rows: rows ?? 64, columns: columns ?? 64)
        if cost < best.cost { best = ConvolutionTiling(tile: tile, cost: cost) }
      }
    }
    self = best
  }

  private init(tile: ConvolutionTile, cost: Double) { (self.tile, self.cost) = (tile, cost) }

  private static func cost(_ tile: ConvolutionTile, rows: Int, columns: Int) -> Double {
    let (down, below) = rows.quotientAndRemainder(dividingBy: tile.rows)
    let (across, beside) = columns.quotientAndRemainder(dividingBy: tile.columns)
    func step(_ pixels: Int) -> Double { pixels == 0 ? 0 : cycles(pixels: pixels, vectors: tile.vectors) }
    return Double(down * across) * step(tile.pixels) + Double(down) * step(tile.rows * beside)
      + Double(across) * step(below * tile.columns) + step(below * beside)
  }

  /// Cycles of one step of the inner loop: two multiply-adds or two loads a cycle, eight multiply-adds in flight, and
  /// weights from the second-level cache at half a vector a cycle.
  static func cycles(pixels: Int, vectors: Int) -> Double {
    let (p, v) = (Double(pixels), Double(vectors))
    return Swift.max(p * v / 2, 4, (p + v) / 2, v) + (p + v) * 0.12 + 0.3
  }
}

extension ConvolutionTiling {
  /// The best number of vectors for `blocks` channel blocks, what is left over after whole panels counted.
  static func best(
    rows: Int?,
    columns: Int?,
    blocks: Int,
    registers: Int,
    held: Int = 1,
    widest: Int? = nil
  ) -> ConvolutionTile {
    let widest = Swift.max(1, Swift.min(blocks, registers == 32 ? 12 : 6))
    var best = (tile: ConvolutionTile(rows: 1, columns: 1, vectors: 1), cost: Double.infinity)
    for vectors in 1...widest {
      let tiling = ConvolutionTiling(
        rows: rows,
        columns: columns,
        vectors: vectors,
        registers: registers,
        held: held,
        widest: widest
      )
      var cost = tiling.cost * Double(blocks / vectors)
      if blocks % vectors != 0 {
        cost +=
          ConvolutionTiling(
            rows: rows,
            columns: columns,
            vectors: blocks % vectors,
            registers: registers,
            held: held,
            widest: widest
          )
          .cost
      }
      // Narrow panels read fewer weights a tile, all other things being nearly equal.
      cost *= 1 + 0.03 * abs(Double(vectors) - 2)
      if cost < best.cost { best = (tiling.tile, cost) }
    }
    return best.tile
  }
}

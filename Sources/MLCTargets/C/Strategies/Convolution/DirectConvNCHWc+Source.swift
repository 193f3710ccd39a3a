import MLCCore
import MLCKernels

extension DirectConvNCHWc {
  var problem: ConvolutionProblem { writer.problem }
  var convolution: Convolution { problem.convolution }
  private var strips: WeightStrips? { problem.strips(steps: problem.stepsPerGroup * problem.taps) }
  func reader(_ vectors: Int) -> PanelReader { panels.reader(strips, vectors: vectors, block: problem.block) }
  var inputType: String { problem.x.dtype.cStorageType }

  /// Every tile that the walk over the outputs can meet.
  private var shapes: [ConvolutionTile] {
    var shapes: [ConvolutionTile] = []
    for tile in tiles {
      for rows in [tile.rows] + rowRemainders(tile) {
        for columns in [tile.columns] + ConvolutionWriter.remainders(grid.columns, tile.columns) {
          shapes.append(ConvolutionTile(rows: rows, columns: columns, vectors: tile.vectors))
        }
      }
    }
    return shapes
  }

  func rowRemainders(_ tile: ConvolutionTile) -> [Int] {
    guard tile.rows > 1 else { return [] }
    guard let rows = grid.rows.constant else { return [1] }
    return rows % tile.rows == 0 ? [] : [rows % tile.rows]
  }

  func name(_ tile: ConvolutionTile, _ symbol: String) -> String {
    "\(symbol)_\(tile.rows)x\(tile.columns)x\(tile.vectors)"
  }

  func source(_ symbol: String) -> CCode {
    [
      shapes.map { microKernel($0, symbol) }.joined(), border(symbol).definitions,
      codes?.panels.expandFunction(symbol) ?? [], .kernel(symbol, body(symbol)),
    ]
  }

  private func body(_ symbol: String) -> CCode {
    let plane = grid.planes == nil ? "" : writer.planeOffset(input)
    let groupBlocks = problem.channelsPerGroup / problem.block
    let start = input.origin - Dim(convolution.top) * input.row - Dim(convolution.left * problem.block)
    return """
      const int64_t *s = frame->symbols;
      (void)scratch, (void)s;
      \(codes == nil ? "" : "int64_t expanded = -1;")
      for (int64_t task = begin; task < end; task++) {
        \(tasks.decode(writer.sizes))
        const int64_t group = panel / \(panels.perGroup), member = panel % \(panels.perGroup);
        const int64_t block = group * \(panels.blocksPerGroup) + member * \(panels.vectors);
        const \(inputType) *x = (const \(inputType) *)buffers[\(convolution.x)] + \(writer.spell(start))
          + image * \(writer.spell(input.image)) + group * \(writer.spell(Dim(groupBlocks) * input.volume))\(plane);
        \(weights(symbol))
        \(writer.resultPointers(block: "block", plane: grid.planes == nil ? nil : writer.plane))
        \(writer.planeTaps)
        \(panels.each(tiles, number: "member") { walk($0, symbol) })
      }
      """
  }

  /// Declares `w`, the panel's weights, expanded where they are codes.
  private func weights(_ symbol: String) -> CCode {
    if let codes {
      let vectors = "(member < \(panels.whole) ? \(panels.vectors) : \(panels.rest))"
      let width = panels.rest == 0 ? "\(panels.vectors)" : vectors
      return codes.expansion(of: "panel", firstVector: "block", vectors: width, symbol)
    }
    let type = writer.weightType
    if let strips {
      return reader(tiles[0].vectors).declarations(
        type,
        strips,
        base: "((const \(type) *)buffers[\(convolution.weight)])",
        first: "block * \(problem.block)",
        mayOverrun: panels.rest > 0
      )
    }
    return """
      const \(type) *w = (const \(type) *)buffers[\(convolution.weight)]
        + block * \(problem.stepsPerGroup * problem.taps * problem.block);
      """
  }

  private func walk(_ tile: ConvolutionTile, _ symbol: String) -> CCode {
    let border = border(symbol)
    if grid.isFlat {
      return columns(tile, rows: 1, y: "0", from: "first", to: "last", symbol)
        + border.calls(("0", "1"), columns: ("first", "last"), count: tile.vectors, block: "block")
    }
    let rows = ([tile.rows] + rowRemainders(tile)).map { rows -> CCode in
      .block(
        "for (; y + \(rows) <= last; y += \(rows))",
        columns(tile, rows: rows, y: "y", from: "0", to: writer.spell(grid.columns), symbol)
      )
    }
    return "int64_t y = first;" + rows.joined()
      + border.calls(("first", "last"), count: tile.vectors, block: "block")
  }

  /// The walk over columns of `rows` rows from row `y` on.
  private func columns(
    _ tile: ConvolutionTile,
    rows: Int,
    y: String,
    from: String,
    to: String,
    _ symbol: String
  ) -> CCode {
    let rest = ConvolutionWriter.remainders(grid.columns, tile.columns)
    return rowTaps(y, count: rows)
      + ConvolutionWriter.walk("column", from: from, to: to, width: tile.columns, rest: rest) { width in
        let shape = ConvolutionTile(rows: rows, columns: width, vectors: tile.vectors)
        let row = writer.spell(Dim(convolution.strides.h) * input.row)
        let from = "x + \(y) * \(row) + column * \(convolution.strides.w * problem.block)"
        let weights = reader(tile.vectors).arguments
        let results = writer.resultArguments(y: y, x: "column")
        return columnTaps("column", count: width)
          + "\(name(shape, symbol))(s, \(from), \(weights)\(tapArguments), \(results));"
      }
  }
}

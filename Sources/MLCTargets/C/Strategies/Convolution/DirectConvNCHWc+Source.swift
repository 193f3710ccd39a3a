import MLCCore
import MLCKernels

extension DirectConvNCHWc {
  var problem: ConvolutionProblem { writer.problem }
  var convolution: Convolution { problem.convolution }
  var inputType: String { ConvolutionSyntax.type(problem.x.dtype) }

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

  func source(_ symbol: String) -> String {
    let helpers = [border(symbol).definitions, codes?.panels.expandFunction(symbol) ?? ""]
    return (shapes.map { microKernel($0, symbol) } + helpers + [body(symbol)]).joined(separator: "\n")
  }

  private func body(_ symbol: String) -> String {
    var lines = [
      "void \(symbol)(const mlc_frame *frame, void *const *buffers, char *scratch, int64_t begin, int64_t end) {",
      "  const int64_t *s = frame->symbols;",
      "  (void)scratch, (void)s;",
    ]
    if codes != nil { lines.append("  int64_t expanded = -1;") }
    lines.append("  for (int64_t task = begin; task < end; task++) {")
    lines += tasks.decode(writer.sizes).indented(2)
    lines.append("    const int64_t group = panel / \(panels.perGroup), member = panel % \(panels.perGroup);")
    lines.append("    const int64_t block = group * \(panels.blocksPerGroup) + member * \(panels.vectors);")
    let groupBlocks = problem.channelsPerGroup / problem.block
    let start = input.origin - Dim(convolution.top) * input.row - Dim(convolution.left * problem.block)
    lines += [
      "    const \(inputType) *x = (const \(inputType) *)buffers[\(convolution.x)] + \(writer.spell(start))",
      "      + image * \(writer.spell(input.image)) + group * \(writer.spell(Dim(groupBlocks) * input.plane));",
    ]
    if let codes {
      let width =
        panels.rest == 0 ? "\(panels.vectors)" : "(member < \(panels.whole) ? \(panels.vectors) : \(panels.rest))"
      lines += codes.expansion(of: "panel", firstVector: "block", vectors: width, symbol).indented(2)
    } else {
      lines.append("    const \(writer.weightType) *w = (const \(writer.weightType) *)buffers[\(convolution.weight)]")
      lines.append("      + block * \(problem.channelsPerGroup * problem.taps * problem.block);")
    }
    lines += writer.resultPointers(block: "block").indented(2)
    lines += panelWalks(symbol).indented(2)
    return (lines + ["  }", "}", ""]).joined(separator: "\n")
  }

  /// The walk for whole panels and for the narrower last one.
  private func panelWalks(_ symbol: String) -> [String] {
    if panels.rest == 0 { return walk(tiles[0], symbol) }
    if panels.whole == 0 { return walk(tiles[0], symbol) }
    return ["if (member < \(panels.whole)) {"] + walk(tiles[0], symbol).indented(1) + ["} else {"]
      + walk(tiles[1], symbol).indented(1) + ["}"]
  }

  private func walk(_ tile: ConvolutionTile, _ symbol: String) -> [String] {
    let rest = ConvolutionWriter.remainders(grid.columns, tile.columns)
    func call(_ rows: Int, y: String) -> (Int) -> [String] {
      { width in
        let shape = ConvolutionTile(rows: rows, columns: width, vectors: tile.vectors)
        let row = writer.spell(Dim(convolution.strides.h) * input.row)
        let from = "x + \(y) * \(row) + column * \(convolution.strides.w * problem.block)"
        return ["\(name(shape, symbol))(s, \(from), w, \(writer.resultArguments(y: y, x: "column")));"]
      }
    }
    var lines: [String]
    if grid.isFlat {
      lines = ConvolutionWriter.walk(
        "column",
        from: "first",
        to: "last",
        width: tile.columns,
        rest: rest,
        tile: call(1, y: "0")
      )
      return lines + border(symbol).calls(("0", "1"), columns: ("first", "last"), count: tile.vectors, block: "block")
    }
    lines = ["int64_t y = first;"]
    for rows in [tile.rows] + rowRemainders(tile) {
      lines.append("for (; y + \(rows) <= last; y += \(rows)) {")
      lines += ConvolutionWriter.walk(
        "column",
        from: "0",
        to: writer.spell(grid.columns),
        width: tile.columns,
        rest: rest,
        tile: call(rows, y: "y")
      ).indented(1)
      lines.append("}")
    }
    return lines + border(symbol).calls(("first", "last"), count: tile.vectors, block: "block")
  }
}

import MLCCore
import MLCKernels

extension StemConv {
  private func name(_ tile: ConvolutionTile, _ symbol: String) -> String { "\(symbol)_\(tile.columns)x\(tile.vectors)" }
  private var inputType: String { ConvolutionSyntax.type(problem.x.dtype) }

  func source(_ symbol: String) -> String {
    let kernels = tiles.flatMap { tile in
      ([tile.columns] + ConvolutionWriter.remainders(problem.columns, tile.columns)).map {
        microKernel(ConvolutionTile(rows: 1, columns: $0, vectors: tile.vectors), symbol)
      }
    }
    let helpers = [border(symbol).definitions, window(symbol), codes?.panels.expandFunction(symbol) ?? ""]
    return (kernels + helpers + [body(symbol)]).joined(separator: "\n")
  }

  private func microKernel(_ tile: ConvolutionTile, _ symbol: String) -> String {
    var lines = [
      "FN void \(name(tile, symbol))(const int64_t *restrict s, const float *restrict x,",
      "  const \(writer.weightType) *restrict w, \(writer.resultParameters)) {",
    ]
    for p in 0..<tile.columns {
      lines.append("  V " + (0..<tile.vectors).map { "c\(p)_\($0) = {}" }.joined(separator: ", ") + ";")
    }
    let (kernel, dilations) = (convolution.kernel, convolution.dilations)
    lines += [
      "  _Pragma(\"clang loop unroll(disable)\") for (int64_t c = 0; c < \(problem.channels); c++)",
      "  _Pragma(\"clang loop unroll(disable)\") for (int64_t kh = 0; kh < \(kernel.h); kh++) {",
      "    const float *q = x + (c * \(windowRows) + kh * \(dilations.h)) * \(windowColumns);",
    ]
    if kernel.w <= 8 {
      for kw in 0..<kernel.w { lines += step(tile, offset: "\(kw * dilations.w)") }
    } else {
      lines.append("    for (int64_t kw = 0; kw < \(kernel.w); kw++) {")
      lines += step(tile, offset: "kw * \(dilations.w)") + ["    }"]
    }
    lines.append("  }")
    for vector in 0..<tile.vectors {
      for p in 0..<tile.columns { lines.append("  " + writer.finish("c\(p)_\(vector)", y: 0, x: p, vector: vector)) }
    }
    return (lines + ["  (void)s;", "}", ""]).joined(separator: "\n")
  }

  /// One tap of one channel: `vectors` weights times each pixel.
  private func step(_ tile: ConvolutionTile, offset: String) -> [String] {
    var lines = ["    {"]
    for vector in 0..<tile.vectors {
      lines.append(
        "      const V b\(vector) = \(ConvolutionSyntax.load(problem.packedType, "w + \(vector * problem.block)"));"
      )
    }
    for p in 0..<tile.columns {
      let products = (0..<tile.vectors).map { "c\(p)_\($0) += b\($0) * a;" }.joined(separator: " ")
      lines.append("      { const float a = q[\(p * convolution.strides.w) + \(offset)]; \(products) }")
    }
    return lines + ["      w += \(tile.vectors * problem.block);", "    }"]
  }

  /// Copies the inputs from row `y` and column `x` on into the window, zeros where they lie outside.
  private func window(_ symbol: String) -> String {
    let (height, width) = (writer.spell(problem.x.shape[2]), writer.spell(problem.x.shape[3]))
    let value = ConvolutionSyntax.element(problem.x.dtype, "r + i")
    return """
      FN int64_t \(symbol)_clamp(int64_t i, int64_t least, int64_t most) {
        return i < least ? least : i > most ? most : i;
      }
      static void \(symbol)_window(
        const int64_t *s, float *d, const \(inputType) *restrict image, int64_t y, int64_t x) {
        const int64_t from = \(symbol)_clamp(-x, 0, \(windowColumns));
        const int64_t to = \(symbol)_clamp(\(width) - x, from, \(windowColumns));
        for (int64_t c = 0; c < \(problem.channels); c++)
        for (int64_t k = 0; k < \(windowRows); k++, d += \(windowColumns)) {
          const int64_t row = y + k;
          const int64_t inside = row >= 0 && row < \(height), begin = inside ? from : 0, end = inside ? to : 0;
          const \(inputType) *r = image + (inside ? (c * \(height) + row) * \(width) + x : 0);
          for (int64_t i = 0; i < begin; i++) d[i] = 0;
          for (int64_t i = begin; i < end; i++) d[i] = \(value);
          for (int64_t i = end; i < \(windowColumns); i++) d[i] = 0;
        }
        (void)s;
      }

      """
  }

  private func body(_ symbol: String) -> String {
    let across = writer.spell(problem.columns.ceilDiv(Dim(columns)))
    let down = writer.spell(problem.rows.ceilDiv(Dim(rows)))
    let (height, width) = (writer.spell(problem.rows), writer.spell(problem.columns))
    let plane = writer.spell(problem.x.shape[2] * problem.x.shape[3] * Dim(problem.channels))
    var lines = [
      "void \(symbol)(const mlc_frame *frame, void *const *buffers, char *scratch, int64_t begin, int64_t end) {",
      "  const int64_t *s = frame->symbols;",
      "  float *window = (float *)(void *)scratch;",
      "  (void)s;",
    ]
    if let codes {
      lines.append("  float *const weights = (float *)(void *)(scratch + \(windowBytes));")
      lines += codes.expansion(ofPanels: panels, to: "weights", symbol).indented(1)
    } else {
      lines.append("  const \(writer.weightType) *const weights = buffers[\(convolution.weight)];")
    }
    lines += [
      "  for (int64_t task = begin; task < end; task++) {",
      "    const int64_t image = task / (\(across) * \(down));",
      "    const int64_t first = task / \(across) % \(down) * \(rows), left = task % \(across) * \(columns);",
      "    const int64_t last = first + \(rows) < \(height) ? first + \(rows) : \(height);",
      "    const int64_t right = left + \(columns) < \(width) ? left + \(columns) : \(width);",
      "    \(symbol)_window(s, window, (const \(inputType) *)buffers[\(convolution.x)] + image * \(plane),",
      "      first * \(convolution.strides.h) - \(convolution.top), left * \(convolution.strides.w) - "
        + "\(convolution.left));",
    ]
    lines.append("    for (int64_t panel = 0; panel < \(panels.count); panel++) {")
    lines.append("      const int64_t block = panel * \(panels.vectors);")
    lines.append(
      "      const \(writer.weightType) *w = weights + block * \(problem.channels * problem.taps * problem.block);"
    )
    lines += writer.resultPointers(block: "block").indented(3)
    lines += panelWalks(symbol).indented(3)
    return (lines + ["    }", "  }", "}", ""]).joined(separator: "\n")
  }

  private func panelWalks(_ symbol: String) -> [String] {
    if tiles.count == 1 { return walk(tiles[0], symbol) }
    return ["if (panel < \(panels.whole)) {"] + walk(tiles[0], symbol).indented(1) + ["} else {"]
      + walk(tiles[1], symbol).indented(1) + ["}"]
  }

  private func walk(_ tile: ConvolutionTile, _ symbol: String) -> [String] {
    let rest = ConvolutionWriter.remainders(problem.columns, tile.columns)
    let from =
      "window + (y - first) * \(convolution.strides.h * windowColumns) + (column - left) * \(convolution.strides.w)"
    var lines = ["for (int64_t y = first; y < last; y++) {"]
    lines += ConvolutionWriter.walk("column", from: "left", to: "right", width: tile.columns, rest: rest) { width in
      let shape = ConvolutionTile(rows: 1, columns: width, vectors: tile.vectors)
      return ["\(name(shape, symbol))(s, \(from), w, \(writer.resultArguments(y: "y", x: "column")));"]
    }.indented(1)
    lines.append("}")
    let finish = border(symbol).calls(
      ("first", "last"),
      columns: ("left", "right"),
      count: tile.vectors,
      block: "block",
      haloIf: "left == 0"
    )
    return lines + finish
  }
}

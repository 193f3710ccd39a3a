import MLCCore
import MLCKernels

extension StemConv {
  private func name(_ tile: ConvolutionTile, _ symbol: String) -> String { "\(symbol)_\(tile.columns)x\(tile.vectors)" }
  private var inputType: String { problem.x.dtype.cStorageType }

  func source(_ symbol: String) -> CCode {
    let kernels = tiles.flatMap { tile in
      ([tile.columns] + ConvolutionWriter.remainders(problem.columns, tile.columns)).map {
        microKernel(ConvolutionTile(rows: 1, columns: $0, vectors: tile.vectors), symbol)
      }
    }
    return [
      kernels.joined(), writer.border(symbol, filters: problem.filters).definitions, window(symbol),
      codes?.panels.expandFunction(symbol) ?? [],
      .kernel(symbol, body(symbol)),
    ]
  }

  /// Taps are never unrolled: neighbouring pixels share inputs, and what is kept for a later tap takes the registers
  /// of the sums.
  private func microKernel(_ tile: ConvolutionTile, _ symbol: String) -> CCode {
    let (kernel, dilations) = (convolution.kernel, convolution.dilations)
    let results = (0..<tile.vectors).flatMap { vector in
      (0..<tile.columns).map { writer.finish("c\($0)_\(vector)", y: 0, x: $0, vector: vector) }
    }
    return """
      FN void \(name(tile, symbol))(const int64_t *restrict s, const float *restrict x,
        \(reader(tile.vectors).parameters(writer.weightType)), \(writer.resultParameters)) {
        \(tile.sums(.float))
        _Pragma("clang loop unroll(disable)") for (int64_t c = 0; c < \(windowPlanes); c++)
        _Pragma("clang loop unroll(disable)") for (int64_t kh = 0; kh < \(kernel.h); kh++) {
          const float *row = x + (c * \(windowRows) + kh * \(dilations.h)) * \(windowColumns);
          _Pragma("clang loop unroll(disable)") for (int64_t kw = 0; kw < \(kernel.w); kw++) {
            const float *q = row + kw * \(dilations.w);
            \(step(tile))
          }
        }
        \(CCode(lines: results))
        (void)s;
      }
      """
  }

  /// One tap of one channel: `vectors` weights times each pixel.
  private func step(_ tile: ConvolutionTile) -> CCode {
    let weight = StoredElement(problem.packedType)
    let reader = reader(tile.vectors)
    let loads = (0..<tile.vectors).map { "const V b\($0) = \(weight.load(reader.address($0)));" }
    let products = (0..<tile.columns).map { p in
      let sums = (0..<tile.vectors).map { "c\(p)_\($0) += b\($0) * a;" }.joined(separator: " ")
      return "{ const float a = q[\(p * convolution.strides.w)]; \(sums) }"
    }
    return CCode(lines: loads + products + [reader.advance()])
  }

  /// Copies the inputs from row `y` and column `x` on, with depth from plane `z` on, into the window, zeros where they
  /// lie outside.
  private func window(_ symbol: String) -> CCode {
    let (height, width) = (writer.spell(problem.x.rows), writer.spell(problem.x.columns))
    let depth = writer.spell(problem.x.depth)
    let taps = problem.depthTaps
    let plane = convolution.depth.map { "const int64_t plane = z + c % \(taps) * \($0.dilation);" } ?? ""
    let (z, isInside, picture) =
      convolution.depth == nil
      ? ("", "", "c")
      : (", int64_t z", " && plane >= 0 && plane < \(depth)", "(c / \(taps) * \(depth) + plane)")
    let value = StoredElement(problem.x.dtype).read("r[i]")
    return """
      FN int64_t \(symbol)_clamp(int64_t i, int64_t least, int64_t most) {
        return i < least ? least : i > most ? most : i;
      }
      static void \(symbol)_window(
        const int64_t *s, float *d, const \(inputType) *restrict image\(z), int64_t y, int64_t x) {
        const int64_t from = \(symbol)_clamp(-x, 0, \(windowColumns));
        const int64_t to = \(symbol)_clamp(\(width) - x, from, \(windowColumns));
        for (int64_t c = 0; c < \(windowPlanes); c++)
        for (int64_t k = 0; k < \(windowRows); k++, d += \(windowColumns)) {
          const int64_t row = y + k;
          \(plane)
          const int64_t inside = row >= 0 && row < \(height)\(isInside);
          const int64_t begin = inside ? from : 0, end = inside ? to : 0;
          const \(inputType) *r = image + (inside ? (\(picture) * \(height) + row) * \(width) + x : 0);
          for (int64_t i = 0; i < begin; i++) d[i] = 0;
          for (int64_t i = begin; i < end; i++) d[i] = \(value);
          for (int64_t i = end; i < \(windowColumns); i++) d[i] = 0;
        }
        (void)s;
      }
      """
  }

  private func body(_ symbol: String) -> CCode {
    let across = writer.spell(problem.columns.ceilDiv(Dim(columns)))
    let down = writer.spell(problem.rows.ceilDiv(Dim(rows)))
    let (height, width) = (writer.spell(problem.rows), writer.spell(problem.columns))
    let elements = writer.spell(problem.x.shape[1...].reduce(1, *))
    let planes = writer.spell(problem.planes)
    let picture = "task / (\(across) * \(down))"
    let image =
      convolution.depth == nil
      ? "image = \(picture)" : "image = \(picture) / \(planes), z = \(picture) % \(planes)"
    let plane = convolution.depth.map { "z * \($0.stride) - \($0.front), " } ?? ""
    let strides = convolution.strides
    return """
      const int64_t *s = frame->symbols;
      float *window = (float *)(void *)scratch;
      (void)s;
      \(weights(symbol))
      for (int64_t task = begin; task < end; task++) {
        const int64_t \(image);
        const int64_t first = task / \(across) % \(down) * \(rows), left = task % \(across) * \(columns);
        const int64_t last = first + \(rows) < \(height) ? first + \(rows) : \(height);
        const int64_t right = left + \(columns) < \(width) ? left + \(columns) : \(width);
        \(symbol)_window(s, window, (const \(inputType) *)buffers[\(convolution.x)] + image * \(elements),
          \(plane)first * \(strides.h) - \(convolution.top), left * \(strides.w) - \(convolution.left));
        for (int64_t panel = 0; panel < \(panels.count); panel++) {
          const int64_t block = panel * \(panels.vectors);
          \(panelWeights)
          \(writer.resultPointers(block: "block", plane: writer.plane))
          \(panels.each(tiles, number: "panel") { walk($0, symbol) })
        }
      }
      """
  }

  private var strips: WeightStrips? { problem.strips(steps: problem.channels * problem.taps) }
  private func reader(_ vectors: Int) -> PanelReader { panels.reader(strips, vectors: vectors, block: problem.block) }

  /// Declares `w`, those of the panel from `block` on.
  private var panelWeights: CCode {
    let type = writer.weightType
    guard let strips else {
      return "const \(type) *w = weights + block * \(problem.channels * problem.taps * problem.block);"
    }
    return reader(tiles[0].vectors).declarations(
      type,
      strips,
      base: "weights",
      first: "block * \(problem.block)",
      mayOverrun: panels.rest > 0
    )
  }

  /// Declares `weights`, expanded where they are codes.
  private func weights(_ symbol: String) -> CCode {
    guard let codes else { return "const \(writer.weightType) *const weights = buffers[\(convolution.weight)];" }
    return """
      float *const weights = (float *)(void *)(scratch + \(windowBytes));
      \(codes.expansion(ofPanels: panels, to: "weights", symbol))
      """
  }

  private func walk(_ tile: ConvolutionTile, _ symbol: String) -> CCode {
    let (rest, strides) = (ConvolutionWriter.remainders(problem.columns, tile.columns), convolution.strides)
    let from = "window + (y - first) * \(strides.h * windowColumns) + (column - left) * \(strides.w)"
    let columns = ConvolutionWriter.walk("column", from: "left", to: "right", width: tile.columns, rest: rest) {
      width in
      let shape = ConvolutionTile(rows: 1, columns: width, vectors: tile.vectors)
      let weights = reader(tile.vectors).arguments
      return "\(name(shape, symbol))(s, \(from), \(weights), \(writer.resultArguments(y: "y", x: "column")));"
    }
    let finish = writer.border(symbol, filters: problem.filters).calls(
      ("first", "last"),
      columns: ("left", "right"),
      count: tile.vectors,
      block: "block",
      haloIf: "left == 0"
    )
    return .block("for (int64_t y = first; y < last; y++)", columns) + finish
  }
}

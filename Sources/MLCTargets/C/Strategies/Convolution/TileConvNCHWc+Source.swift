import MLCCore
import MLCKernels

extension TileConvNCHWc {
  private var convolution: Convolution { problem.convolution }
  private var steps: Int { problem.tileChunks * problem.taps * TileShape.words }
  private var border: (String) -> ConvolutionBorder { { writer.border($0) } }
  /// Channels of a pixel that are multiplied at once, and their blocks.
  private var channels: Int { TileShape.words * problem.channelsPerStep }
  private var blocks: Int { channels / problem.block }
  /// The C types of a channel and of a block of them.
  private var element: String { problem.x.dtype.cStorageType }
  private var vector: String { problem.areBytes ? "VUBU" : "VHU" }

  func source(_ symbol: String) -> CCode {
    let offsets = (0..<problem.taps).map { "\(phases.offset($0, rows: run) * channels)" }
    return [
      "static const int64_t \(symbol)_taps[] = {\(offsets.joined(separator: ", "))};", copy(symbol),
      widths.map { store($0, symbol) + microKernel(1, $0, symbol) + microKernel(2, $0, symbol) }.joined(),
      border(symbol).definitions, .kernel(symbol, body(symbol)),
    ]
  }

  private func body(_ symbol: String) -> CCode {
    let start = input.origin - Dim(convolution.top) * input.row - Dim(convolution.left * problem.block)
    return """
      const int64_t *s = frame->symbols;
      \(problem.sumType.element) *sums = (void *)scratch;
      \(element) *rows = (void *)(scratch + \(sumBytes));
      int64_t copied = -1;
      (void)s;
      mlc_tiles_begin();
      for (int64_t task = begin; task < end; task++) {
        const int64_t panel = task % \(panels.count), part = task / \(panels.count), image = part / \(runs);
        const int64_t first = part % \(runs) * \(run), block = panel * \(panels.vectors);
        const int64_t last = first + \(run) < \(rows) ? first + \(run) : \(rows);
        if (copied != part) \(symbol)_copy(s, (const \(element) *)buffers[\(convolution.x)] + \(writer.spell(start))
          + image * \(writer.spell(input.image)) + first * \(writer.spell(Dim(convolution.strides.h) * input.row)),
          last - first, rows);
        copied = part;
        const int32_t *w = (const int32_t *)buffers[\(convolution.weight)] + block * \(steps * problem.block);
        \(writer.resultPointers(block: "block"))
        \(panels.each(widths, number: "panel") { walk($0, symbol) })
      }
      mlc_tiles_end();
      """
  }

  /// All outputs of a run for one panel: two tiles of them at a time, one where no more are left.
  private func walk(_ width: Int, _ symbol: String) -> CCode {
    let (high, pixel) = (TileShape.rows, channels)
    let stored =
      "\(symbol)_store_\(width)(s, sums + (i + j) * \(width * problem.block), "
      + "\(writer.resultArguments(y: "(first + y)", x: "(x + j)")));"
    return """
      const int64_t count = (last - first - 1) * \(phases.width) + \(columns);
      for (int64_t p = 0; p < count; p += \(2 * high)) {
        const int64_t left = count - p < \(2 * high) ? count - p : \(2 * high);
        if (left > \(high)) \(symbol)_2x\(width)(rows + p * \(pixel), w, sums);
        else \(symbol)_1x\(width)(rows + p * \(pixel), w, sums);
        for (int64_t i = 0, y = p / \(phases.width), x = p % \(phases.width); i < left; y++) {
          const int64_t n = left - i < \(phases.width) - x ? left - i : \(phases.width) - x;
          const int64_t inside = n < \(columns) - x ? n : \(columns) - x;
          for (int64_t j = 0; j < inside; j++) \(stored)
          i += n, x = 0;
        }
      }
      """
        + border(symbol).calls(("first", "last"), count: width, block: "block")
  }

  /// Sums of `high` tiles of outputs for `width` blocks of filters.
  private func microKernel(_ high: Int, _ width: Int, _ symbol: String) -> CCode {
    let (row, dot) = (width * problem.block, problem.areBytes ? "MLC_TILE_DOT4" : "MLC_TILE_DOT2")
    func each(_ body: (_ row: Int, _ column: Int, _ sums: Int) -> String) -> CCode {
      CCode(lines: (0..<high).map { i in (0..<width).map { body(i, $0, 2 * i + $0) }.joined(separator: " ") })
    }
    let loads =
      (0..<width).map { "MLC_TILE_LOAD(\(6 + $0), w + \(16 * $0), \(4 * row));" }
      + (0..<high).map {
        "MLC_TILE_LOAD(\(4 + $0), q + \($0 * TileShape.rows * channels), \(TilePhases.pixelBytes));"
      }
    return """
      static __attribute__((noinline)) void \(symbol)_\(high)x\(width)(
        const \(element) *restrict x, const int32_t *restrict w, \(problem.sumType.element) *restrict sums) {
        \(each { "MLC_TILE_ZERO(\($2));" })
        for (int64_t c = 0; c < \(problem.tileChunks); c++, x += \(chunkElements))
        for (int64_t t = 0; t < \(problem.taps); t++, w += \(TileShape.words * row)) {
          const \(element) *q = x + \(symbol)_taps[t];
          \(CCode(lines: loads))
          \(each { "\(dot)(\($2), \(4 + $0), \(6 + $1));" })
        }
        \(each { "MLC_TILE_STORE(\($2), sums + \($0 * TileShape.rows * row + $1 * 16), \(4 * row));" })
      }
      """
  }

  /// One pixel of `width` blocks of filters.
  private func store(_ width: Int, _ symbol: String) -> CCode {
    let type = problem.sumType
    return """
      FN void \(symbol)_store_\(width)(
        const int64_t *restrict s, const \(type.element) *restrict sums, \(writer.resultParameters)) {
        \(CCode(lines: (0..<width).map { "const \(type.name) c0_\($0) = \(type.load)(sums + \($0) * VL);" }))
        \(CCode(lines: (0..<width).map { writer.finish("c0_\($0)", y: 0, x: 0, vector: $0) }))
        (void)s;
      }
      """
  }

  /// Copies what `count` rows of outputs read, phase by phase, `[chunk][phase][row][column][channel]`.
  private func copy(_ symbol: String) -> CCode {
    let (block, strides) = (problem.block, convolution.strides)
    let row = writer.spell(Dim(strides.h) * input.row)
    let planes = phases.phases.enumerated().map { number, phase -> CCode in
      let from = "x + \(writer.spell(Dim(phase.y) * input.row)) + \(phase.x * block)"
      return """
        for (int64_t y = 0; y < count + \(phase.moreRows); y++) {
          const \(element) *p = \(from) + y * \(row);
          \(element) *q = to + (\(number * phases.plane(rows: run)) + y * \(phases.width)) * \(channels);
          for (int64_t i = 0; i < \(columns + phase.moreColumns); i++) {
            \(CCode(lines: (0..<blocks).map { "*(\(vector) *)(q + \($0 * block)) = \(source(block: $0));" }))
            p += \(strides.w * block), q += \(channels);
          }
        }
        """
    }
    return """
      static __attribute__((noinline)) void \(symbol)_copy(
        const int64_t *s, const \(element) *restrict x, int64_t count, \(element) *restrict to) {
        for (int64_t c = 0; c < \(problem.tileChunks); c++) {
          \(planes.joined())
          x += \(writer.spell(Dim(blocks) * input.volume));
          to += \(chunkElements);
        }
        (void)s;
      }
      """
  }

  /// Copied elements of a chunk.
  private var chunkElements: Int { phases.bytes(rows: run) / TilePhases.pixelBytes * channels }

  /// Block `number` of a chunk, which the last one may not have.
  private func source(block number: Int) -> String {
    let given = "*(const \(vector) *)(p + \(writer.spell(Dim(number) * input.volume)))"
    if number < input.blocks - (problem.tileChunks - 1) * blocks { return given }
    return problem.tileChunks == 1 ? "(\(vector)){}" : "c + 1 < \(problem.tileChunks) ? \(given) : (\(vector)){}"
  }
}

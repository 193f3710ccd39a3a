import MLCCore
import MLCKernels

extension TileConvNCHWc {
  private var convolution: Convolution { problem.convolution }
  private var steps: Int { problem.tileChunks * problem.taps * TileShape.words }
  private var border: (String) -> ConvolutionBorder { { writer.border($0) } }
  private static let channels = TilePhases.pixelBytes / 2

  func source(_ symbol: String) -> CCode {
    let offsets = (0..<problem.taps).map { "\(phases.offset($0, rows: run) * Self.channels)" }
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
      float *sums = (void *)scratch;
      uint16_t *rows = (void *)(scratch + \(sumBytes));
      int64_t copied = -1;
      (void)s;
      mlc_tiles_begin();
      for (int64_t task = begin; task < end; task++) {
        const int64_t panel = task % \(panels.count), part = task / \(panels.count), image = part / \(runs);
        const int64_t first = part % \(runs) * \(run), block = panel * \(panels.vectors);
        const int64_t last = first + \(run) < \(rows) ? first + \(run) : \(rows);
        if (copied != part) \(symbol)_copy(s, (const uint16_t *)buffers[\(convolution.x)] + \(writer.spell(start))
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
    let (high, pixel) = (TileShape.rows, Self.channels)
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
    let row = width * problem.block
    func each(_ body: (_ row: Int, _ column: Int, _ sums: Int) -> String) -> CCode {
      CCode(lines: (0..<high).map { i in (0..<width).map { body(i, $0, 2 * i + $0) }.joined(separator: " ") })
    }
    let loads =
      (0..<width).map { "MLC_TILE_LOAD(\(6 + $0), w + \(16 * $0), \(4 * row));" }
      + (0..<high).map {
        "MLC_TILE_LOAD(\(4 + $0), q + \($0 * TileShape.rows * Self.channels), \(TilePhases.pixelBytes));"
      }
    return """
      static __attribute__((noinline)) void \(symbol)_\(high)x\(width)(
        const uint16_t *restrict x, const int32_t *restrict w, float *restrict sums) {
        \(each { "MLC_TILE_ZERO(\($2));" })
        for (int64_t c = 0; c < \(problem.tileChunks); c++, x += \(phases.bytes(rows: run) / 2))
        for (int64_t t = 0; t < \(problem.taps); t++, w += \(TileShape.words * row)) {
          const uint16_t *q = x + \(symbol)_taps[t];
          \(CCode(lines: loads))
          \(each { "MLC_TILE_DOT2(\($2), \(4 + $0), \(6 + $1));" })
        }
        \(each { "MLC_TILE_STORE(\($2), sums + \($0 * TileShape.rows * row + $1 * 16), \(4 * row));" })
      }
      """
  }

  /// One pixel of `width` blocks of filters.
  private func store(_ width: Int, _ symbol: String) -> CCode {
    """
    FN void \(symbol)_store_\(width)(
      const int64_t *restrict s, const float *restrict sums, \(writer.resultParameters)) {
      \(CCode(lines: (0..<width).map { "const V c0_\($0) = *(const VU *)(sums + \($0) * VL);" }))
      \(CCode(lines: (0..<width).map { writer.finish("c0_\($0)", y: 0, x: 0, vector: $0) }))
      (void)s;
    }
    """
  }

  /// Copies what `count` rows of outputs read, phase by phase, `[chunk][phase][row][column][32 channels]`.
  private func copy(_ symbol: String) -> CCode {
    let (block, strides) = (problem.block, convolution.strides)
    let row = writer.spell(Dim(strides.h) * input.row)
    let planes = phases.phases.enumerated().map { number, phase -> CCode in
      let from = "x + \(writer.spell(Dim(phase.y) * input.row)) + \(phase.x * block)"
      return """
        for (int64_t y = 0; y < count + \(phase.moreRows); y++) {
          const uint16_t *p = \(from) + y * \(row);
          uint16_t *q = to + (\(number * phases.plane(rows: run)) + y * \(phases.width)) * \(Self.channels);
          for (int64_t i = 0; i < \(columns + phase.moreColumns); i++) {
            *(VHU *)q = *(const VHU *)p;
            *(VHU *)(q + \(block)) = \(other);
            p += \(strides.w * block), q += \(Self.channels);
          }
        }
        """
    }
    return """
      static __attribute__((noinline)) void \(symbol)_copy(
        const int64_t *s, const uint16_t *restrict x, int64_t count, uint16_t *restrict to) {
        for (int64_t c = 0; c < \(problem.tileChunks); c++) {
          \(planes.joined())
          x += 2 * \(writer.spell(input.volume));
          to += \(phases.bytes(rows: run) / 2);
        }
        (void)s;
      }
      """
  }

  /// The second block of a chunk, of which the last one may have none.
  private var other: String {
    let second = "*(const VHU *)(p + \(writer.spell(input.volume)))"
    if input.blocks % 2 == 0 { return second }
    return problem.tileChunks == 1 ? "(VHU){}" : "c + 1 < \(problem.tileChunks) ? \(second) : (VHU){}"
  }
}

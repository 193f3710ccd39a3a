import MLCCore
import MLCKernels

extension BroadcastConv {
  private var weightType: String { problem.packedType.cStorageType }

  func source(_ symbol: String) -> CCode {
    let kernels = plan.tiles.flatMap { tile in
      rowCounts(tile).sorted(by: >).map { microKernel(GemmTile(rows: $0, vectors: tile.vectors), symbol) }
    }
    return [
      "static const int32_t \(symbol)_taps[] = {\(geometry.taps.map { "\($0)" }.joined(separator: ", "))};",
      inputs.source(symbol), kernels.joined(), turn(symbol), epilogue.source(symbol),
      .kernel(symbol, scratch: "memory", body(symbol)),
    ]
  }

  /// Outputs of the tiles that rows fall into.
  private func rowCounts(_ tile: GemmTile) -> Set<Int> {
    let rest = (geometry.output[2].constant ?? 0) % plan.region.columns
    return tile.split(plan.region.columns).union(tile.split(rest))
  }

  private func name(_ tile: GemmTile, _ symbol: String) -> String { "\(symbol)_\(tile.rows)x\(tile.vectors)" }

  /// Adds the products of `channels` channels to the sums of neighbouring outputs, a row of filters each.
  private func microKernel(_ tile: GemmTile, _ symbol: String) -> CCode {
    func each(_ statement: (_ row: Int, _ vector: Int) -> String) -> CCode {
      .grid(tile.rows, tile.vectors, statement)
    }
    let (reader, weight) = (reader(tile.vectors), StoredElement(problem.packedType))
    let loads = (0..<tile.vectors).map { "const V b\($0) = \(weight.load(reader.address($0)));" }
    let products = (0..<tile.rows).map { row in
      let sums = (0..<tile.vectors).map { "c\(row)_\($0) += b\($0) * a;" }.joined(separator: " ")
      return "{ const float a = q[\(row)]; \(sums) }"
    }
    return """
      static __attribute__((noinline)) void \(name(tile, symbol))(const float *restrict x,
        \(reader.parameters(weightType)), int64_t channels, float *restrict sums, int64_t isFirst) {
        \(each { "V c\($0)_\($1) = {};" })
        if (!isFirst) {
          \(each { "c\($0)_\($1) = LD(sums + \($0 * width) + \($1) * VL);" })
        }
        for (int64_t c = 0; c < channels; c++, x += \(geometry.channelStride))
          _Pragma("clang loop unroll(disable)") for (int64_t t = 0; t < \(problem.taps); t++) {
            const float *const q = x + \(symbol)_taps[t];
            \(CCode(lines: loads + products + [reader.advance()]))
          }
        \(each { "ST(sums + \($0 * width) + \($1) * VL, c\($0)_\($1));" })
      }
      """
  }

  /// Puts what `count` outputs have of each filter together.
  private func turn(_ symbol: String) -> CCode {
    """
    static __attribute__((noinline)) void \(symbol)_turn(
      const float *restrict sums, float *restrict to, int64_t count, int64_t filters) {
      for (int64_t f = 0; f < filters; f += VL)
        for (int64_t p = 0; p < count; p += VL) {
          V tile[VL];
          for (int k = 0; k < VL; k++) tile[k] = LD(sums + (p + k) * \(width) + f);
          mlc_transpose(tile);
          for (int k = 0; k < VL; k++) ST(to + (f + k) * \(runStride) + p, tile[k]);
        }
    }
    """
  }

  private func body(_ symbol: String) -> CCode {
    let inputs = inputs.call(symbol, to: "window", channel: "0", count: "\(problem.channels)")
    return """
      const int64_t *s = frame->symbols;
      (void)s;
      float *const window = (float *)(void *)memory;
      float *const sums = window + \(scratch.sums), *const turned = window + \(scratch.turned);
      int64_t copied = -1;
      for (int64_t task = begin; task < end; task++) {
        int64_t rest = task / \(parts);
        const int64_t first = task % \(parts) * \(plan.panelsPerTask), place = rest;
        const int64_t last = mlc_min_i64(first + \(plan.panelsPerTask), \(plan.panels.count));
        \(regions.positions)
        const int64_t image = rest, outputs = zs * ys * xs;
        if (copied != place) \(inputs)
        copied = place;
        for (int64_t panel = first; panel < last; panel++) {
          const int64_t block = panel * \(plan.panels.vectors), filter = block * \(problem.block);
          const int64_t filters = mlc_min_i64(\(problem.filters) - filter, \(width));
          for (int64_t c = 0; c < \(problem.channels); c += \(plan.channels)) {
            const int64_t channels = mlc_min_i64(\(problem.channels) - c, \(plan.channels));
            \(weights)
            for (int64_t line = 0; line < zs * ys; line++) {
              const float *x0 = window + c * \(geometry.channelStride)
                + \(geometry.place("line / ys", "line % ys", "0"));
              float *to = sums + line * xs * \(width);
              \(plan.panels.each(plan.tiles, number: "panel") { tiles($0, symbol) })
            }
          }
          \(stores(symbol))
        }
      }
      """
  }

  /// Declares where the weights of a panel lie, from channel `c` on.
  private var weights: CCode {
    let reader = reader(plan.tiles[0].vectors)
    let base = "(const \(weightType) *)buffers[\(problem.convolution.weight)]"
    guard let strips else {
      let row = "c * \(problem.taps) * mlc_min_i64(\(problem.filterBlocks) - block, \(plan.panels.vectors))"
      return "const \(weightType) *w = \(base) + (block * \(problem.steps) + \(row)) * \(problem.block);"
    }
    return reader.declarations(
      weightType,
      strips,
      base: "\(base) + c * \(problem.taps * reader.row)",
      first: "filter",
      mayOverrun: plan.panels.rest > 0
    )
  }

  /// The tiles of a row of outputs, as even as they can be.
  private func tiles(_ tile: GemmTile, _ symbol: String) -> CCode {
    let arguments = "(x0, \(reader(tile.vectors).arguments), channels, to, c == 0)"
    let cases = rowCounts(tile).sorted(by: >).map { rows in
      "case \(rows): \(name(GemmTile(rows: rows, vectors: tile.vectors), symbol))\(arguments); break;"
    }
    return """
      const int64_t tiles = (xs + \(tile.rows - 1)) / \(tile.rows), few = xs / tiles, more = xs % tiles;
      for (int64_t tile = 0; tile < tiles; tile++) {
        const int64_t rows = few + (tile < more);
        switch (rows) {
          \(CCode(lines: cases))
        }
        x0 += rows;
        to += rows * \(width);
      }
      """
  }

  /// Stores the outputs of a panel: all of a filter's at once where they follow each other in the result.
  private func stores(_ symbol: String) -> CCode {
    let run = epilogue.isFlat ? "outputs" : "xs"
    let place =
      epilogue.isFlat ? "0, 0, " + regions.flattened("z", "y", "x") : "z + at / xs / ys, y + at / xs % ys, x"
    return """
      for (int64_t at = 0; at < outputs; at += \(run)) {
        \(symbol)_turn(sums + at * \(width), turned, \(run), filters);
        for (int64_t f = 0; f < filters; f++)
          \(symbol)_finish(frame, buffers, turned + f * \(runStride), \(run), image, filter + f, \(place));
      }
      """
  }
}

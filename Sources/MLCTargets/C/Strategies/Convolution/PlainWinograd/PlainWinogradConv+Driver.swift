import MLCCore
import MLCKernels

extension PlainWinogradConv {
  private var size: Int { transform.outputs }
  private var parts: Int { (problem.filters + plan.filters - 1) / plan.filters }
  /// Places along the rows and columns of an image.
  private var down: Dim { problem.rows.ceilDiv(Dim(plan.tileRows * size)) }
  private var across: Dim { problem.columns.ceilDiv(Dim(plan.tileColumns * size)) }
  private var places: Dim { problem.batch * down * across }

  /// A task is some filters of some places.
  var tasks: String { spell(places.ceilDiv(Dim(plan.taskPlaces)) * Dim(parts)) }

  /// Filters of the tiles that tasks meet: as even as they can be.
  var rowCounts: Set<Int> {
    plan.tile.split(plan.filters).union(plan.tile.split(problem.filters % plan.filters))
  }

  /// Vectors of tiles that micro-kernels are needed for, the most first.
  var widths: [Int] {
    let rest = (plan.tiles % plan.width + plan.lanes - 1) / plan.lanes
    return [plan.tile.vectors] + (rest == 0 || rest == plan.tile.vectors ? [] : [rest])
  }

  /// One product of `rows` filters and `vectors` vectors of tiles, all channels.
  func microKernel(_ rows: Int, _ vectors: Int, _ symbol: String) -> CCode {
    let loads = (0..<vectors).map { "const V b\($0) = LD(v + \($0) * VL);" }.joined(separator: " ")
    let products = (0..<rows).map { row in
      let sums = (0..<vectors).map { "c\(row)_\($0) += b\($0) * a;" }.joined(separator: " ")
      return "{ const float a = u[\(row * filterLength) + k]; \(sums) }"
    }
    return """
      static __attribute__((noinline)) void \(symbol)_\(rows)x\(vectors)(const float *restrict u,
        const float *restrict v, float *restrict m) {
        \(.grid(rows, vectors) { "V c\($0)_\($1) = {};" })
        _Pragma("clang loop unroll_count(2)")
        for (int64_t k = 0; k < \(problem.channels); k++, v += \(plan.tileStep)) {
          \(CCode(lines: [loads] + products))
        }
        \(.grid(rows, vectors) { "ST(m + \($0 * plan.tileStep) + \($1) * VL, c\($0)_\($1));" })
      }
      """
  }

  /// `SYMBOL_products` multiplies `rows` filters and `tiles` tiles.
  func products(_ symbol: String) -> CCode {
    let calls = widths.map { vectors in
      let cases = rowCounts.sorted(by: >).map { "case \($0): \(symbol)_\($0)x\(vectors)(a, b, c); break;" }
      return CCode.block("switch (rows)", CCode(lines: cases))
    }
    let call: CCode =
      calls.count == 1 ? calls[0] : .block("if (tiles - t > \(widths[1]) * VL)", calls[0]) + .block("else", calls[1])
    return """
      static void \(symbol)_products(const float *u, const float *v, float *m, int64_t rows, int64_t tiles) {
        for (int64_t t = 0; t < tiles; t += \(plan.width))
        for (int64_t p = 0; p < \(transform.products); p++) {
          const float *const a = u + p * \(filterStep), *const b = v + p * \(inputStep) + t;
          float *const c = m + p * \(productStep) + t;
          \(call)
        }
      }
      """
  }

  func body(_ symbol: String) -> CCode {
    let steps = problem.channels * 9
    return """
      const int64_t *s = frame->symbols;
      (void)s;
      float *const line = (float *)(void *)memory, *const d = line + \(scratch.phases);
      float *const v = line + \(scratch.inputs), *const u = line + \(scratch.filters);
      float *const m = line + \(scratch.products), *const z = line + \(scratch.outputs);
      const \(inputType) *const x = (const \(inputType) *)buffers[\(problem.convolution.x)];
      int64_t at[\(3 * plan.places)];
      for (int64_t task = begin; task < end; task++) {
        const int64_t part = task % \(parts) * \(plan.filters), start = task / \(parts) * \(plan.taskPlaces);
        const int64_t filters = mlc_min_i64(\(plan.filters), \(problem.filters) - part);
        const int64_t stop = mlc_min_i64(start + \(plan.taskPlaces), \(spell(places)));
        const int64_t strips = (filters + \(plan.tile.rows - 1)) / \(plan.tile.rows);
        \(symbol)_filters(u, (const float *)buffers[\(problem.convolution.weight)] + part * \(steps), filters);
        for (int64_t first = start; first < stop; first += \(plan.places)) {
          const int64_t count = mlc_min_i64(\(plan.places), stop - first), tiles = count * \(plan.placeTiles);
          \(transformed(symbol))
          for (int64_t strip = 0, filter = 0; strip < strips; strip++) {
            const int64_t rows = filters / strips + (strip < filters % strips);
            \(symbol)_products(u + filter * \(filterLength), v, m, rows, tiles);
            for (int64_t r = 0; r < rows; r++, filter++) {
              for (int64_t t = 0; t < tiles; t += VL)
                \(symbol)_output(m + r * \(plan.tileStep) + t, z + t * \(size));
              \(stored(symbol))
            }
          }
        }
      }
      """
  }

  /// Finds the image, row and column of each place, and transforms its inputs. What vectors write past a place is
  /// written again with the next place or channel.
  private func transformed(_ symbol: String) -> CCode {
    let (top, left) = (problem.convolution.top, problem.convolution.left)
    let plane = spell(problem.x.shape[2...].reduce(1, *))
    return """
      for (int64_t i = 0; i < count; i++) {
        const int64_t place = first + i, rest = place / \(spell(across));
        at[3 * i] = rest / \(spell(down));
        at[3 * i + 1] = rest % \(spell(down)) * \(plan.tileRows * size);
        at[3 * i + 2] = place % \(spell(across)) * \(plan.tileColumns * size);
      }
      for (int64_t c = 0; c < \(problem.channels); c++)
        for (int64_t i = 0; i < count; i++) {
          float *const to = v + c * \(plan.tileStep) + i * \(plan.placeTiles);
          \(symbol)_copy(s, line, d, x + (at[3 * i] * \(problem.channels) + c) * \(plane),
            x + \(spell(problem.x.shape.reduce(1, *))), at[3 * i + 1] - \(top), at[3 * i + 2] - \(left));
          for (int64_t t = 0; t < \(plan.placeTiles); t += VL) \(symbol)_input(d + t, to + t);
        }
      """
  }

  /// Stores the outputs of a filter, row by row.
  private func stored(_ symbol: String) -> CCode {
    let place = epilogue.isFlat ? "0, 0, (y + i) * \(spell(problem.columns)) + x" : "0, y + i, x"
    return """
      for (int64_t p = 0; p < count; p++) {
        const int64_t image = at[3 * p], y = at[3 * p + 1], x = at[3 * p + 2];
        const int64_t high = mlc_min_i64(\(plan.tileRows * size), \(spell(problem.rows)) - y);
        const int64_t wide = mlc_min_i64(\(plan.tileColumns * size), \(spell(problem.columns)) - x);
        for (int64_t i = 0; i < high; i++)
          \(symbol)_finish(frame, buffers, z + i % \(size) * \(outputStep)
            + (p * \(plan.placeTiles) + i / \(size) * \(plan.pitch)) * \(size), wide, image, part + filter, \(place));
      }
      """
  }
}

import MLCCore
import MLCKernels

/// Spells one attention under one tile as C. `BlockedAttentionEmitter+…` hold the parts of the source.
///
/// A task is a block of queries of one batch position; blocks vary fastest, so that a worker keeps the keys and values
/// it packed.
struct BlockedAttentionEmitter {
  let problem: AttentionProblem
  let tile: AttentionTile

  var attention: Attention { problem.attention }
  func spell(_ dim: Dim) -> String { problem.spell(dim) }

  /// Elements of one packed row of values.
  var width: Int { (problem.width + tile.lanes - 1) / tile.lanes * tile.lanes }
  private var blocks: String {
    let m = attention.m.extent
    if let m = m.constant { return "\((m + tile.block - 1) / tile.block)" }
    return "((\(spell(m))+\(tile.block - 1))/\(tile.block))"
  }
  var tasks: String { (attention.batch.map { spell($0.extent) } + [blocks]).joined(separator: "*") }

  private var areas: [(name: String, count: Int)] {
    [
      ("keys", tile.keys * problem.depth), ("values", tile.keys * width), ("x", tile.rows * tile.stride),
      ("o", tile.block * width), ("tops", (tile.block + 15) / 16 * 16), ("totals", (tile.block + 15) / 16 * 16),
      ("left", tile.rows * problem.depth),
    ]
  }
  var scratchElements: Int { areas.reduce(0) { $0 + ($1.count + 15) / 16 * 16 } }

  func source(_ symbol: String) -> CCode {
    let counts = tile.rowCounts(attention.m.extent.constant)
    let groups = Set(tile.groups(problem.width)).sorted()
    return [
      problem.position(symbol), problem.scoreFunctions(symbol),
      problem.softmaxFunction(stride: tile.stride, width: width, symbol),
      problem.storeFunction(stride: width, symbol), packKeys(symbol), packValues(symbol), packQueries(symbol),
      counts.map { scores(rows: $0, symbol) }.joined(),
      counts.flatMap { rows in groups.map { sums(rows, $0, symbol) } }.joined(),
      tileFunction(counts, symbol), .kernel(symbol, driver(symbol)),
    ]
  }

  /// Scores, softmax and sums of the queries in `left`.
  private func tileFunction(_ counts: [Int], _ symbol: String) -> CCode {
    let cases = counts.map { rows -> CCode in
      """
      case \(rows):
        \(symbol)_scores_\(rows)(left, keys, panels, x);
        \(symbol)_softmax(at, x, \(rows), columns, tops, totals, o);
        \(weightedSums(rows, symbol))
        break;
      """
    }
    return """
      static __attribute__((noinline, unused)) void \(symbol)_tile(
        const struct \(symbol)_at *restrict at, int64_t rows, const float *left, const float *keys, const float *values,
        int64_t columns, float *x, float *o, float *tops, float *totals) {
        const int64_t panels = (columns + \(tile.panel - 1)) / \(tile.panel);
        switch (rows) {
          \(cases.joined())
        }
      }
      """
  }

  /// Calls that add the values to `rows` rows of sums.
  private func weightedSums(_ rows: Int, _ symbol: String) -> CCode {
    var (lines, column) = ([String](), 0)
    for group in tile.groups(problem.width) {
      let place = column * tile.lanes
      lines.append("\(symbol)_sums_\(rows)_\(group)(x, values + \(place), columns, o + \(place), at->first);")
      column += group
    }
    return CCode(lines: lines)
  }

  private var scratch: CCode {
    var (lines, offset) = ([String](), 0)
    for area in areas {
      lines.append("float *const \(area.name) = (float *)(void *)scratch + \(offset);")
      offset += (area.count + 15) / 16 * 16
    }
    return CCode(lines: lines)
  }

  private func driver(_ symbol: String) -> CCode {
    let (keyStep, valueStep) = (spell(problem.key.stride(attention.n)), spell(problem.value.stride(attention.n)))
    let batch = problem.batchNames.map { "\($0), " }.joined()
    return """
      const int64_t *const s = frame->symbols;
      (void)s;
      const int64_t M = \(spell(attention.m.extent)), N = \(spell(attention.n.extent)), blocks = \(blocks);
      \(scratch)
      int64_t packed = -1;
      for (int64_t task = begin; task < end; task++) {
        int64_t rest = task / blocks;
        const int64_t place = rest, block = task % blocks;
        \(problem.positions)
        \(problem.base("query", attention.query, problem.query))
        \(problem.base("key", attention.key, problem.key))
        \(problem.base("value", attention.value, problem.value))
        const int64_t low = M * block / blocks, high = M * (block + 1) / blocks;
        int64_t done = 0;
        do {
          const int64_t columns = N - done < \(tile.keys) ? N - done : \(tile.keys);
          if (N > \(tile.keys) || packed != place) {
            \(symbol)_pack_keys(s, key + done * \(keyStep), columns, keys);
            \(symbol)_pack_values(s, value + done * \(valueStep), columns, values);
            packed = place;
          }
          const int64_t tiles = (high - low + \(tile.rows - 1)) / \(tile.rows);
          const int64_t few = tiles ? (high - low) / tiles : 0, more = tiles ? (high - low) % tiles : 0;
          int64_t row = 0;
          for (int64_t i = 0; i < tiles; i++) {
            const int64_t rows = few + (i < more);
            struct \(symbol)_at at = { frame, buffers, \(batch)low + row, done, done == 0, N == 0 };
            \(symbol)_pack_queries(s, query + at.m * \(spell(problem.query.stride(attention.m))), rows, left);
            \(symbol)_tile(&at, rows, left, keys, values, columns, x, o + row * \(width), tops + row, totals + row);
            if (done + columns >= N) \(symbol)_store(&at, o + row * \(width), totals + row, rows);
            row += rows;
          }
          done += columns;
        } while (done < N);
      }
      """
  }
}

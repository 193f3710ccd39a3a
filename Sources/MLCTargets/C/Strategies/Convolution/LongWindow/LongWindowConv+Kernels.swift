import MLCCore
import MLCKernels

extension LongWindowConv {
  /// Filters and columns of the tiles that tasks meet: as even as they can be.
  var rowCounts: Set<Int> { counts(problem.filtersPerGroup, plan.filters, unit: 1, most: plan.rows) }
  var columnCounts: Set<Int> { counts(space.images, plan.images, unit: space.taps, most: plan.columns) }

  private func counts(_ all: Int, _ part: Int, unit: Int, most: Int) -> Set<Int> {
    let tile = GemmTile(rows: most, vectors: 1)
    return tile.split(part * unit).union(tile.split(all % part * unit))
  }

  /// Adds the products of `depth` steps of `rows` filters and `columns` columns to their vectors of sums, which lie at
  /// `places` of the first filter's, or, when it `isFirst`, to nothing. Rows are padded with zeros to whole vectors.
  func microKernel(_ rows: Int, _ columns: Int, _ symbol: String) -> CCode {
    func each(_ statement: (_ row: Int, _ column: Int) -> String) -> CCode { .grid(rows, columns, statement) }
    func place(_ row: Int, _ column: Int) -> String { "sums + places[\(column)] + \(row * space.taps) * VL" }
    let filters = (0..<rows).map { "const V a\($0) = LD(a + \($0 * pitch) + k);" }.joined(separator: " ")
    let products = (0..<columns).map { column in
      let sums = (0..<rows).map { "c\($0)_\(column) += a\($0) * v;" }.joined(separator: " ")
      return "{ const V v = LD(b + \(column * pitch) + k); \(sums) }"
    }
    return """
      static __attribute__((noinline)) void \(symbol)_\(rows)x\(columns)(const float *restrict a,
        const float *restrict b, int64_t depth, float *restrict sums, const int64_t *restrict places,
        int64_t isFirst) {
        \(each { "V c\($0)_\($1) = {};" })
        \(CCode.block("if (!isFirst)", each { "c\($0)_\($1) = LD(\(place($0, $1)));" }))
        _Pragma("clang loop \(rows * columns >= 16 ? "unroll(disable)" : "unroll_count(2)")")
        for (int64_t k = 0; k < depth; k += VL) {
          \(CCode(lines: [filters] + products))
        }
        \(each { "ST(\(place($0, $1)), c\($0)_\($1));" })
      }
      """
  }

  /// All tiles of `filters` filters and `columns` columns for a part of the window.
  func tiles(_ symbol: String) -> CCode {
    let cases = rowCounts.sorted(by: >).flatMap { rows in
      columnCounts.sorted(by: >).map { columns in
        "case \(rows * 64 + columns): \(symbol)_\(rows)x\(columns)(a, p, depth, sums, at, isFirst); break;"
      }
    }
    return """
      static void \(symbol)_tiles(const float *w, int64_t filters, const float *b, int64_t columns, int64_t depth,
        float *parts, const int64_t *places, int64_t isFirst) {
        const int64_t across = (columns + \(plan.columns - 1)) / \(plan.columns);
        const int64_t down = (filters + \(plan.rows - 1)) / \(plan.rows);
        for (int64_t i = 0, first = 0; i < across; i++) {
          const int64_t wide = columns / across + (i < columns % across);
          const float *const p = b + first * \(pitch), *a = w;
          const int64_t *const at = places + first;
          float *sums = parts;
          for (int64_t j = 0; j < down; j++) {
            const int64_t high = filters / down + (j < filters % down);
            switch (high * 64 + wide) {
              \(CCode(lines: cases))
            }
            a += high * \(pitch);
            sums += high * \(space.taps) * VL;
          }
          first += wide;
        }
      }
      """
  }
}

import MLCCore
import MLCKernels

/// Zeros that a convolution owes its blocked output: the halo, and the lanes past the last channel.
struct ConvolutionBorder {
  /// The kernel's.
  let symbol: String
  let view: BlockedView
  let rows: Dim, columns: Dim, filters: Int
  let type: String
  let sizes: SizeSpelling

  private var lanes: Int { filters % view.block }

  /// Definitions of `SYMBOL_halo` and `SYMBOL_lanes`, those that are needed.
  var definitions: String {
    var text = ""
    if view.hasHalo { text += halo }
    if lanes != 0 { text += unusedLanes }
    return text
  }

  /// Statements that finish a range of rows, and of columns where it is not all of them, of `count` planes at `o`, of
  /// which the first is channel block `block`.
  func calls(
    _ rows: (String, String),
    columns: (String, String)? = nil,
    count: Int,
    block: String,
    haloIf: String? = nil
  ) -> [String] {
    let plane = sizes.spell(view.plane)
    var lines: [String] = []
    if lanes != 0 {
      let (left, right) = columns ?? ("0", sizes.spell(self.columns))
      lines.append(
        "if (\(block) + \(count) == \(view.blocks)) "
          + "\(symbol)_lanes(s, o + \(count - 1) * \(plane), \(rows.0), \(rows.1), \(left), \(right));"
      )
    }
    if view.hasHalo {
      lines.append(
        (haloIf.map { "if (\($0)) " } ?? "")
          + "for (int64_t j = 0; j < \(count); j++) \(symbol)_halo(s, o + j * \(plane), \(rows.0), \(rows.1));"
      )
    }
    return lines
  }

  private var halo: String {
    let row = sizes.spell(view.row)
    let (halo, block) = (view.halo, view.block)
    var lines = ["static void \(symbol)_halo(const int64_t *s, \(type) *plane, int64_t first, int64_t last) {"]
    if halo.top > 0 {
      lines.append("  if (first == 0) for (int64_t i = 0; i < \(halo.top) * \(row); i++) plane[i] = 0;")
    }
    if halo.left + halo.right > 0 {
      lines.append("  for (int64_t y = first; y < last; y++) {")
      lines.append("    \(type) *r = plane + (y + \(halo.top)) * \(row);")
      if halo.left > 0 { lines.append("    for (int64_t i = 0; i < \(halo.left * block); i++) r[i] = 0;") }
      if halo.right > 0 {
        lines.append("    r += \(row) - \(halo.right * block);")
        lines.append("    for (int64_t i = 0; i < \(halo.right * block); i++) r[i] = 0;")
      }
      lines.append("  }")
    }
    if halo.bottom > 0 {
      lines.append("  plane += \(sizes.spell(Dim(halo.top) + rows)) * \(row);")
      lines.append(
        "  if (last == \(sizes.spell(rows))) for (int64_t i = 0; i < \(halo.bottom) * \(row); i++) plane[i] = 0;"
      )
    }
    return (lines + ["  (void)s;", "}", ""]).joined(separator: "\n")
  }

  private var unusedLanes: String {
    """
    static void \(symbol)_lanes(
      const int64_t *s, \(type) *plane, int64_t first, int64_t last, int64_t left, int64_t right) {
      for (int64_t y = first; y < last; y++) {
        \(type) *r = plane + (y + \(view.halo.top)) * \(sizes.spell(view.row)) + \(view.halo.left * view.block);
        for (int64_t x = left; x < right; x++)
          for (int64_t l = \(lanes); l < \(view.block); l++) r[x * \(view.block) + l] = 0;
      }
      (void)s;
    }

    """
  }
}

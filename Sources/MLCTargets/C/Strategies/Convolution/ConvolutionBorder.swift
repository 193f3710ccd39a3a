import MLCCore
import MLCKernels

/// What a convolution owes its blocked output: the halo, and zeros in the lanes past the last channel.
struct ConvolutionBorder {
  /// The kernel's.
  let symbol: String
  let view: BlockedView
  let rows: Dim, columns: Dim, filters: Int
  let type: String
  let sizes: SizeSpelling

  private var lanes: Int { filters % view.block }

  /// Definitions of `SYMBOL_halo` and `SYMBOL_lanes`, those that are needed.
  var definitions: CCode { (view.hasHalo ? halo : []) + (lanes != 0 ? unusedLanes : []) }

  /// Statements that finish a range of rows, and of columns where it is not all of them, of planes of
  /// `count` blocks of channels at `o`, of which the first is `block`.
  func calls(
    _ rows: (String, String),
    columns: (String, String)? = nil,
    count: Int,
    block: String,
    haloIf: String? = nil
  ) -> CCode {
    let volume = sizes.spell(view.volume)
    let (left, right) = columns ?? ("0", sizes.spell(self.columns))
    let lastPlane: CCode = """
      if (\(block) + \(count) == \(view.blocks))
        \(symbol)_lanes(s, o + \(count - 1) * \(volume), \(rows.0), \(rows.1), \(left), \(right));
      """
    let halos: CCode = """
      \(haloIf.map { "if (\($0)) " } ?? "")for (int64_t j = 0; j < \(count); j++)
        \(symbol)_halo(s, o + j * \(volume), \(rows.0), \(rows.1));
      """
    return (lanes != 0 ? lastPlane : []) + (view.hasHalo ? halos : [])
  }

  private var halo: CCode {
    let row = sizes.spell(view.row)
    let (halo, block) = (view.halo, view.block)
    func fill(_ pointer: String, _ count: String) -> String {
      "for (int64_t i = 0; i < \(count); i++) \(pointer)[i] = \(halo.fill);"
    }
    let right: CCode = """
      r += \(row) - \(halo.right * block);
      \(fill("r", "\(halo.right * block)"))
      """
    let sides: CCode = """
      for (int64_t y = first; y < last; y++) {
        \(type) *r = plane + (y + \(halo.top)) * \(row);
        \(halo.left > 0 ? fill("r", "\(halo.left * block)") : "")
        \(halo.right > 0 ? right : [])
      }
      """
    let bottom: CCode = """
      plane += \(sizes.spell(Dim(halo.top) + rows)) * \(row);
      if (last == \(sizes.spell(rows))) \(fill("plane", "\(halo.bottom) * \(row)"))
      """
    return """
      static void \(symbol)_halo(const int64_t *s, \(type) *plane, int64_t first, int64_t last) {
        \(halo.top > 0 ? "if (first == 0) \(fill("plane", "\(halo.top) * \(row)"))" : "")
        \(halo.left + halo.right > 0 ? sides : [])
        \(halo.bottom > 0 ? bottom : [])
        (void)s;
      }
      """
  }

  private var unusedLanes: CCode {
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

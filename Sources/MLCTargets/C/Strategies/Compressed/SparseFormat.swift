import MLCCore
import MLCKernels

/// How a sparse weight lies in memory for kernels of one vector width: which lanes are there, and their values.
///
/// One buffer holds, each part from a multiple of 64 bytes on and panel after panel:
/// - masks `[step][vector]`, uint16, a bit a lane;
/// - for each panel `[⌈steps / 64⌉]` int32: how many values come before every 64th step;
/// - values in the order of steps, vectors, lanes, float32, and one more vector.
struct SparseFormat: Hashable, Sendable {
  static let span = 64
  let lanes: Int, steps: Int, vectors: Int
  let panels: Int
  let values: Int

  var spans: Int { (steps + SparseFormat.span - 1) / SparseFormat.span }
  private static func aligned(_ bytes: Int) -> Int { (bytes + 63) / 64 * 64 }
  var starts: Int { SparseFormat.aligned(steps * vectors * 2) }
  var elements: Int { starts + SparseFormat.aligned(panels * spans * 4) }
  var byteCount: Int { elements + (values + 16) * 4 }

  /// `nil` when nothing would be saved.
  init?(_ mask: [UInt8], _ grid: WeightGrid, lanes: Int) {
    var count = 0
    for lane in grid.lanes where lane >= 0 {
      for step in grid.steps { count += Int(mask[lane + step]) }
    }
    guard count <= Int(Int32.max), !grid.steps.isEmpty else { return nil }
    (self.lanes, steps, values) = (lanes, grid.steps.count, count)
    (vectors, panels) = (grid.lanes.count / lanes, grid.panels.count)
    guard byteCount <= steps * vectors * lanes * 3 else { return nil }
  }

  func pack(_ dense: [Float], _ mask: [UInt8], _ grid: WeightGrid) -> Tensor {
    Tensor(.uint8, [byteCount]) { (bytes: UnsafeMutableBufferPointer<UInt8>) in
      guard let base = UnsafeMutableRawPointer(bytes.baseAddress) else { return }
      let masks = base.assumingMemoryBound(to: UInt16.self)
      let starts = (base + starts).assumingMemoryBound(to: Int32.self)
      let out = (base + elements).assumingMemoryBound(to: Float.self)
      var (next, first) = (0, 0)
      for (panel, width) in grid.panels.enumerated() {
        for step in 0..<steps {
          if step % SparseFormat.span == 0 {
            starts[panel * spans + step / SparseFormat.span] = Int32(truncatingIfNeeded: next)
          }
          for lane in 0..<width * lanes {
            let start = grid.lanes[first * lanes + lane]
            guard start >= 0, mask[start + grid.steps[step]] != 0 else { continue }
            masks[first * steps + step * width + lane / lanes] |= 1 << UInt16(lane % lanes)
            out[next] = dense[start + grid.steps[step]]
            next += 1
          }
        }
        first += width
      }
    }
  }

  /// `SYMBOL_expand`, as `CodeSpelling.expandFunction` has it; `panel` numbers panels, `first` is a multiple of 64.
  func expandFunction(_ symbol: String) -> CCode {
    """
    static __attribute__((noinline, unused)) void \(symbol)_expand(
      const char *restrict codes, int64_t panel, int64_t vector, int64_t vectors, int64_t first, int64_t count,
      float *restrict to) {
      const uint16_t *mask = (const uint16_t *)(const void *)codes + vector * \(steps) + first * vectors;
      const int32_t start = ((const int32_t *)(const void *)(codes + \(starts)))[panel * \(spans) + first / 64];
      const float *from = (const float *)(const void *)(codes + \(elements)) + start;
      for (int64_t n = 0; n < count * vectors; n++, to += VL) {
        ST(to, mlc_spread(from, mask[n]));
        from += __builtin_popcount(mask[n]);
      }
    }
    """
  }
}

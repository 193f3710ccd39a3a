import MLCKernels

/// The C that reads a weight in a `CodeFormat`.
struct CodeSpelling {
  let format: CodeFormat

  /// Declares what a vector's codes need besides themselves. `place` is a C expression: the
  /// vector's number in `[run][vector]`, all panels counted; `suffix` tells vectors apart.
  func constants(place: String, suffix: String = "", scale: Bool = true) -> CCode {
    func lane(_ type: String, _ part: Int) -> String {
      "*(const \(type) *)(codes + \(part) + (\(place)) * \(format.lanes * 4))"
    }
    let decoding: CCode =
      switch format.decoder {
      case .number, .table(true), .gather(true): []
      case .table(false):
        "const mlc_table table\(suffix) = mlc_ld_table(codes + \(format.palettes) + (\(place)) * 64);"
      case .gather(false): "const VW start\(suffix) = \(lane("VWU", format.starts));"
      }
    return """
      \(format.hasScale && scale ? "const V scale\(suffix) = \(lane("VU", format.scales));" : "")
      \(format.hasOffset ? "const V offset\(suffix) = \(lane("VU", format.offsets));" : "")
      \(decoding)
      """
  }

  /// Declares what all vectors share.
  var shared: CCode {
    switch format.decoder {
    case .table(true): "const mlc_table table = mlc_ld_table(codes + \(format.palettes));"
    case .gather: "const float *const palette = (const float *)(const void *)(codes + \(format.palettes));"
    case .number, .table(false): []
    }
  }

  /// What code `i` of `word` stands for before scaling, a `V`. `i` and `word` are C expressions.
  func value(_ word: String, _ i: String, suffix: String = "") -> String {
    let (bits, mask) = (format.bits, (1 << format.bits) - 1)
    let shifted = "(\(word) >> (\(i)) * \(bits))"
    var text: String
    switch format.decoder {
    case .number(true):
      let top = "(VI)(\(word) << \(32 - bits) - (\(i)) * \(bits))"
      text = "__builtin_convertvector(\(top) >> \(32 - bits), V)"
    case .number(false): text = "__builtin_convertvector((VI)(\(shifted) & \(mask)), V)"
    case .table(let isShared): text = "mlc_look_up(table\(isShared ? "" : suffix), \(shifted))"
    case .gather(true): text = "mlc_gather(palette, \(shifted) & \(mask))"
    case .gather(false): text = "mlc_gather(palette, start\(suffix) + (\(shifted) & \(mask)))"
    }
    if format.hasOffset { text = "(\(text) - offset\(suffix))" }
    return text
  }

  /// `SYMBOL_expand`: writes steps `first ..< first + count` of the panel of `vectors` vectors that begins with vector
  /// `vector`, `[step][vector][lane]`. `first` begins a run, or a word where there is one run.
  func expandFunction(_ symbol: String) -> CCode {
    let scaled = format.hasScale ? " * scale" : ""
    let lanes = format.lanes
    return """
      static __attribute__((noinline, unused)) void \(symbol)_expand(
        const char *restrict codes, int64_t panel, int64_t vector, int64_t vectors, int64_t first, int64_t count,
        float *restrict to) {
        (void)panel;
        \(shared)
        for (int64_t done = 0; done < count;) {
          const int64_t run = (first + done) / \(format.run), inside = (first + done) % \(format.run);
          const int64_t left = count - done, steps = left < \(format.run) - inside ? left : \(format.run) - inside;
          for (int64_t j = 0; j < vectors; j++) {
            const VWU *q = (const VWU *)(const void *)codes + vector * \(format.words)
              + (run * \(format.wordsPerRun) + inside / \(format.perWord)) * vectors + j;
            float *o = to + (done * vectors + j) * \(lanes);
            \(constants(place: "vector * \(format.runs) + run * vectors + j"))
            int64_t k = 0;
            for (; k + \(format.perWord) <= steps; k += \(format.perWord), q += vectors) {
              const VW word = *q;
              _Pragma("clang loop unroll(full)")
              for (uint32_t i = 0; i < \(format.perWord); i++, o += vectors * \(lanes))
                ST(o, \(value("word", "i"))\(scaled));
            }
            if (k < steps) {
              const VW word = *q;
              for (uint32_t i = 0; i < steps - k; i++, o += vectors * \(lanes)) ST(o, \(value("word", "i"))\(scaled));
            }
          }
          done += steps;
        }
      }
      """
  }
}

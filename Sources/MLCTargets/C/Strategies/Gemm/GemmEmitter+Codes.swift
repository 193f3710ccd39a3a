import MLCCore
import MLCKernels

extension GemmEmitter {
  /// `rows` rows of one panel of codes: each word of codes becomes vectors of floats in registers, used for every row.
  /// Sums of a run are scaled once.
  func codesMicroKernel(rows: Int, _ symbol: String) -> CCode {
    guard let format = plan.compressed?.codes else { return [] }
    let spelling = CodeSpelling(format: format)
    let scalesRuns = format.hasScale && format.runs > 1
    return """
      static __attribute__((noinline, unused)) void \(symbol)_\(rows)(
        const struct \(symbol)_at *restrict at, const float *restrict a, const char *restrict codes, int64_t vector) {
        \(symbolicStrides)
        float *sums = at->sums;
        const VWU *q = (const VWU *)(const void *)codes + vector * \(format.words);
        \(spelling.shared)
        \(zeros("c", rows))
        \(scalesRuns ? zeros("r", rows) : [])
        for (int64_t run = 0; run < \(format.runs); run++) {
          \(constants(spelling, scale: false))
          \(words(spelling, rows, into: scalesRuns ? "r" : "c"))
          \(scalesRuns ? addRun(spelling, rows) : [])
        }
        \(format.hasScale && !scalesRuns ? scaleSums(spelling, rows) : [])
        \(finish(rows, symbol))
      }
      """
  }

  private func zeros(_ name: String, _ rows: Int) -> CCode { each(rows) { "V \(name)\($0)_\($1)_0 = {};" } }

  private func place(_ vector: Int, _ format: CodeFormat) -> String {
    "vector * \(format.runs) + run * \(plan.tile.vectors) + \(vector)"
  }

  private func constants(_ spelling: CodeSpelling, scale: Bool) -> CCode {
    (0..<plan.tile.vectors).map { vector in
      spelling.constants(place: place(vector, spelling.format), suffix: "\(vector)", scale: scale)
    }.joined()
  }

  /// The words of one run: whole ones, and the last one where a run does not fill it.
  private func words(_ spelling: CodeSpelling, _ rows: Int, into sums: String) -> CCode {
    let format = spelling.format
    let (whole, rest) = format.run.quotientAndRemainder(dividingBy: format.perWord)
    let step = "run * \(format.run) + "
    var code = CCode()
    if whole > 0 {
      code += """
        for (int64_t word = 0; word < \(whole); word++, q += \(plan.tile.vectors)) {
          const float *x = a + (\(step)word * \(format.perWord)) * \(leftStrides.k);
          \(word(spelling, rows, codes: format.perWord, sums))
        }
        """
    }
    if rest > 0 {
      code += """
        {
          const float *x = a + (\(step)\(whole * format.perWord)) * \(leftStrides.k);
          \(word(spelling, rows, codes: rest, sums))
          q += \(plan.tile.vectors);
        }
        """
    }
    return code
  }

  private func word(_ spelling: CodeSpelling, _ rows: Int, codes: Int, _ sums: String) -> CCode {
    let (row, k) = leftStrides
    let ahead = 4096
    return (0..<plan.tile.vectors).map { vector -> CCode in
      let products = (0..<rows).map { "\(sums)\($0)_\(vector)_0 += v * x[\($0) * \(row) + i * \(k)];" }
      return """
        {
          const VW word = q[\(vector)];
          __builtin_prefetch((const char *)(q + \(vector)) + \(ahead));
          _Pragma("clang loop unroll(full)") for (uint32_t i = 0; i < \(codes); i++) {
            const V v = \(spelling.value("word", "i", suffix: "\(vector)"));
            \(products.joined(separator: " "))
          }
        }
        """
    }.joined()
  }

  private func scale(_ vector: Int, _ format: CodeFormat, run: String) -> String {
    let place = "(vector * \(format.runs) + \(run) * \(plan.tile.vectors) + \(vector))"
    return "*(const VU *)(const void *)(codes + \(format.scales) + \(place) * \(format.lanes * 4))"
  }

  /// Adds the sums of a run times its scale, and clears them.
  private func addRun(_ spelling: CodeSpelling, _ rows: Int) -> CCode {
    CCode(
      lines: (0..<plan.tile.vectors).map { vector in
        let adds = (0..<rows).map { row in
          "c\(row)_\(vector)_0 += r\(row)_\(vector)_0 * scale; r\(row)_\(vector)_0 = (V){};"
        }
        return "{ const V scale = \(scale(vector, spelling.format, run: "run")); \(adds.joined(separator: " ")) }"
      }
    )
  }

  private func scaleSums(_ spelling: CodeSpelling, _ rows: Int) -> CCode {
    CCode(
      lines: (0..<plan.tile.vectors).map { vector in
        let products = (0..<rows).map { "c\($0)_\(vector)_0 *= scale;" }.joined(separator: " ")
        return "{ const V scale = \(scale(vector, spelling.format, run: "0")); \(products) }"
      }
    )
  }
}

import MLCCore
import MLCKernels

extension AttentionProblem {
  /// `SYMBOL_softmax`: rows of products, `stride` apart, become weights e^(score − top), with the running top and
  /// total of each row.
  ///
  /// Where a chunk raises a row's top, its total and its sums in `o`, `width` apart, shrink accordingly. Lanes past the
  /// last key become weights of 0. A top of −∞ leaves weights and total 0, so that the row ends as NaN.
  func softmaxFunction(stride: Int, width: Int, _ symbol: String) -> CCode {
    """
    FN float \(symbol)_top(V v) {
      float t[VL];
      ST(t, v);
      for (int h = VL / 2; h > 0; h /= 2) for (int i = 0; i < h; i++) t[i] = t[i + h] > t[i] ? t[i + h] : t[i];
      return t[0];
    }
    static __attribute__((noinline, unused)) void \(symbol)_softmax(
      const struct \(symbol)_at *restrict at, float *restrict x, int64_t rows, int64_t columns, float *restrict tops,
      float *restrict totals, float *restrict o) {
      const float none = -__builtin_inff();
      for (int64_t r = 0; r < rows; r++, x += \(stride), o += \(width)) {
        V t0 = SPLAT(none), t1 = t0;
        int64_t j = 0;
        \(scores(symbol))
        const float top = \(symbol)_top(mlc_max_number_v(t0, t1)), old = at->first ? none : tops[r];
        const float now = top > old ? top : old;
        float total = at->first ? (float)at->none : totals[r];
        tops[r] = now;
        if (now == none) {
          for (j = 0; j < columns; j++) if (x[j] != x[j]) total = x[j];
          for (j = 0; j < columns; j += VL) ST(x + j, SPLAT(0));
          totals[r] = total;
          continue;
        }
        V s0 = {}, s1 = {};
        const V shift = SPLAT(now);
        for (j = 0; j + VL < columns; j += 2 * VL) {
          const V e0 = mlc_exp_negative_v(LD(x + j) - shift), e1 = mlc_exp_negative_v(LD(x + j + VL) - shift);
          ST(x + j, e0);
          ST(x + j + VL, e1);
          s0 += e0;
          s1 += e1;
        }
        if (j < columns) {
          const V e = mlc_exp_negative_v(LD(x + j) - shift);
          ST(x + j, e);
          s0 += e;
        }
        if (!at->first && now != old) {
          const float shrink = mlc_exp_negative_f32(old - now);
          total *= shrink;
          for (j = 0; j < \(width); j += VL) ST(o + j, LD(o + j) * shrink);
        }
        totals[r] = total + mlc_hsum(s0 + s1);
      }
    }
    """
  }

  /// Applies the score to a row and finds its top. A NaN may be missed by the top; the total has it all the same.
  private func scores(_ symbol: String) -> CCode {
    let lanes = "const V v = mlc_select_v(mlc_first(columns - j), x0, SPLAT(none));"
    if hasScore && !scoresInVectors {
      return """
        for (int64_t n = 0; n < columns; n++) x[n] = \(symbol)_score(at, x[n], at->m + r, at->n + n);
        for (; j + VL <= columns; j += VL) t0 = mlc_max_number_v(LD(x + j), t0);
        if (j < columns) {
          const V x0 = LD(x + j);
          \(lanes)
          ST(x + j, v);
          t1 = v;
        }
        """
    }
    let (whole, part) =
      hasScore
      ? (
        "\(symbol)_score(at, LD(x + j), at->m + r, at->n + j)",
        "\(symbol)_score_part(at, LD(x + j), columns - j, at->m + r, at->n + j)"
      ) : ("LD(x + j)", "LD(x + j)")
    return """
      for (; j + VL <= columns; j += VL) {
        const V v = \(whole);
        \(hasScore ? "ST(x + j, v);" : "")
        t0 = mlc_max_number_v(v, t0);
      }
      if (j < columns) {
        const V x0 = \(part);
        \(lanes)
        ST(x + j, v);
        t1 = v;
      }
      """
  }
}

import MLCCore
import MLCKernels

extension GemmEmitter {
  /// Copies `depth` × `columns` of the right operand to `[depth][width]` floats; the remaining columns become zero.
  func packRight(_ symbol: String) -> CCode {
    if let compressed = plan.compressed { return plan.expandsCodes ? compressed.expandFunction(symbol) : [] }
    guard plan.constantType == nil else { return [] }
    let strides = (n: problem.rhs.stride(matmul.n), k: problem.rhs.stride(matmul.k))
    let type = problem.rhsType
    let body =
      strides.n == 1
      ? copyRows(type) : strides.k == 1 && type == .float32 ? transpose : copyElements(type)
    return """
      static __attribute__((noinline, unused)) void \(symbol)_pack_right(
        const int64_t *s, const \(type.cStorageType) *b, int64_t depth, int64_t columns, \(element) *restrict to) {
        const int64_t sn = \(spell(strides.n)), sk = \(spell(strides.k));
        (void)s, (void)sn;
        if (columns < \(plan.width)) __builtin_memset(to, 0, (uint64_t)depth * \(plan.width) * sizeof *to);
        \(body)
      }
      """
  }

  private var sum: StoredElement { StoredElement(problem.sumElement) }

  private func copyRows(_ type: DType) -> CCode {
    """
    for (int64_t k = 0; k < depth; k++, b += sk, to += \(plan.width)) {
      int64_t n = 0;
      for (; n + VL <= columns; n += VL) \(sum.store("to + n", StoredElement(type).load("b + n")))
      for (; n < columns; n++) to[n] = \(StoredElement(type).read("b[n]"));
    }
    """
  }

  private func copyElements(_ type: DType) -> CCode {
    """
    for (int64_t n = 0; n < columns; n++)
      for (int64_t k = 0; k < depth; k++) to[k * \(plan.width) + n] = \(StoredElement(type).read("b[n * sn + k * sk]"));
    """
  }

  /// Four columns and four steps of k at a time.
  private var transpose: CCode {
    """
    typedef float Q __attribute__((vector_size(16)));
    typedef float QU __attribute__((vector_size(16), aligned(4), may_alias));
    int64_t n = 0;
    for (; n + 4 <= columns; n += 4) {
      const float *p = b + n * sn;
      float *o = to + n;
      int64_t k = 0;
      for (; k + 4 <= depth; k += 4, o += \(4 * plan.width)) {
        Q x0 = *(const QU *)(p + k), x1 = *(const QU *)(p + sn + k);
        Q x2 = *(const QU *)(p + 2 * sn + k), x3 = *(const QU *)(p + 3 * sn + k);
        Q y0 = __builtin_shufflevector(x0, x1, 0, 4, 1, 5), y1 = __builtin_shufflevector(x0, x1, 2, 6, 3, 7);
        Q y2 = __builtin_shufflevector(x2, x3, 0, 4, 1, 5), y3 = __builtin_shufflevector(x2, x3, 2, 6, 3, 7);
        *(QU *)o = __builtin_shufflevector(y0, y2, 0, 1, 4, 5);
        *(QU *)(o + \(plan.width)) = __builtin_shufflevector(y0, y2, 2, 3, 6, 7);
        *(QU *)(o + \(2 * plan.width)) = __builtin_shufflevector(y1, y3, 0, 1, 4, 5);
        *(QU *)(o + \(3 * plan.width)) = __builtin_shufflevector(y1, y3, 2, 3, 6, 7);
      }
      for (; k < depth; k++, o += \(plan.width)) for (int j = 0; j < 4; j++) o[j] = p[j * sn + k];
    }
    for (; n < columns; n++)
      for (int64_t k = 0; k < depth; k++) to[k * \(plan.width) + n] = b[n * sn + k * sk];
    """
  }

  /// Copies `rows` × `depth` of the left operand to rows of floats `leftStride` apart.
  func packLeft(_ symbol: String) -> CCode {
    guard plan.packsLeft else { return [] }
    if let factors = problem.factors { return packRounded(symbol, factors) }
    if let words = problem.wordsPerRow { return packBytes(symbol, words) }
    let (type, stored) = (problem.lhsType, StoredElement(problem.lhsType))
    let unit = problem.lhs.stride(matmul.k) == 1
    let vector = unit ? "for (; k + VL <= depth; k += VL) \(sum.store("to + k", stored.load("a + k")))" : ""
    return """
      static __attribute__((noinline, unused)) void \(symbol)_pack_left(
        const int64_t *s, const \(type.cStorageType) *a, int64_t rows, int64_t depth, \(element) *restrict to) {
        const int64_t sm = \(spell(problem.lhs.stride(matmul.m))), sk = \(spell(problem.lhs.stride(matmul.k)));
        (void)s;
        for (int64_t m = 0; m < rows; m++, a += sm, to += \(plan.leftStride)) {
          int64_t k = 0;
          \(vector)
          for (; k < depth; k++) to[k] = \(stored.read("a[k * sk]"));
        }
      }
      """
  }

  /// Copies `rows` of the left operand's bytes to rows `leftStride` words apart, with zeros to the end of a tile's row.
  private func packBytes(_ symbol: String, _ words: Int) -> CCode {
    let zeros = plan.leftDepth - words
    return """
      static __attribute__((noinline, unused)) void \(symbol)_pack_left(
        const int64_t *s, const uint8_t *a, int64_t rows, int64_t depth, \(element) *restrict to) {
        const int64_t sm = \(spell(problem.lhs.stride(matmul.m)));
        (void)s, (void)depth;
        for (int64_t m = 0; m < rows; m++, a += sm, to += \(plan.leftStride)) {
          __builtin_memcpy(to, a, \(4 * words));
          \(zeros == 0 ? "" : "__builtin_memset(to + \(words), 0, \(4 * zeros));")
        }
      }
      """
  }

  /// Copies `rows` of the left operand, rounded, to rows `leftStride` words apart, with zeros to the last word's end.
  private func packRounded(_ symbol: String, _ factors: GemmProblem.Factors) -> CCode {
    let (elements, name) = (factors.depth, StoredElement(factors.type).narrowFloat!)
    let (type, stored) = (problem.lhsType, StoredElement(problem.lhsType))
    let unit = problem.lhs.stride(matmul.k) == 1
    let vector = "*(VHU *)(to + k) = mlc_\(name)_v(\(stored.load("a + k")));"
    return """
      static __attribute__((noinline, unused)) void \(symbol)_pack_left(
        const int64_t *s, const \(type.cStorageType) *a, int64_t rows, int64_t depth, \(element) *restrict words) {
        const int64_t sm = \(spell(problem.lhs.stride(matmul.m))), sk = \(spell(problem.lhs.stride(matmul.k)));
        uint16_t *to = (void *)words;
        (void)s, (void)depth;
        for (int64_t m = 0; m < rows; m++, a += sm, to += \(2 * plan.leftStride)) {
          int64_t k = 0;
          \(unit ? "for (; k + VL <= \(elements); k += VL) \(vector)" : "")
          for (; k < \(elements); k++) to[k] = mlc_\(name)_f32(\(stored.read("a[k * sk]")));
          \(elements == 2 * factors.words ? "" : "for (; k < \(2 * factors.words); k++) to[k] = 0;")
        }
      }
      """
  }
}

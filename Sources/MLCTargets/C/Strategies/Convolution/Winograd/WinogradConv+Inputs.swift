import MLCCore
import MLCKernels

/// The functions that transform a tile's inputs.
extension WinogradConv {
  /// Transforms one tile of one block of channels. `row` and `column` are the elements between its inputs.
  func inputTransform(_ symbol: String) -> CCode {
    let element = StoredElement(problem.x.dtype)
    return """
      FN void \(symbol)_input(const \(inputType) *restrict x, int64_t row, int64_t column, float *restrict v) {
        \(transform.inputColumns { element.load("x + \($0) * row + \($1) * column") })
        \(transform.inputRows { "ST(v + \(($0 * transform.inputs + $1) * inputStep), \($2));" })
      }
      """
  }

  /// Transforms tile `number`, all channels of all planes of taps; inputs past the padding are zeros.
  func tileInputs(_ symbol: String) -> CCode {
    let start = input.origin - Dim(convolution.top) * input.row - Dim(convolution.left * problem.block)
    let spans = convolution.spans.suffix(2)
    let (rows, columns) = (spans.first!, spans.last!)
    return """
      static void \(symbol)_tile(
        const int64_t *s, const \(inputType) *restrict from, int64_t number, float *restrict v) {
        \(place("number"))
        const int64_t top = \(begin(rows, halo: input.halo.top, "y"));
        const int64_t bottom = \(end(rows, problem.x.rows, halo: input.halo.bottom, "y"));
        const int64_t left = \(begin(columns, halo: input.halo.left, "x"));
        const int64_t right = \(end(columns, problem.x.columns, halo: input.halo.right, "x"));
        from += \(writer.spell(start)) + image * \(writer.spell(input.image))\(writer.planeOffset(input))
          + y * \(writer.spell(input.row)) + x * \(problem.block);
        \(writer.planeTaps)
        \(planesOfZeros)
        \(writer.planes(of: pictureInputs(symbol)))
        (void)s;
      }
      """
  }

  /// The first of a tile's inputs along an axis that is stored, where its outputs begin at `first`.
  private func begin(_ span: Convolution.Span, halo: Int, _ first: String) -> String {
    if span.low <= halo { return "0" }
    let (size, step) = (transform.inputs, span.dilation)
    return "mlc_min_i64(\(size), mlc_max_i64(0, \(span.low - halo + step - 1) - \(first)) / \(step))"
  }

  /// The end of those that are.
  private func end(_ span: Convolution.Span, _ extent: Dim, halo: Int, _ first: String) -> String {
    let stored = extent + Dim(span.low + Swift.min(span.high, halo))
    return count(from: first, extent: writer.spell(stored), step: span.dilation, most: transform.inputs)
  }

  /// Transforms the inputs of one plane, those that are not all stored by way of a copy.
  private func pictureInputs(_ symbol: String) -> CCode {
    let (block, size) = (problem.block, transform.inputs)
    let (row, column) = (writer.spell(Dim(dilations.h) * input.row), dilations.w * block)
    let volume = writer.spell(input.volume)
    return """
      const \(inputType) *restrict q = from\(writer.tapOffset(input));
      float *restrict const to = v\(writer.hasPlanesOfTaps ? " + kd * \(input.blocks * blockStep)" : "");
      if (top == 0 && left == 0 && bottom == \(size) && right == \(size)) {
        for (int64_t b = 0; b < \(input.blocks); b++)
          \(symbol)_input(q + b * \(volume), \(row), \(column), to + b * \(blockStep));
      } else {
        \(inputType) window[\(size * size * block)] __attribute__((aligned(64))) = {0};
        for (int64_t b = 0; b < \(input.blocks); b++, q += \(volume)) {
          for (int64_t i = top; i < bottom; i++)
          for (int64_t j = left; j < right; j++)
            __builtin_memcpy(window + (i * \(size) + j) * \(block), q + i * \(row) + j * \(column),
                             \(block) * sizeof *q);
          \(symbol)_input(window, \(size * block), \(block), to + b * \(blockStep));
        }
      }
      """
  }

  /// Zeros for the planes of taps that meet padding alone.
  private var planesOfZeros: CCode {
    guard writer.passesPlanes else { return [] }
    return """
      for (int64_t kd = 0; kd < \(problem.depthTaps); kd++)
      for (int64_t b = 0; b < \(input.blocks) && (kd < kd0 || kd >= kd1); b++)
      for (int64_t product = 0; product < \(transform.products); product++)
        ST(v + product * \(inputStep) + (kd * \(input.blocks) + b) * \(blockStep), SPLAT(0));
      """
  }
}

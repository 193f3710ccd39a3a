import MLCCore
import MLCKernels

extension DirectConvNCHWc {
  /// The function that computes one tile, named by its shape.
  func microKernel(_ tile: ConvolutionTile, _ symbol: String) -> String {
    let pixels = (0..<tile.rows).flatMap { y in (0..<tile.columns).map { (y: y, x: $0) } }
    var lines = [
      "FN void \(name(tile, symbol))(const int64_t *restrict s, const \(inputType) *restrict x,",
      "  const \(writer.weightType) *restrict w, \(writer.resultParameters)) {",
    ]
    for p in pixels.indices {
      lines.append("  V " + (0..<tile.vectors).map { "c\(p)_\($0) = {}" }.joined(separator: ", ") + ";")
    }
    let (whole, rest) = problem.channelsPerGroup.quotientAndRemainder(dividingBy: problem.block)
    if whole > 0 {
      lines.append("  for (int64_t b = 0; b < \(whole); b++, x += \(writer.spell(input.plane))) {")
      lines += block(tile, pixels, lanes: problem.block) + ["  }"]
    }
    if rest > 0 { lines += ["  {"] + block(tile, pixels, lanes: rest) + ["  }"] }
    for vector in 0..<tile.vectors {
      for (p, pixel) in pixels.enumerated() {
        lines.append("  " + writer.finish("c\(p)_\(vector)", y: pixel.y, x: pixel.x, vector: vector))
      }
    }
    return (lines + ["  (void)s;", "}", ""]).joined(separator: "\n")
  }

  /// All taps of one block of input channels.
  private func block(_ tile: ConvolutionTile, _ pixels: [(y: Int, x: Int)], lanes: Int) -> [String] {
    var lines: [String] = []
    let kernel = convolution.kernel
    if problem.taps > 1 {
      lines.append("    _Pragma(\"clang loop unroll(disable)\") for (int64_t kh = 0; kh < \(kernel.h); kh++)")
      lines.append("    _Pragma(\"clang loop unroll(disable)\") for (int64_t kw = 0; kw < \(kernel.w); kw++) {")
      let row = writer.spell(Dim(convolution.dilations.h) * input.row)
      lines.append("    const \(inputType) *q = x + kh * \(row) + kw * \(convolution.dilations.w * problem.block);")
    } else {
      lines.append("    const \(inputType) *q = x;")
    }
    let source = widened(pixels, into: &lines)
    lines.append("    _Pragma(\"clang loop unroll_count(2)\") for (int64_t i = 0; i < \(lanes); i++) {")
    lines += step(tile, source)
    lines.append("      w += \(tile.vectors * problem.block);")
    lines.append("    }")
    if problem.taps > 1 { lines.append("    }") }
    return lines
  }

  /// Where each pixel's channels lie as floats: in the input, or in a small array that halves are widened into.
  private func widened(_ pixels: [(y: Int, x: Int)], into lines: inout [String]) -> [String] {
    let addresses = pixels.map { pixel in
      let row = Dim(pixel.y * convolution.strides.h) * input.row
      return "q + " + writer.spell(row + Dim(pixel.x * convolution.strides.w * problem.block))
    }
    if problem.x.dtype == .float32 { return addresses }
    lines.append("    float t[\(pixels.count * problem.block)] __attribute__((aligned(64)));")
    for (p, address) in addresses.enumerated() {
      lines.append("    ST(t + \(p * problem.block), \(ConvolutionSyntax.load(problem.x.dtype, address)));")
    }
    return pixels.indices.map { "t + \($0 * problem.block)" }
  }

  /// One input channel: `vectors` weights times each pixel.
  private func step(_ tile: ConvolutionTile, _ source: [String]) -> [String] {
    let bytes = tile.vectors * problem.block * problem.packedType.bitWidth / 8
    var lines = stride(from: 0, to: prefetchesWeights ? bytes : 0, by: 64).map {
      "      __builtin_prefetch((const char *)w + \(4096 + $0));"
    }
    for vector in 0..<tile.vectors {
      let address = "w + \(vector * problem.block)"
      lines.append("      const V b\(vector) = \(ConvolutionSyntax.load(problem.packedType, address));")
    }
    for (p, address) in source.enumerated() {
      let products = (0..<tile.vectors).map { "c\(p)_\($0) += b\($0) * a;" }.joined(separator: " ")
      lines.append("      { const float a = *(\(address) + i); \(products) }")
    }
    return lines
  }

  /// Whether a panel's weights leave the first-level cache between tiles: they arrive in time only when asked for.
  private var prefetchesWeights: Bool {
    let bytes = panels.vectors * problem.block * problem.channelsPerGroup * problem.taps * 4
    return bytes > problem.device.cacheBytes.first ?? 1 << 15
  }
}

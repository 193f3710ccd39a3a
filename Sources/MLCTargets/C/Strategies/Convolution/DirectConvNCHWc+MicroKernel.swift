import MLCCore
import MLCKernels

extension DirectConvNCHWc {
  /// The function that computes one tile, named by its shape.
  func microKernel(_ tile: ConvolutionTile, _ symbol: String) -> CCode {
    let pixels = (0..<tile.rows).flatMap { y in (0..<tile.columns).map { (y: y, x: $0) } }
    let (whole, rest) = problem.channelsPerGroup.quotientAndRemainder(dividingBy: problem.block)
    let blocks = "for (int64_t b = 0; b < \(whole); b++, x += \(writer.spell(input.plane)))"
    let results = (0..<tile.vectors).flatMap { vector in
      pixels.enumerated().map { writer.finish("c\($0)_\(vector)", y: $1.y, x: $1.x, vector: vector) }
    }
    return """
      FN void \(name(tile, symbol))(const int64_t *restrict s, const \(inputType) *restrict x,
        const \(writer.weightType) *restrict w, \(writer.resultParameters)) {
        \(tile.sums)
        \(whole > 0 ? .block(blocks, block(tile, pixels, lanes: problem.block)) : [])
        \(rest > 0 ? .block(block(tile, pixels, lanes: rest)) : [])
        \(CCode(lines: results))
        (void)s;
      }
      """
  }

  /// All taps of one block of input channels.
  private func block(_ tile: ConvolutionTile, _ pixels: [(y: Int, x: Int)], lanes: Int) -> CCode {
    let addresses = pixels.map { pixel in
      let row = Dim(pixel.y * convolution.strides.h) * input.row
      return "q + " + writer.spell(row + Dim(pixel.x * convolution.strides.w * problem.block))
    }
    let isWide = problem.x.dtype == .float32
    let source = isWide ? addresses : pixels.indices.map { "t + \($0 * problem.block)" }
    let products: CCode = """
      \(isWide ? [] : widened(addresses))
      _Pragma("clang loop unroll_count(2)") for (int64_t i = 0; i < \(lanes); i++) {
        \(step(tile, source))
        w += \(tile.vectors * problem.block);
      }
      """
    if problem.taps == 1 { return "const \(inputType) *q = x;" + products }
    let (kernel, dilations) = (convolution.kernel, convolution.dilations)
    let row = writer.spell(Dim(dilations.h) * input.row)
    return """
      _Pragma("clang loop unroll(disable)") for (int64_t kh = 0; kh < \(kernel.h); kh++)
      _Pragma("clang loop unroll(disable)") for (int64_t kw = 0; kw < \(kernel.w); kw++) {
        const \(inputType) *q = x + kh * \(row) + kw * \(dilations.w * problem.block);
        \(products)
      }
      """
  }

  /// Declares `t`, a small array with each pixel's channels as floats.
  private func widened(_ addresses: [String]) -> CCode {
    let stores = addresses.enumerated().map { p, address in
      "ST(t + \(p * problem.block), \(StoredElement(problem.x.dtype).load(address)));"
    }
    return "float t[\(addresses.count * problem.block)] __attribute__((aligned(64)));" + CCode(lines: stores)
  }

  /// One input channel: `vectors` weights times each pixel's, which lies at `source`.
  private func step(_ tile: ConvolutionTile, _ source: [String]) -> CCode {
    let bytes = tile.vectors * problem.block * problem.packedType.bitWidth / 8
    let prefetches = stride(from: 0, to: prefetchesWeights ? bytes : 0, by: 64).map {
      "__builtin_prefetch((const char *)w + \(4096 + $0));"
    }
    let weight = StoredElement(problem.packedType)
    let loads = (0..<tile.vectors).map { "const V b\($0) = \(weight.load("w + \($0 * problem.block)"));" }
    let products = source.enumerated().map { p, address in
      let sums = (0..<tile.vectors).map { "c\(p)_\($0) += b\($0) * a;" }.joined(separator: " ")
      return "{ const float a = *(\(address) + i); \(sums) }"
    }
    return CCode(lines: prefetches + loads + products)
  }

  /// Whether a panel's weights leave the first-level cache between tiles: they arrive in time only when asked for.
  private var prefetchesWeights: Bool {
    let bytes = panels.vectors * problem.block * problem.channelsPerGroup * problem.taps * 4
    return bytes > problem.device.cacheBytes.first ?? 1 << 15
  }
}

import MLCCore
import MLCKernels

extension DirectConvNCHWc {
  /// The function that computes one tile, named by its shape.
  func microKernel(_ tile: ConvolutionTile, _ symbol: String) -> CCode {
    let pixels = (0..<tile.rows).flatMap { y in (0..<tile.columns).map { (y: y, x: $0) } }
    let chunk = DirectConvNCHWc.chunk(problem)
    let (whole, rest) = problem.channelsPerGroup.quotientAndRemainder(dividingBy: chunk)
    let volumes = writer.spell(Dim(chunk / problem.block) * input.volume)
    let chunks = "for (int64_t b = 0; b < \(whole); b++, x += \(volumes))"
    let results = (0..<tile.vectors).flatMap { vector in
      pixels.enumerated().map { writer.finish("c\($0)_\(vector)", y: $1.y, x: $1.x, vector: vector) }
    }
    return """
      FN void \(name(tile, symbol))(const int64_t *restrict s, const \(inputType) *restrict x,
        \(reader(tile.vectors).parameters(writer.weightType))\(tapParameters), \(writer.resultParameters)) {
        \(tile.sums(problem.sumType))
        \(problem.areHalves ? declareHalves(tile) : [])
        \(whole > 0 ? .block(chunks, taps(tile, pixels, channels: chunk)) : [])
        \(rest > 0 ? .block(taps(tile, pixels, channels: rest)) : [])
        \(problem.areHalves ? addHalves(tile) : [])
        \(CCode(lines: results))
        (void)s;
      }
      """
  }

  /// All taps of one chunk of input channels.
  private func taps(_ tile: ConvolutionTile, _ pixels: [(y: Int, x: Int)], channels: Int) -> CCode {
    if problem.taps == 1, !passesTaps { return blocks(tile, pixels, from: "x", channels: channels) }
    let (kernel, dilations) = (convolution.kernel, convolution.dilations)
    let row = writer.spell(Dim(dilations.h) * input.row)
    let from = "x\(writer.tapOffset(input)) + kh * \(row) + kw * \(dilations.w * problem.block)"
    let products = blocks(tile, pixels, from: from, channels: channels)
    let tap = (channels + problem.channelsPerStep - 1) / problem.channelsPerStep * reader(tile.vectors).row
    func passing(_ count: String, _ taps: Int) -> String {
      reader(tile.vectors).advance(by: "(\(count)) * \(taps * tap)")
    }
    let rows = passesRows ? ("kh0", "kh1") : ("0", "\(kernel.h)")
    let columns = passesColumns ? ("kw0", "kw1") : ("0", "\(kernel.w)")
    let code: CCode = """
      \(passesRows ? passing("kh0", kernel.w) : "")
      _Pragma("clang loop unroll(disable)") for (int64_t kh = \(rows.0); kh < \(rows.1); kh++) {
        \(passesColumns ? passing("kw0", 1) : "")
        _Pragma("clang loop unroll(disable)") for (int64_t kw = \(columns.0); kw < \(columns.1); kw++) {
          \(products)
        }
        \(passesColumns ? passing("\(kernel.w) - kw1", 1) : "")
      }
      \(passesRows ? passing("\(kernel.h) - kh1", kernel.w) : "")
      """
    return writer.planes(of: code) { passing($0, kernel.h * kernel.w) }
  }

  /// One tap of the blocks of input channels of a chunk.
  private func blocks(
    _ tile: ConvolutionTile,
    _ pixels: [(y: Int, x: Int)],
    from: String,
    channels: Int
  ) -> CCode {
    let (whole, rest) = channels.quotientAndRemainder(dividingBy: problem.block)
    func code(_ from: String, _ lanes: Int) -> CCode {
      "const \(inputType) *q = \(from);" + products(tile, pixels, lanes: lanes)
    }
    if whole == 0 { return code(from, rest) }
    if channels == problem.block { return code(from, problem.block) }
    let volume = writer.spell(input.volume)
    let loop = CCode.block(
      "_Pragma(\"clang loop unroll(disable)\") for (int64_t u = 0; u < \(whole); u++)",
      code("\(from) + u * \(volume)", problem.block)
    )
    return loop + (rest > 0 ? .block(code("\(from) + \(whole) * \(volume)", rest)) : [])
  }

  /// The products of the first `lanes` channels of the block at `q`.
  private func products(_ tile: ConvolutionTile, _ pixels: [(y: Int, x: Int)], lanes: Int) -> CCode {
    let addresses = pixels.map { pixel in
      let row = Dim(pixel.y * convolution.strides.h) * input.row
      return "q + " + writer.spell(row + Dim(pixel.x * convolution.strides.w * problem.block))
    }
    if problem.areHalves { return halfProducts(tile, addresses, lanes: lanes) }
    let isWide = problem.x.dtype == .float32 || problem.areBytes || problem.arePairs
    let source = isWide ? addresses : pixels.indices.map { "t + \($0 * problem.block)" }
    let steps = (lanes + problem.channelsPerStep - 1) / problem.channelsPerStep
    return """
      \(isWide ? [] : widened(addresses))
      _Pragma("clang loop unroll_count(2)") for (int64_t i = 0; i < \(steps); i++) {
        \(step(tile, source))
        \(reader(tile.vectors).advance())
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

  /// One input channel, or two or four: `vectors` weights times each pixel's, which lies at `source`.
  private func step(_ tile: ConvolutionTile, _ source: [String]) -> CCode {
    let reader = reader(tile.vectors)
    let prefetches = prefetchesWeights ? reader.prefetches(elementBytes: problem.packedType.bitWidth / 8) : []
    let weight = StoredElement(problem.packedType)
    let type = problem.arePairs ? "VI" : problem.sumType.name
    let loads = (0..<tile.vectors).map { "const \(type) b\($0) = \(weight.load(reader.address($0)));" }
    if problem.areBytes || problem.arePairs {
      return CCode(lines: prefetches + loads + source.enumerated().map { dots(tile, $0, $1) })
    }
    let products = source.enumerated().map { p, address in
      let sums = (0..<tile.vectors).map { "c\(p)_\($0) += b\($0) * a;" }.joined(separator: " ")
      return "{ const float a = *(\(address) + i); \(sums) }"
    }
    return CCode(lines: prefetches + loads + products)
  }

  /// Four input channels, or two: the dot product of pixel `p`'s word and each weight's.
  private func dots(_ tile: ConvolutionTile, _ p: Int, _ address: String) -> String {
    let dot = problem.areBytes ? "mlc_dot4" : "mlc_dot2"
    let sums = (0..<tile.vectors).map { "c\(p)_\($0) = \(dot)(c\(p)_\($0), a, b\($0));" }
    return "{ const VI a = mlc_word(\(address) + \(problem.channelsPerStep) * i); \(sums.joined(separator: " ")) }"
  }

  /// Whether a panel's weights leave the first-level cache between tiles: they arrive in time only when asked for.
  private var prefetchesWeights: Bool {
    let bytes = panels.vectors * problem.block * problem.stepsPerGroup * problem.taps * 4
    return bytes > problem.device.cacheBytes.first ?? 1 << 15
  }
}

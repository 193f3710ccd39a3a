import MLCCore
import MLCKernels

extension DirectConvNCHWc {
  private var problem: ConvolutionProblem { writer.problem }
  private var convolution: Convolution { problem.convolution }
  private var inputType: String { ConvolutionSyntax.type(problem.x.dtype) }

  /// Every tile that the walk over the outputs can meet.
  private var shapes: [ConvolutionTile] {
    var shapes: [ConvolutionTile] = []
    for tile in tiles {
      for rows in [tile.rows] + rowRemainders(tile) {
        for columns in [tile.columns] + ConvolutionWriter.remainders(grid.columns, tile.columns) {
          shapes.append(ConvolutionTile(rows: rows, columns: columns, vectors: tile.vectors))
        }
      }
    }
    return shapes
  }

  private func rowRemainders(_ tile: ConvolutionTile) -> [Int] {
    guard tile.rows > 1 else { return [] }
    guard let rows = grid.rows.constant else { return [1] }
    return rows % tile.rows == 0 ? [] : [rows % tile.rows]
  }

  private func name(_ tile: ConvolutionTile) -> String { "$symbol_\(tile.rows)x\(tile.columns)x\(tile.vectors)" }

  var microKernels: [String] { shapes.map(microKernel) }

  // MARK: The micro-kernel

  private func microKernel(_ tile: ConvolutionTile) -> String {
    let pixels = (0..<tile.rows).flatMap { y in (0..<tile.columns).map { (y: y, x: $0) } }
    var lines = [
      "FN void \(name(tile))(const int64_t *restrict s, const \(inputType) *restrict x,",
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

  // MARK: The walk over the outputs

  func body(_ tasks: ConvolutionTasks) -> String {
    var lines = [
      "static void $symbol(const mlc_frame *frame, void *const *buffers, char *scratch, int64_t begin, int64_t end) {",
      "  const int64_t *s = frame->symbols;",
      "  (void)scratch, (void)s;",
      "  for (int64_t task = begin; task < end; task++) {",
    ]
    lines += tasks.decode(writer.sizes).map { "    " + $0 }
    lines.append("    const int64_t group = panel / \(panels.perGroup), member = panel % \(panels.perGroup);")
    lines.append("    const int64_t block = group * \(panels.blocksPerGroup) + member * \(panels.vectors);")
    let groupBlocks = problem.channelsPerGroup / problem.block
    let start = input.origin - Dim(convolution.top) * input.row - Dim(convolution.left * problem.block)
    lines += [
      "    const \(inputType) *x = (const \(inputType) *)buffers[\(convolution.x)] + \(writer.spell(start))",
      "      + image * \(writer.spell(input.image)) + group * \(writer.spell(Dim(groupBlocks) * input.plane));",
      "    const \(writer.weightType) *w = (const \(writer.weightType) *)buffers[\(convolution.weight)]",
      "      + block * \(problem.channelsPerGroup * problem.taps * problem.block);",
    ]
    lines += writer.resultPointers(block: "block").map { "    " + $0 }
    lines += panelWalks.map { "    " + $0 }
    return (lines + ["  }", "}", ""]).joined(separator: "\n")
  }

  /// The walk for whole panels and for the narrower last one.
  private var panelWalks: [String] {
    if panels.rest == 0 { return walk(tiles[0]) }
    if panels.whole == 0 { return walk(tiles[0]) }
    return ["if (member < \(panels.whole)) {"] + walk(tiles[0]).map { "  " + $0 } + ["} else {"]
      + walk(tiles[1]).map { "  " + $0 } + ["}"]
  }

  private func walk(_ tile: ConvolutionTile) -> [String] {
    let rest = ConvolutionWriter.remainders(grid.columns, tile.columns)
    func call(_ rows: Int, y: String) -> (Int) -> [String] {
      { width in
        let shape = ConvolutionTile(rows: rows, columns: width, vectors: tile.vectors)
        let row = writer.spell(Dim(convolution.strides.h) * input.row)
        let from = "x + \(y) * \(row) + column * \(convolution.strides.w * problem.block)"
        return ["\(name(shape))(s, \(from), w, \(writer.resultArguments(y: y, x: "column")));"]
      }
    }
    var lines: [String]
    if grid.isFlat {
      lines = ConvolutionWriter.walk(
        "column", from: "first", to: "last", width: tile.columns, rest: rest, tile: call(1, y: "0"))
      return lines + border.calls(("0", "1"), columns: ("first", "last"), count: tile.vectors, block: "block")
    }
    lines = ["int64_t y = first;"]
    for rows in [tile.rows] + rowRemainders(tile) {
      lines.append("for (; y + \(rows) <= last; y += \(rows)) {")
      lines += ConvolutionWriter.walk(
        "column", from: "0", to: writer.spell(grid.columns), width: tile.columns, rest: rest, tile: call(rows, y: "y")
      ).map { "  " + $0 }
      lines.append("}")
    }
    return lines + border.calls(("first", "last"), count: tile.vectors, block: "block")
  }
}

import MLCCore
import MLCKernels

extension DepthwiseConv {
  private var inputType: String { ConvolutionSyntax.type(problem.x.dtype) }
  private var inputRow: String { writer.spell(Dim(convolution.dilations.h) * input.row) }

  func source(_ symbol: String) -> String {
    let widths = [width] + ConvolutionWriter.remainders(problem.columns, width)
    let helpers = [border(symbol).definitions, codes?.panels.expandFunction(symbol) ?? ""]
    return (widths.map { microKernel($0, symbol) } + helpers + [body(symbol)]).joined(separator: "\n")
  }

  private func microKernel(_ width: Int, _ symbol: String) -> String {
    let kernel = convolution.kernel
    var lines = [
      "FN void \(symbol)_\(width)(const int64_t *restrict s, const \(inputType) *restrict x,",
      "  const \(writer.weightType) *restrict w, \(writer.resultParameters)) {",
      "  V " + (0..<width).map { "c\($0) = {}" }.joined(separator: ", ") + ";",
    ]
    if kernel.h <= 5 {
      for kh in 0..<kernel.h {
        lines.append("  {")
        lines.append("    const \(inputType) *q = x + \(kh) * \(inputRow);")
        lines.append("    const \(writer.weightType) *f = w + \(kh * kernel.w * problem.block);")
        lines += row(width) + ["  }"]
      }
    } else {
      lines.append("  _Pragma(\"clang loop unroll(disable)\") for (int64_t kh = 0; kh < \(kernel.h); kh++) {")
      lines.append("    const \(inputType) *q = x + kh * \(inputRow);")
      lines.append("    const \(writer.weightType) *f = w + kh * \(kernel.w * problem.block);")
      lines += row(width) + ["  }"]
    }
    for p in 0..<width { lines.append("  " + writer.finish("c\(p)", y: 0, x: p, vector: 0)) }
    return (lines + ["  (void)s;", "}", ""]).joined(separator: "\n")
  }

  /// One row of taps: each input is loaded once and multiplied into every output that it reaches.
  private func row(_ width: Int) -> [String] {
    let (count, stride, dilation) = (convolution.kernel.w, convolution.strides.w, convolution.dilations.w)
    func load(_ offset: String) -> String { ConvolutionSyntax.load(problem.x.dtype, "q + \(offset)") }
    func weight(_ offset: String) -> String { ConvolutionSyntax.load(problem.packedType, "f + \(offset)") }
    if count > 9 {
      let products = (0..<width).map { p in
        "c\(p) += b * \(load("\(p * stride * problem.block) + kw * \(dilation * problem.block)"));"
      }
      return [
        "    for (int64_t kw = 0; kw < \(count); kw++) {", "      const V b = \(weight("kw * \(problem.block)"));",
      ]
        + products.indented(3) + ["    }"]
    }
    var lines = (0..<count).map { "    const V b\($0) = \(weight("\($0 * problem.block)"));" }
    var uses: [Int: [String]] = [:]
    for p in 0..<width {
      for kw in 0..<count { uses[p * stride + kw * dilation, default: []].append("c\(p) += b\(kw) * a;") }
    }
    for (column, products) in uses.sorted(by: { $0.key < $1.key }) {
      lines.append("    { const V a = \(load("\(column * problem.block)")); \(products.joined(separator: " ")) }")
    }
    return lines
  }

  private func body(_ symbol: String) -> String {
    let start = input.origin - Dim(convolution.top) * input.row - Dim(convolution.left * problem.block)
    var lines = [
      "void \(symbol)(const mlc_frame *frame, void *const *buffers, char *scratch, int64_t begin, int64_t end) {",
      "  const int64_t *s = frame->symbols;",
      "  (void)scratch, (void)s;",
      codes == nil ? "" : "  int64_t expanded = -1;",
      "  for (int64_t task = begin; task < end; task++) {",
    ]
    lines += tasks.decode(writer.sizes).indented(2)
    lines += [
      "    const \(inputType) *x = (const \(inputType) *)buffers[\(convolution.x)] + \(writer.spell(start))",
      "      + image * \(writer.spell(input.image)) + panel * \(writer.spell(input.plane));",
    ]
    if let codes {
      lines += codes.expansion(of: "panel", firstVector: "panel", vectors: "1", symbol).indented(2)
    } else {
      lines.append("    const \(writer.weightType) *w = (const \(writer.weightType) *)buffers[\(convolution.weight)]")
      lines.append("      + panel * \(problem.taps * problem.block);")
    }
    lines += writer.resultPointers(block: "panel").indented(2)
    lines += walk(symbol).indented(2)
    return (lines + ["  }", "}", ""]).joined(separator: "\n")
  }

  private func walk(_ symbol: String) -> [String] {
    let row = writer.spell(Dim(convolution.strides.h) * input.row)
    let rest = ConvolutionWriter.remainders(problem.columns, width)
    var lines = ["for (int64_t y = first; y < last; y++) {"]
    lines += ConvolutionWriter.walk(
      "column",
      from: "0",
      to: writer.spell(problem.columns),
      width: width,
      rest: rest
    ) { width in
      let from = "x + y * \(row) + column * \(convolution.strides.w * problem.block)"
      return ["\(symbol)_\(width)(s, \(from), w, \(writer.resultArguments(y: "y", x: "column")));"]
    }.indented(1)
    return lines + ["}"] + border(symbol).calls(("first", "last"), count: 1, block: "panel")
  }
}

import MLCCore
import MLCKernels

extension DepthwiseConv {
  private var inputType: String { problem.x.dtype.cStorageType }
  private var strips: WeightStrips? { problem.strips(steps: steps) }
  private var reader: PanelReader { panels.reader(strips, vectors: 1, block: problem.block) }
  private var inputRow: String { writer.spell(Dim(convolution.dilations.h) * input.row) }

  func source(_ symbol: String) -> CCode {
    let widths = [width] + ConvolutionWriter.remainders(problem.columns, width)
    return [
      widths.map { microKernel($0, symbol) }.joined(), writer.border(symbol).definitions,
      codes?.panels.expandFunction(symbol) ?? [], .kernel(symbol, body(symbol)),
    ]
  }

  private func microKernel(_ width: Int, _ symbol: String) -> CCode {
    let kernel = convolution.kernel
    let rowWeights = DepthwiseConv.rowSteps(problem) * reader.row
    let plane = writer.hasPlanesOfTaps ? "kd * \(kernel.h * rowWeights) + " : ""
    func row(_ kh: String) -> CCode {
      """
      const \(inputType) *q = x\(writer.tapOffset(input)) + \(kh) * \(inputRow);
      const \(writer.weightType) *f = w + \(plane)\(kh) * \(rowWeights);
      \(problem.areBytes ? dots(width) : products(width))
      """
    }
    let loop = "_Pragma(\"clang loop unroll(disable)\") for (int64_t kh = 0; kh < \(kernel.h); kh++)"
    let rows = kernel.h <= 5 ? (0..<kernel.h).map { .block(row("\($0)")) }.joined() : .block(loop, row("kh"))
    return """
      FN void \(symbol)_\(width)(const int64_t *restrict s, const \(inputType) *restrict x,
        const \(writer.weightType) *restrict w\(writer.planeParameters), \(writer.resultParameters)) {
        \(problem.sumType.name) \((0..<width).map { "c\($0) = {}" }.joined(separator: ", "));
        \(writer.planes(of: rows))
        \(CCode(lines: (0..<width).map { writer.finish("c\($0)", y: 0, x: $0, vector: 0) }))
        (void)s;
      }
      """
  }

  /// One row of taps: each input is loaded once and multiplied into every output that it reaches.
  private func products(_ width: Int) -> CCode {
    let (count, stride, dilation) = (convolution.kernel.w, convolution.strides.w, convolution.dilations.w)
    func load(_ offset: String) -> String { StoredElement(problem.x.dtype).load("q + \(offset)") }
    func weight(_ offset: String) -> String { StoredElement(problem.packedType).load("f + \(offset)") }
    if count > 9 {
      let products = (0..<width).map { p in
        "c\(p) += b * \(load("\(p * stride * problem.block) + kw * \(dilation * problem.block)"));"
      }
      return """
        for (int64_t kw = 0; kw < \(count); kw++) {
          const V b = \(weight("kw * \(reader.row)"));
          \(CCode(lines: products))
        }
        """
    }
    var uses: [Int: [String]] = [:]
    for p in 0..<width {
      for kw in 0..<count { uses[p * stride + kw * dilation, default: []].append("c\(p) += b\(kw) * a;") }
    }
    let weights = (0..<count).map { "const V b\($0) = \(weight("\($0 * reader.row)"));" }
    let products = uses.sorted { $0.key < $1.key }.map { column, products in
      "{ const V a = \(load("\(column * problem.block)")); \(products.joined(separator: " ")) }"
    }
    return CCode(lines: weights + products)
  }

  /// One row of taps, four at a time: the bytes of four columns turned, so that those of a channel lie together.
  private func dots(_ width: Int) -> CCode {
    let groups = DepthwiseConv.rowSteps(problem)
    let weights = (0..<groups).map { "const VI b\($0) = LDI(f + \($0 * reader.row));" }
    let products = (0..<width).flatMap { p in
      (0..<groups).map { group in
        let column = p * convolution.strides.w + 4 * group
        return "c\(p) = mlc_dot4(c\(p), mlc_columns(q + \(column * problem.block)), b\(group));"
      }
    }
    return CCode(lines: weights + products)
  }

  private func body(_ symbol: String) -> CCode {
    let start = input.origin - Dim(convolution.top) * input.row - Dim(convolution.left * problem.block)
    return """
      const int64_t *s = frame->symbols;
      (void)scratch, (void)s;
      \(codes == nil ? "" : "int64_t expanded = -1;")
      for (int64_t task = begin; task < end; task++) {
        \(tasks.decode(writer.sizes))
        const \(inputType) *x = (const \(inputType) *)buffers[\(convolution.x)] + \(writer.spell(start))
          + image * \(writer.spell(input.image)) + panel * \(writer.spell(input.volume))\(writer.planeOffset(input));
        \(weights(symbol))
        \(writer.resultPointers(block: "panel", plane: writer.plane))
        \(writer.planeTaps)
        \(walk(symbol))
      }
      """
  }

  /// Declares `w`, the panel's weights, expanded where they are codes.
  private func weights(_ symbol: String) -> CCode {
    if let codes { return codes.expansion(of: "panel", firstVector: "panel", vectors: "1", symbol) }
    let type = writer.weightType
    if let strips {
      return reader.declarations(
        type,
        strips,
        base: "((const \(type) *)buffers[\(convolution.weight)])",
        first: "panel * \(problem.block)",
        mayOverrun: false
      )
    }
    return """
      const \(type) *w = (const \(type) *)buffers[\(convolution.weight)]
        + panel * \(steps * problem.block);
      """
  }

  private func walk(_ symbol: String) -> CCode {
    let row = writer.spell(Dim(convolution.strides.h) * input.row)
    let columns = ConvolutionWriter.walk(
      "column",
      from: "0",
      to: writer.spell(problem.columns),
      width: width,
      rest: ConvolutionWriter.remainders(problem.columns, width)
    ) { width in
      let from = "x + y * \(row) + column * \(convolution.strides.w * problem.block)"
      let results = writer.resultArguments(y: "y", x: "column")
      return "\(symbol)_\(width)(s, \(from), w\(writer.planeArguments), \(results));"
    }
    return .block("for (int64_t y = first; y < last; y++)", columns)
      + writer.border(symbol).calls(("first", "last"), count: 1, block: "panel")
  }
}

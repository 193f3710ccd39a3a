import MLCCore
import MLCKernels

extension WinogradConv {
  var inputType: String { problem.x.dtype.cStorageType }
  var dilations: Convolution.Pair { convolution.dilations }
  /// Elements from one tile's vector to the next block of channels' or filters'.
  var blockStep: Int { plan.groupTiles * problem.block }

  func source(_ symbol: String) -> CCode {
    [
      microKernels.map { microKernel($0, symbol) }.joined(), inputTransform(symbol), tileInputs(symbol),
      outputTransform(symbol), writer.border(symbol).definitions, .kernel(symbol, body(symbol)),
    ]
  }

  // MARK: Tiles

  /// Declares where tile number `number` of all lies: its `image`, where images have several its plane `z`, and its
  /// first output's `y` and `x`.
  func place(_ number: String) -> CCode {
    let (plane, picture) = (writer.spell(tilesOfPlane), writer.spell(tilesOfPicture))
    let planes = writer.spell(problem.planes)
    let image =
      writer.plane == nil
      ? "const int64_t image = (\(number)) / \(plane);"
      : "const int64_t image = (\(number)) / \(plane) / \(planes), z = (\(number)) / \(plane) % \(planes);"
    let columns = writer.spell(tileColumns)
    let phases = dilations.h * dilations.w
    let phase: CCode =
      phases == 1
      ? "enum { row = 0, column = 0 };"
      : """
      const int64_t row = place / \(picture) / \(dilations.w), column = place / \(picture) % \(dilations.w);
      place %= \(picture);
      """
    return """
      \(image)
      int64_t place = (\(number)) % \(plane);
      \(phase)
      const int64_t y = row + place / \(columns) * \(transform.outputs * dilations.h);
      const int64_t x = column + place % \(columns) * \(transform.outputs * dilations.w);
      """
  }

  /// How many of `most` positions from `first` on, each `step`-th, lie before `extent`.
  func count(from first: String, extent: String, step: Int, most: Int) -> String {
    let rest = step == 1 ? "\(extent) - \(first)" : "mlc_max_i64(0, \(extent) - \(first) + \(step - 1)) / \(step)"
    return "mlc_min_i64(\(most), \(rest))"
  }

  // MARK: Products

  /// Every tile that a walk over the tiles of a group can meet.
  private var microKernels: [ConvolutionTile] {
    plan.tiles.flatMap { tile in
      ([tile.columns] + rests(tile)).map { ConvolutionTile(rows: 1, columns: $0, vectors: tile.vectors) }
    }
  }

  /// What can be left of a group after tiles of that width, the widest first.
  private func rests(_ tile: ConvolutionTile) -> [Int] {
    guard let count = tileCount.constant else { return ConvolutionWriter.remainders(tileCount, tile.columns) }
    let groups = [plan.groupTiles, count % plan.groupTiles]
    return Set(groups.map { $0 % tile.columns }).subtracting([0]).sorted(by: >)
  }

  private func reader(_ vectors: Int) -> PanelReader { panels.reader(strips, vectors: vectors, block: problem.block) }

  private func name(_ tile: ConvolutionTile, _ symbol: String) -> String { "\(symbol)_\(tile.columns)x\(tile.vectors)" }

  /// One product of `columns` tiles and the filters of a panel, all channels.
  private func microKernel(_ tile: ConvolutionTile, _ symbol: String) -> CCode {
    let (whole, rest) = problem.channels.quotientAndRemainder(dividingBy: problem.block)
    let reader = reader(tile.vectors)
    let weightBytes = strips.count * strips.stride * transform.products * 4
    let prefetches = weightBytes > problem.device.cacheBytes.last ?? 1 << 20 ? reader.prefetches(elementBytes: 4) : []
    let loads = (0..<tile.vectors).map { "const V b\($0) = LD(\(reader.address($0)));" }
    let sums = (0..<tile.columns).map { t in
      let products = (0..<tile.vectors).map { "c\(t)_\($0) += b\($0) * a;" }.joined(separator: " ")
      return "{ const float a = v[\(t * problem.block) + i]; \(products) }"
    }
    func steps(_ count: Int) -> CCode {
      """
      _Pragma("clang loop unroll_count(2)") for (int64_t i = 0; i < \(count); i++) {
        \(CCode(lines: prefetches + loads + sums))
        \(reader.advance())
      }
      """
    }
    let blocks: CCode = """
      \(whole > 0 ? .block("for (int64_t b = 0; b < \(whole); b++, v += \(blockStep))", steps(problem.block)) : [])
      \(rest > 0 ? .block(steps(rest)) : [])
      """
    let next = rest > 0 ? ", v += \(blockStep)" : ""
    let planes =
      problem.depthTaps == 1 ? blocks : .block("for (int64_t kd = 0; kd < \(problem.depthTaps); kd++\(next))", blocks)
    let stores = CCode.grid(tile.columns, tile.vectors) {
      "ST(m + \($1 * blockStep + $0 * problem.block), c\($0)_\($1));"
    }
    return """
      FN void \(name(tile, symbol))(const float *restrict v, \(reader.parameters("float")), float *restrict m) {
        \(tile.sums(.float))
        \(planes)
        \(stores)
      }
      """
  }

  // MARK: Outputs

  /// Transforms a tile of one block of filters back and stores its `height × width` outputs.
  private func outputTransform(_ symbol: String) -> CCode {
    let outputs = transform.outputs
    let rows = (0..<outputs).map { row -> CCode in
      let values = transform.outputs(ofRow: row).enumerated().map { "const V z\($0) = \($1);" }
      let stores = (0..<outputs).map { column in
        "if (width > \(column)) { "
          + writer.finish("z\(column)", y: row * dilations.h, x: column * dilations.w, vector: 0) + " }"
      }
      return .block("if (height > \(row))", CCode(lines: values + stores))
    }
    return """
      FN void \(symbol)_output(const int64_t *restrict s, const float *restrict m, int64_t height, int64_t width,
        \(writer.resultParameters)) {
        \(transform.outputColumns { "LD(m + \(($0 * transform.inputs + $1) * productStep))" })
        \(rows.joined())
        (void)s;
      }
      """
  }

  /// Statements that give the halo and the lanes past the last filter what the layout wants, beside one tile.
  private func finishing(_ symbol: String) -> CCode {
    let border = writer.border(symbol)
    if dilations == .init(1, 1) {
      return border.calls(("y", "y + height"), columns: ("x", "x + width"), count: 1, block: "block", haloIf: "x == 0")
    }
    let calls = border.calls(("q", "q + 1"), columns: ("p", "p + 1"), count: 1, block: "block", haloIf: "p == 0")
    if calls.isEmpty { return [] }
    return """
      for (int64_t q = y; q < y + height * \(dilations.h); q += \(dilations.h))
      for (int64_t p = x; p < x + width * \(dilations.w); p += \(dilations.w)) {
        \(calls)
      }
      """
  }

  // MARK: The kernel

  private func body(_ symbol: String) -> CCode {
    let size = plan.groupTiles
    let filters = panels.blocksPerGroup
    func outputs(_ extent: Dim, _ dilation: Int, from first: String) -> String {
      count(from: first, extent: writer.spell(extent), step: dilation, most: transform.outputs)
    }
    return """
      const int64_t *s = frame->symbols;
      float *const v = (float *)(void *)scratch, *const m = v + \(inputElements);
      int64_t transformed = -1;
      (void)s;
      for (int64_t task = begin; task < end; task++) {
        const int64_t group = task / \(plan.chunks), chunk = task % \(plan.chunks);
        const int64_t tiles = mlc_min_i64(\(size), \(writer.spell(tileCount)) - group * \(size));
        if (group != transformed)
          for (int64_t t = 0; t < tiles; t++)
            \(symbol)_tile(s, (const \(inputType) *)buffers[\(convolution.x)], group * \(size) + t, v + t * VL);
        transformed = group;
        const int64_t first = chunk * \(plan.chunkPanels);
        const int64_t last = mlc_min_i64(\(panels.perGroup), first + \(plan.chunkPanels));
        for (int64_t product = 0; product < \(transform.products); product++)
        for (int64_t panel = first; panel < last; panel++) {
          const float *const from = v + product * \(inputStep);
          float *const to = m + product * \(productStep) + (panel - first) * \(panels.vectors * blockStep);
          \(weights)
          \(panels.each(plan.tiles, number: "panel") { walk($0, symbol) })
        }
        for (int64_t t = 0; t < tiles; t++) {
          \(place("group * \(size) + t"))
          const int64_t height = \(outputs(problem.rows, dilations.h, from: "y"));
          const int64_t width = \(outputs(problem.columns, dilations.w, from: "x"));
          const int64_t past = mlc_min_i64(\(filters), last * \(panels.vectors));
          for (int64_t block = first * \(panels.vectors); block < past; block++) {
            \(writer.resultPointers(block: "block", plane: writer.plane))
            \(symbol)_output(s, m + (block - first * \(panels.vectors)) * \(blockStep) + t * VL, height, width,
              \(writer.resultArguments(y: "y", x: "x")));
            \(finishing(symbol))
          }
        }
      }
      """
  }

  /// Declares the pointers to the panel's filters of the product.
  private var weights: CCode {
    reader(plan.tiles[0].vectors).declarations(
      "float",
      strips,
      base: "((const float *)buffers[\(convolution.weight)]) + product * \(strips.count * strips.stride)",
      first: "panel * \(panels.vectors * problem.block)",
      mayOverrun: panels.rest > 0
    )
  }

  private func walk(_ tile: ConvolutionTile, _ symbol: String) -> CCode {
    ConvolutionWriter.walk("t", from: "0", to: "tiles", width: tile.columns, rest: rests(tile)) { width in
      let shape = ConvolutionTile(rows: 1, columns: width, vectors: tile.vectors)
      return "\(name(shape, symbol))(from + t * VL, \(reader(tile.vectors).arguments), to + t * VL);"
    }
  }
}

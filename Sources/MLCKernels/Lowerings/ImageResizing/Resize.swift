import MLCCore
import MLCGraph
import MLCOps

extension Resize: Lowerable {
  /// Each resized axis gets a table of neighbours and weights by output position, computed once a run. Sums over
  /// neighbours go one axis after the other; a nearest neighbour is found on all axes at once.
  package func lower(in context: inout LoweringContext) throws(Diagnostic) {
    let x = context.input("x")
    let (input, output) = (context.program[x].shape, context.outputFact().shape)
    let stored = context.program[x].dtype
    let dtype = stored.isFloat ? stored.widened : .float64
    var tables: [Int: ResizeTable] = [:]
    var growths: [Int: Double] = [:]
    var factors: [Int: Int] = [:]
    let resized = try resolvedAxes(rank: input.count)
    context.requireShape([Dim(resized.count)], of: "sizes", "scales")
    context.requireShape([Dim(2 * resized.count)], of: "roi")
    for (number, axis) in resized.enumerated() {
      try bindExtent(number, axis, in: &context)
      context.requireAtLeast(1, input[axis], whereThereAre: [output[axis]])
      let geometry = ResizeGeometry(
        input: input[axis],
        output: output[axis],
        scale: try scale(number, axis, input, output, in: context)
      )
      if geometry.isIdentity, coordinateMode != "tf_crop_and_resize" { continue }
      if let factor = wholeFactor(geometry) {
        factors[axis] = factor
      } else {
        tables[axis] = try ResizeTable(self, geometry, number, axis, weights: dtype, in: &context)
        growths[axis] = geometry.growth
      }
    }
    let sums = mode == "nearest" ? [] : Self.order(growths)
    let source = try partlyResized(x, Array(sums.dropLast()), tables, dtype, in: &context)
    let target = context.output()
    try context.map("resize", to: target) { (params, axes) throws(Diagnostic) in
      var place = axes.indices.map { axes[$0].dividedFloor(by: Dim(factors[$0] ?? 1)) }
      var value: Scalar
      if let last = sums.last {
        value = sum(source, place, last, tables[last]!, dtype, &params)
      } else {
        for (axis, table) in tables { place[axis] = .value(params.load(table.indices, [place[axis], .constant(0)])) }
        value = params.load(source, place)
      }
      for (axis, table) in tables.sorted(by: { $0.key < $1.key }) {
        guard let outside = table.outside else { continue }
        let fill = Scalar.number(extrapolationValue, sums.isEmpty ? stored : dtype)
        value = .select(params.load(outside, [axes[axis]]), fill, value)
      }
      return value
    }
  }

  /// Axes in the order of the least work: those that shrink first, the outermost of them foremost, and those that grow
  /// last, the innermost foremost, since along it elements are gathered one by one and rows are fewest then.
  private static func order(_ growths: [Int: Double]) -> [Int] {
    let axes = growths.keys.sorted()
    return axes.filter { growths[$0]! < 1 } + axes.reversed().filter { growths[$0]! >= 1 }
  }

  /// `x` resized along `axes`, one after the other.
  private func partlyResized(
    _ x: TensorID,
    _ axes: [Int],
    _ tables: [Int: ResizeTable],
    _ dtype: DType,
    in context: inout LoweringContext
  ) throws(Diagnostic) -> TensorID {
    var (current, shape) = (x, context.program[x].shape)
    for axis in axes {
      shape[axis] = context.outputFact().shape[axis]
      let (source, target) = (current, context.temporary("resized\(axis)", dtype, shape))
      try context.map("resize", to: target) { (params, place) throws(Diagnostic) in
        sum(source, place, axis, tables[axis]!, dtype, &params)
      }
      current = target
    }
    return current
  }

  /// The weighted sum over the neighbours of `place` on `axis`.
  private func sum(
    _ source: TensorID,
    _ place: [Index],
    _ axis: Int,
    _ table: ResizeTable,
    _ dtype: DType,
    _ params: inout KernelParams
  ) -> Scalar {
    let products = (0..<table.taps).map { tap -> Scalar in
      var index = place
      index[axis] = .value(params.load(table.indices, [place[axis], .constant(tap)]))
      return .cast(params.load(source, index), dtype) * params.load(table.weights!, [place[axis], .constant(tap)])
    }
    return products.dropFirst().reduce(products[0], +)
  }

  /// The factor by which a nearest resampling repeats each element, when that is all it does.
  private func wholeFactor(_ geometry: ResizeGeometry) -> Int? {
    guard mode == "nearest", case .number(let scale) = geometry.scale, scale >= 1, scale == scale.rounded(),
      scale <= 4096, geometry.output == geometry.input * Dim(Int(scale))
    else { return nil }
    switch coordinateMode {
    case "half_pixel", "half_pixel_symmetric": return nearestMode.hasPrefix("round") ? Int(scale) : nil
    case "pytorch_half_pixel":
      return nearestMode.hasPrefix("round") && (geometry.output.constant ?? 1) > 1 ? Int(scale) : nil
    case "asymmetric":
      return nearestMode == "floor" || (nearestMode == "round_prefer_floor" && scale == 2) ? Int(scale) : nil
    default: return nil
    }
  }

  private func scale(
    _ number: Int,
    _ axis: Int,
    _ input: [Dim],
    _ output: [Dim],
    in context: LoweringContext
  ) throws(Diagnostic) -> ResizeGeometry.Scale {
    if let scales = context.optionalFact("scales") {
      return scales.value.map { .number($0.doubles[number]) } ?? .element(number)
    }
    let axes = try resolvedAxes(rank: input.count)
    if aspectPolicy == "stretch" {
      guard let n = input[axis].constant, let m = output[axis].constant, n > 0 else { return .ratio }
      return .number(mode == "nearest" ? Double(Float(m) / Float(n)) : Double(m) / Double(n))
    }
    let extents = axes.compactMap { input[$0].constant }
    guard let sizes = context.fact("sizes").value?.integers, extents.count == axes.count else { throw unknown("sizes") }
    let ratios = zip(sizes, extents).map { Double($0) / Double($1) }
    return .number((aspectPolicy == "not_larger" ? ratios.min() : ratios.max()) ?? 1)
  }

  /// Computes an extent that is not known before the program runs, if it has a bound.
  private func bindExtent(_ number: Int, _ axis: Int, in context: inout LoweringContext) throws(Diagnostic) {
    let extent = context.outputFact().shape[axis]
    guard let name = extent.symbol, context.isUnbound(name), aspectPolicy == "stretch" else { return }
    if context.optionalFact("sizes") != nil { return try context.bindExtent(extent, to: "sizes", number) }
    let own = context.fact("x").shape[axis]
    guard let scale = context.fact("scales").numbers?[number], let product = Ratio(own) * scale else { return }
    let tensor = context.input("scales")
    let (dtype, bound) = (context.program[tensor].dtype, Dim.largest(product.limit, 0))
    try context.bind(extent, "extent\(axis)", bound: bound) { (params) throws(Diagnostic) in
      let product = Scalar.index(.dim(own), dtype) * params.load(tensor, [.constant(number)])
      return Scalar.cast(.unary(.floor, product), .int64).within(bound)
    }
  }

  private func unknown(_ port: String) -> Diagnostic {
    Diagnostic("lower.resize-target", "'\(port)' is not known before run time", kind: .unsupported)
  }
}

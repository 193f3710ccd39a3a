import MLCCore
import MLCGraph
import MLCOps

extension Resize: Lowerable {
  /// Each resized axis gets a table of neighbours and weights by output position, computed once a run; one kernel then
  /// sums over the products of the axes' neighbours.
  package func lower(in context: inout LoweringContext) throws(Diagnostic) {
    let x = context.input("x")
    let (input, output) = (context.program[x].shape, context.outputFact().shape)
    var tables: [Int: ResizeTable] = [:]
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
        tables[axis] = try ResizeTable(self, geometry, number, axis, in: &context)
      }
    }
    let target = context.output()
    let reader = context.program
    try context.map("resize", to: target) { (params, axes) throws(Diagnostic) in
      let place = axes.indices.map { axes[$0].dividedFloor(by: Dim(factors[$0] ?? 1)) }
      return value(x, place, tables, &params, reader)
    }
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

  /// The weighted sum over the neighbours on every axis with a table.
  private func value(
    _ x: TensorID,
    _ place: [Index],
    _ tables: [Int: ResizeTable],
    _ params: inout KernelParams,
    _ program: KernelProgram
  ) -> Scalar {
    let stored = program[x].dtype
    let dtype = stored.isFloat ? stored.widened : .float64
    var terms: [(index: [Index], weight: Scalar?)] = [(place, nil)]
    for (axis, table) in tables.sorted(by: { $0.key < $1.key }) {
      terms = terms.flatMap { term in
        (0..<table.taps).map { tap -> (index: [Index], weight: Scalar?) in
          var index = term.index
          index[axis] = .value(params.load(table.indices, [place[axis], .constant(tap)]))
          guard let weights = table.weights else { return (index, term.weight) }
          let loaded = params.load(weights, [place[axis], .constant(tap)])
          let weight = dtype == .float64 ? loaded : Scalar.cast(loaded, dtype)
          return (index, term.weight.map { $0 * weight } ?? weight)
        }
      }
    }
    var result: Scalar?
    for term in terms {
      let element = params.load(x, term.index)
      guard let weight = term.weight else {
        result = element
        continue
      }
      let product = (stored.isFloat ? element : .cast(element, dtype)) * weight
      result = result.map { $0 + product } ?? product
    }
    let isSum = terms.contains { $0.weight != nil }
    for (axis, table) in tables.sorted(by: { $0.key < $1.key }) {
      guard let outside = table.outside else { continue }
      let fill = Scalar.number(extrapolationValue, isSum ? dtype : stored)
      result = .select(params.load(outside, [place[axis]]), fill, result!)
    }
    return result!
  }
}

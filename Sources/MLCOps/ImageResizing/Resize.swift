import MLCCore
import MLCGraph

/// Resampling along any axes: `x: T[*S]` → `y: T[*S′]`, T any numeric type. mlc extension.
///
/// Exactly one of `sizes: int[A]` and `scales: float[A]` is given, for the axes `axes` (all when empty). With scales
/// `S′ = ⌊S·scale⌋`, the product rounded to their type; with sizes scale = S′/S, and `keep_aspect_ratio_policy`
/// `not_larger` or `not_smaller` takes the least or greatest of them for all axes, `S′ = ⌊S·scale + ½⌋`. Output
/// position o lies at the input position that `coordinate_transformation_mode` says (`ResampledAxis`). `mode` takes the
/// `nearest` element by `nearest_mode`, or weighs 2 (`linear`) or 4 (`cubic`, coefficient `cubic_coeff_a`) neighbours,
/// axis after axis; beyond the edge the edge repeats, or with `exclude_outside` has no weight, the others' sum being 1.
/// With `tf_crop_and_resize`, `roi: float[2·A]` holds starts, then ends, in units of the extent; positions outside the
/// data give `extrapolation_value`. Integers round toward zero. Throws `resize.*`. Source: ONNX `Resize`; MIL's
/// resampling operators are cases of it.
package struct Resize: Operator {
  package var axes: [Int] = []
  package var mode = "nearest", nearestMode = "round_prefer_floor"
  package var coordinateMode = "half_pixel"
  package var aspectPolicy = "stretch"
  package var cubicCoefficient = -0.75, extrapolationValue = 0.0
  package var excludeOutside = false

  package static let schema = Schema<Resize>(
    "resize",
    [
      .input("x", rank: 1...64),
      .input("sizes", rank: 1...1, optional: true),
      .input("scales", rank: 1...1, optional: true),
      .input("roi", rank: 1...1, optional: true),
      .attribute("axes", \.axes),
      .attribute("mode", \.mode),
      .attribute("nearest_mode", \.nearestMode),
      .attribute("coordinate_transformation_mode", \.coordinateMode),
      .attribute("keep_aspect_ratio_policy", \.aspectPolicy),
      .attribute("cubic_coeff_a", \.cubicCoefficient),
      .attribute("extrapolation_value", \.extrapolationValue),
      .attribute("exclude_outside", \.excludeOutside),
    ]
  )

  package init() {}

  package func resolvedAxes(rank: Int) throws(Diagnostic) -> [Int] {
    axes.isEmpty ? Array(0..<rank) : try normalized(axes: axes, rank: rank, "resize")
  }

  package func infer(_ inputs: Operands<Fact>) throws(Diagnostic) -> [Fact] {
    let x = inputs["x"]
    guard x.dtype.isFloat || x.dtype.isInteger else { throw Diagnostic.dtype("resize", x.dtype) }
    try checkModes()
    let axes = try resolvedAxes(rank: x.rank)
    let (sizes, scales) = (inputs[optional: "sizes"], inputs[optional: "scales"])
    guard (sizes == nil) != (scales == nil) else {
      throw Diagnostic("resize.target", "exactly one of sizes and scales is needed")
    }
    for (name, count) in [("sizes", axes.count), ("scales", axes.count), ("roi", 2 * axes.count)] {
      try requireVector(inputs[optional: name], name, Dim(count))
    }
    if coordinateMode == "tf_crop_and_resize", inputs[optional: "roi"] == nil {
      throw Diagnostic("resize.roi", "tf_crop_and_resize needs a region")
    }
    var shape = x.shape
    if let sizes {
      guard sizes.dtype.isInteger else { throw Diagnostic.dtype("resize", sizes.dtype, "sizes") }
      for (k, axis) in axes.enumerated() { shape[axis] = sizes.numbers?[k].whole ?? inputs.fresh("d\(axis)") }
      shape = try keepingAspect(x.shape, shape, axes) { inputs.fresh("d\($0)") }
    } else if let scales {
      try requireFloat(scales, "scales")
      for (k, axis) in axes.enumerated() {
        shape[axis] = try scaled(x.shape[axis], scales, k) ?? inputs.fresh("d\(axis)")
      }
    }
    for axis in axes where x.shape[axis] == 0 && shape[axis] != 0 {
      throw Diagnostic("resize.empty", "axis \(axis) has no elements to take \(shape[axis]) from")
    }
    return [Fact(x.dtype, shape)]
  }

  /// ⌊extent·scale⌋, the product rounded as a float of the scales' type; `nil` when that is no polynomial.
  private func scaled(_ extent: Dim, _ scales: Fact, _ k: Int) throws(Diagnostic) -> Dim? {
    if let value = scales.value {
      let scale = value.doubles[k]
      guard scale > 0, scale <= 0x1p31 else { throw Diagnostic("resize.scales", "a scale of \(scale)") }
      if let n = extent.constant {
        let product = value.dtype == .float64 ? Double(n) * scale : Double(Float(n) * Float(scale))
        return Dim(Int(product.rounded(.down)))
      }
    }
    guard let scale = scales.numbers?[k], scale.precision == .exact, scale.isShort else { return nil }
    return (extent * scale.numerator).floorDiv(scale.denominator)
  }

  private func keepingAspect(_ x: [Dim], _ wanted: [Dim], _ axes: [Int], _ fresh: (Int) -> Dim) throws(Diagnostic)
    -> [Dim]
  {
    guard aspectPolicy != "stretch" else { return wanted }
    var shape = wanted
    var scale: Double?
    for axis in axes {
      guard let from = x[axis].constant, let to = wanted[axis].constant, from > 0 else { continue }
      let ratio = Double(to) / Double(from)
      scale = scale.map { aspectPolicy == "not_larger" ? min($0, ratio) : max($0, ratio) } ?? ratio
    }
    let known = axes.allSatisfy { x[$0].constant != nil && wanted[$0].constant != nil }
    for axis in axes {
      guard known, let scale, let from = x[axis].constant else {
        shape[axis] = fresh(axis)
        continue
      }
      shape[axis] = Dim(Int((scale * Double(from) + 0.5).rounded(.down)))
    }
    return shape
  }

  private func checkModes() throws(Diagnostic) {
    let known: [(String, String, [String])] = [
      ("mode", mode, ["nearest", "linear", "cubic"]),
      ("nearest_mode", nearestMode, ["round_prefer_floor", "round_prefer_ceil", "floor", "ceil"]),
      ("coordinate_transformation_mode", coordinateMode, ResampledAxis.coordinateModes),
      ("keep_aspect_ratio_policy", aspectPolicy, ["stretch", "not_larger", "not_smaller"]),
    ]
    for (name, value, values) in known where !values.contains(value) {
      throw Diagnostic("resize.mode", "\(name) is '\(value)'", kind: .unsupported)
    }
  }

  package func evaluate(_ inputs: Operands<Tensor>) throws(Diagnostic) -> [Tensor] {
    let x = inputs["x"]
    let target = try resultShapes(inputs)[0]
    let axes = try resolvedAxes(rank: x.rank)
    let factors = scales(inputs, x.shape, target, axes)
    let roi = inputs[optional: "roi"]?.doubles
    var (values, shape) = (x.doubles, x.shape)
    var outside: [(axis: Int, at: [Bool])] = []
    guard target.allSatisfy({ $0 > 0 }) else { return [Tensor(x.dtype, target, [Double]())] }
    for (k, axis) in axes.enumerated() {
      var map = ResampledAxis(self, input: shape[axis], output: target[axis], scale: factors[k])
      if let roi, coordinateMode == "tf_crop_and_resize" { map.region = (roi[k], roi[axes.count + k]) }
      if map.isIdentity { continue }
      let taps = (0..<target[axis]).map { map.taps($0) }
      outside.append((axis, (0..<target[axis]).map { map.isOutside($0) }))
      values = ResampledAxis.apply(taps, to: values, shape, axis)
      shape[axis] = target[axis]
    }
    for (axis, at) in outside where at.contains(true) {
      let step = target[(axis + 1)...].reduce(1, *)
      for i in values.indices where at[i / step % target[axis]] { values[i] = extrapolationValue }
    }
    return [Tensor(x.dtype, target, values)]
  }

  /// The scale of each resized axis.
  private func scales(_ inputs: Operands<Tensor>, _ x: [Int], _ y: [Int], _ axes: [Int]) -> [Double] {
    if let scales = inputs[optional: "scales"] { return scales.doubles }
    guard aspectPolicy != "stretch", let sizes = inputs[optional: "sizes"]?.integers else {
      return axes.map { mode == "nearest" ? Double(Float(y[$0]) / Float(x[$0])) : Double(y[$0]) / Double(x[$0]) }
    }
    let ratios = axes.indices.map { Double(sizes[$0]) / Double(x[axes[$0]]) }
    let common = (aspectPolicy == "not_larger" ? ratios.min() : ratios.max()) ?? 1
    return axes.map { _ in common }
  }
}

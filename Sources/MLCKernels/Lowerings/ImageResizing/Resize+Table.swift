import MLCCore
import MLCGraph
import MLCOps

/// One resized axis.
struct ResizeGeometry {
  enum Scale {
    case number(Double)
    /// Output extent over input extent, as the program runs.
    case ratio
    /// An element of the input `scales`.
    case element(Int)
  }
  var input: Dim, output: Dim, scale: Scale
  /// The scale as it is loaded, where it is an element of a tensor.
  var loaded: Scalar?
  /// Whether scales and positions are rounded to fp32.
  var isSingle = false

  var isIdentity: Bool {
    guard input == output else { return false }
    return switch scale {
    case .number(let scale): scale == 1
    case .ratio: true
    case .element: false
    }
  }

  /// About how many elements there are for each before.
  var growth: Double {
    if let n = input.constant, let m = output.constant { return Double(m) / Double(Swift.max(n, 1)) }
    if case .number(let scale) = scale { return scale }
    return 1
  }

  private func size(_ dim: Dim) -> Scalar { .index(.dim(dim), .float64) }
  var n: Scalar { size(input) }
  var factor: Scalar {
    switch scale {
    case .number(let value): .number(value, .float64)
    case .ratio: rounded(size(output) / n)
    case .element: loaded ?? size(output) / n
    }
  }
  func rounded(_ x: Scalar) -> Scalar { isSingle ? single(x) : x }
  private func single(_ x: Scalar) -> Scalar { .cast(.cast(x, .float32), .float64) }

  /// The extent that the result has before it is rounded down: where the scale is the quotient of the sizes, to fp32,
  /// that of the result.
  private var length: Scalar {
    switch scale {
    case .ratio: return size(output)
    case .number(let scale):
      guard let n = input.constant, let m = output.constant else { break }
      return .number(Float(Double(m) / Double(n)) == Float(scale) ? Double(m) : scale * Double(n), .float64)
    case .element: break
    }
    let isQuotient = Scalar.compare(.equal, single(size(output) / n), single(factor))
    return .select(isQuotient, size(output), factor * n)
  }

  /// Where output `o` lies in the input.
  func position(_ mode: String, region: (start: Scalar, end: Scalar)?) -> Scalar {
    func number(_ value: Double) -> Scalar { .number(value, .float64) }
    let o = Scalar.index(.axis(0), .float64)
    let length = length
    let isPoint = Scalar.compare(.equal, length, number(1))
    let halfPixel = rounded((o + number(0.5)) / factor) - number(0.5)
    switch mode {
    case "align_corners": return .select(isPoint, number(0), o * (n - number(1)) / (length - number(1)))
    case "asymmetric": return o / factor
    case "pytorch_half_pixel": return .select(.compare(.equal, size(output), number(1)), number(0), halfPixel)
    case "half_pixel_symmetric": return n / number(2) * (number(1) - size(output) / length) + halfPixel
    case "tf_crop_and_resize":
      let (start, end) = region ?? (number(0), number(1))
      let span = (end - start) * (n - number(1))
      return .select(isPoint, span / number(2), o * span / (length - number(1))) + start * (n - number(1))
    default: return halfPixel
    }
  }
}

/// Neighbours of every output position along one axis: `indices: int64[output, taps]`, `weights[output, taps]` unless
/// there is one neighbour, `outside: bool[output]` where the extrapolation value goes.
struct ResizeTable {
  var taps: Int
  var indices: TensorID
  var weights: TensorID?
  var outside: TensorID?

  init(
    _ op: Resize,
    _ geometry: ResizeGeometry,
    _ number: Int,
    _ axis: Int,
    weights type: DType,
    in context: inout LoweringContext
  ) throws(Diagnostic) {
    taps = op.mode == "nearest" ? 1 : op.mode == "linear" ? 2 : 4
    indices = context.temporary("indices\(axis)", .int64, [geometry.output, Dim(taps)])
    var params = KernelParams()
    var region: (start: Scalar, end: Scalar)?
    if op.coordinateMode == "tf_crop_and_resize", let roi = context.optionalInput("roi") {
      let axes = Dim(op.axes.isEmpty ? context.fact("x").rank : op.axes.count)
      let start = Scalar.cast(params.load(roi, [.constant(number)]), .float64)
      region = (start, .cast(params.load(roi, [.dim(axes + Dim(number))]), .float64))
    }
    var geometry = geometry
    geometry.isSingle = op.mode == "nearest"
    if case .element(let place) = geometry.scale, let scales = context.optionalInput("scales") {
      geometry.loaded = .cast(params.load(scales, [.constant(place)]), .float64)
    }
    let taps = ResizeTaps(op, geometry, geometry.position(op.coordinateMode, region: region))
    var stages: [LoopNest.Stage] = []
    func store(_ tensor: TensorID, _ place: [Index], _ value: Scalar) {
      stages.append(.store(param: params.write(tensor), index: [.axis(0)] + place, axes: [], value: value))
    }
    for tap in 0..<self.taps { store(indices, [.constant(tap)], taps.index(tap)) }
    if self.taps > 1 {
      let table = context.temporary("weights\(axis)", type, [geometry.output, Dim(self.taps)])
      for tap in 0..<self.taps { store(table, [.constant(tap)], .cast(taps.weight(tap), type)) }
      weights = table
    }
    if op.coordinateMode == "tf_crop_and_resize" {
      let flags = context.temporary("outside\(axis)", .bool, [geometry.output])
      store(flags, [], taps.isOutside)
      outside = flags
    }
    context.append("resize_table", params, .loopNest(LoopNest([Axis(0, geometry.output)], stages)))
  }
}

/// The neighbours of one position, as expressions in fp64.
private struct ResizeTaps {
  let op: Resize, geometry: ResizeGeometry
  let wild: Scalar

  init(_ op: Resize, _ geometry: ResizeGeometry, _ position: Scalar) {
    (self.op, self.geometry, wild) = (op, geometry, geometry.rounded(position))
  }

  private func number(_ value: Double) -> Scalar { .number(value, .float64) }

  /// Four steps past the edge are as good as any number of them.
  private var x: Scalar {
    let bounded = Scalar.binary(.min, .binary(.max, wild, number(-4)), geometry.n + number(4))
    return .select(.unary(.isNaN, wild), number(0), bounded)
  }
  private var floor: Scalar { .unary(.floor, x) }
  private var ratio: Scalar { x - floor }

  var isOutside: Scalar {
    let isInside = Scalar.binary(
      .logicalAnd,
      .compare(.greaterEqual, wild, number(0)),
      .compare(.lessEqual, wild, geometry.n - number(1))
    )
    return .unary(.logicalNot, isInside)
  }

  /// The neighbour, before the edge stops it.
  private func raw(_ tap: Int) -> Scalar {
    switch op.mode {
    case "linear": return floor + number(Double(tap))
    case "cubic": return floor + number(Double(tap - 1))
    default: break
    }
    switch op.nearestMode {
    case "floor": return floor
    case "ceil": return .unary(.ceil, x)
    case "round_prefer_ceil": return .unary(.floor, x + number(0.5))
    default: return .unary(.ceil, x - number(0.5))
    }
  }

  func index(_ tap: Int) -> Scalar {
    .cast(.binary(.max, .binary(.min, raw(tap), geometry.n - number(1)), number(0)), .int64)
  }

  /// The weight before those outside are taken away.
  private func share(_ tap: Int) -> Scalar {
    if op.mode == "linear" { return tap == 0 ? number(1) - ratio : ratio }
    let a = op.cubicCoefficient
    let distance = [ratio + number(1), ratio, number(1) - ratio, number(2) - ratio][tap]
    let square = distance * distance
    if tap == 1 || tap == 2 {
      return number(a + 2) * distance * square - number(a + 3) * square + number(1)
    }
    return number(a) * distance * square - number(5 * a) * square + number(8 * a) * distance - number(4 * a)
  }

  func weight(_ tap: Int) -> Scalar {
    guard op.excludeOutside else { return share(tap) }
    func kept(_ tap: Int) -> Scalar {
      let isInside = Scalar.binary(
        .logicalAnd,
        .compare(.greaterEqual, raw(tap), number(0)),
        .compare(.less, raw(tap), geometry.n)
      )
      return .select(isInside, share(tap), number(0))
    }
    let count = op.mode == "linear" ? 2 : 4
    return kept(tap) / (1..<count).reduce(kept(0)) { $0 + kept($1) }
  }
}

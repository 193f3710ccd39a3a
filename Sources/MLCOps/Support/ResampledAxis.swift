/// Where the outputs of `resize` lie along one axis of the input, and what they weigh.
///
/// With n inputs, scale s, ℓ = n·s and output o, the position is, by mode: `half_pixel` (o + ½)/s − ½;
/// `pytorch_half_pixel` the same, but 0 when there is one output; `half_pixel_symmetric` the same about the centres of
/// both; `align_corners` o·(n − 1)/(ℓ − 1), 0 when ℓ = 1; `asymmetric` o/s; `tf_crop_and_resize` `align_corners` within
/// the region. Where s is the quotient of the sizes, to fp32, ℓ is the number of outputs. `nearest` rounds positions,
/// (o + ½)/s, and scales that follow from sizes, to fp32, which runtimes count in: 4 / 0.8 is 5.
struct ResampledAxis {
  static let coordinateModes = [
    "half_pixel", "pytorch_half_pixel", "half_pixel_symmetric", "align_corners", "asymmetric", "tf_crop_and_resize",
  ]

  let op: Resize
  let input: Int, output: Int, scale: Double
  var region: (start: Double, end: Double)?

  init(_ op: Resize, input: Int, output: Int, scale: Double) {
    (self.op, self.input, self.output, self.scale) = (op, input, output, scale)
  }

  /// Every output is the input of its number.
  var isIdentity: Bool { scale == 1 && input == output && (region.map { $0.start == 0 && $0.end == 1 } ?? true) }

  func position(_ o: Int) -> Double {
    let o = Double(o)
    let n = Double(input)
    let length = Float(Double(output) / n) == Float(scale) ? Double(output) : scale * n
    let centre = (o + 0.5) / scale
    let halfPixel = (op.mode == "nearest" ? Double(Float(centre)) : centre) - 0.5
    switch op.coordinateMode {
    case "align_corners": return length == 1 ? 0 : o * (n - 1) / (length - 1)
    case "asymmetric": return o / scale
    case "pytorch_half_pixel": return output == 1 ? 0 : halfPixel
    case "half_pixel_symmetric":
      let adjustment = Double(output) / length
      return n / 2 * (1 - adjustment) + halfPixel
    case "tf_crop_and_resize":
      let (start, end) = region ?? (0, 1)
      let inside = length == 1 ? (end - start) * (n - 1) / 2 : o * (end - start) * (n - 1) / (length - 1)
      return inside + start * (n - 1)
    default: return halfPixel
    }
  }

  /// `tf_crop_and_resize` gives the extrapolation value here.
  func isOutside(_ o: Int) -> Bool {
    guard op.coordinateMode == "tf_crop_and_resize" else { return false }
    let x = position(o)
    return !(x >= 0 && x <= Double(input - 1))
  }

  /// The inputs of output `o` and their weights.
  func taps(_ o: Int) -> [(index: Int, weight: Double)] {
    let limit = Double(input + 4)
    let wild = op.mode == "nearest" ? Double(Float(position(o))) : position(o)
    let x = wild.isNaN ? 0 : min(max(wild, -4), limit)
    let floor = x.rounded(.down)
    let ratio = x - floor
    let base = Int(floor)
    if op.mode == "nearest" { return [(clamped(base + nearest(ratio)), 1)] }
    let weights = op.mode == "linear" ? [1 - ratio, ratio] : cubic(ratio)
    let first = op.mode == "linear" ? base : base - 1
    var taps = weights.enumerated().map { (index: first + $0.offset, weight: $0.element) }
    if op.excludeOutside {
      taps = taps.filter { (0..<input).contains($0.index) }
      let sum = taps.reduce(0) { $0 + $1.weight }
      return taps.map { ($0.index, $0.weight / sum) }
    }
    return taps.map { (clamped($0.index), $0.weight) }
  }

  private func clamped(_ index: Int) -> Int { min(max(index, 0), input - 1) }

  private func nearest(_ ratio: Double) -> Int {
    if ratio == 0 { return 0 }
    switch op.nearestMode {
    case "round_prefer_floor": return ratio > 0.5 ? 1 : 0
    case "round_prefer_ceil": return ratio >= 0.5 ? 1 : 0
    case "floor": return 0
    default: return 1
    }
  }

  /// Keys' cubic kernel at distances 1 + r, r, 1 − r, 2 − r.
  private func cubic(_ r: Double) -> [Double] {
    let a = op.cubicCoefficient
    func near(_ t: Double) -> Double { ((a + 2) * t - (a + 3)) * t * t + 1 }
    func far(_ t: Double) -> Double { ((a * t - 5 * a) * t + 8 * a) * t - 4 * a }
    return [far(1 + r), near(r), near(1 - r), far(2 - r)]
  }

  /// Replaces axis `axis` of `values` by one weighted sum per entry of `taps`.
  static func apply(
    _ taps: [[(index: Int, weight: Double)]],
    to values: [Double],
    _ shape: [Int],
    _ axis: Int
  ) -> [Double] {
    let step = shape[(axis + 1)...].reduce(1, *)
    let outer = shape[..<axis].reduce(1, *)
    var result = [Double](repeating: 0, count: outer * taps.count * step)
    for block in 0..<outer {
      for (o, sources) in taps.enumerated() {
        let to = (block * taps.count + o) * step
        for (index, weight) in sources {
          let from = (block * shape[axis] + index) * step
          if sources.count == 1 {
            for i in 0..<step { result[to + i] = values[from + i] }
          } else {
            for i in 0..<step { result[to + i] += values[from + i] * weight }
          }
        }
      }
    }
    return result
  }
}

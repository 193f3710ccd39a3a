import MLCCore
import MLCGraph

/// A transposed convolution as ordinary ones that compute the phases of the stride as channels, and a rearrangement of
/// those channels into pixels.
///
/// With `o + low = stride·q + r`, output o takes the taps `k = r + stride·t` at inputs `q − t`: for each phase r a
/// convolution. Phases with equally many taps are one convolution together.
struct SubPixel {
  /// Tensors of rank 4.
  var x: TensorID, output: TensorID
  var weight: Tensor
  var strides: [Int], low: [Int]
  var groups: Int

  /// Phases of an axis that follow each other and have equally many taps.
  private struct Run {
    var first: Int, count: Int, taps: Int

    /// The first phases have one tap more where the stride does not divide the window.
    static func all(window: Int, stride: Int) -> [Run] {
      let more = window % stride
      let runs =
        [Run(first: 0, count: more, taps: window / stride + 1)]
        + [Run(first: more, count: stride - more, taps: window / stride)]
      return runs.filter { $0.count > 0 }
    }
  }

  /// Whether sizes are such that the phases end at a fixed distance from the input's end.
  static func fits(_ x: [Dim], _ y: [Dim], _ strides: [Int], _ low: [Int]) -> Bool {
    (0..<2).allSatisfy { rows(y[2 + $0], strides[$0], low[$0], input: x[2 + $0]) != nil }
  }

  /// How many inputs past the end the last output reaches, when that is a number.
  private static func rows(_ output: Dim, _ stride: Int, _ low: Int, input: Dim) -> Int? {
    ((output - 1 + Dim(low)).floorDiv(Dim(stride)) + 1 - input).constant
  }

  private func runs(_ axis: Int) -> [Run] { Run.all(window: weight.shape[2 + axis], stride: strides[axis]) }

  func lower(in context: inout LoweringContext) throws(Diagnostic) {
    let planes = runs(0).map { high in runs(1).map { wide in convolve(high, wide, &context) } }
    let perGroup = weight.shape[1]
    let bias = context.optionalInput("bias")
    let dtype = context.program[x].dtype.widened
    try context.map("shuffle", to: output) { (params, axes) throws(Diagnostic) in
      let place = (0..<2).map { axes[2 + $0] + .constant(low[$0]) }
      let phase = (0..<2).map { place[$0].modulo(Dim(strides[$0])) }
      let rows = (0..<2).map { place[$0].dividedFloor(by: Dim(strides[$0])) }
      let group: Index = groups == 1 ? .constant(0) : axes[1].dividedFloor(by: Dim(perGroup))
      let within: Index = groups == 1 ? axes[1] : axes[1].modulo(Dim(perGroup))
      func value(_ h: Int, _ w: Int) -> Scalar {
        guard let plane = planes[h][w] else { return .number(0, dtype) }
        let (high, wide) = (runs(0)[h], runs(1)[w])
        let inner = (phase[0] + .constant(-high.first)).modulo(Dim(high.count)) * Dim(wide.count)
        let number = inner + (phase[1] + .constant(-wide.first)).modulo(Dim(wide.count))
        let channel = group * Dim(high.count * wide.count * perGroup) + number * Dim(perGroup) + within
        return params.load(plane, [axes[0], channel, rows[0], rows[1]])
      }
      func chosen(_ axis: Int, _ values: [Scalar]) -> Scalar {
        guard values.count == 2 else { return values[0] }
        let later = Scalar.integer(runs(axis)[1].first, .int64)
        return .select(.compare(.less, .index(phase[axis], .int64), later), values[0], values[1])
      }
      let result = chosen(0, planes.indices.map { h in chosen(1, planes[h].indices.map { value(h, $0) }) })
      return bias.map { result + params.load($0, [axes[1]]) } ?? result
    }
  }

  /// The phases of two runs as channels, `[N, groups·phases·M/groups, H, W]`; `nil` where they have no taps: they are
  /// 0.
  private func convolve(_ high: Run, _ wide: Run, _ context: inout LoweringContext) -> TensorID? {
    guard high.taps > 0, wide.taps > 0 else { return nil }
    let (input, result) = (context.program[x].shape, context.program[output].shape)
    let past = (0..<2).map { max(SubPixel.rows(result[2 + $0], strides[$0], low[$0], input: input[2 + $0])!, 0) }
    let channels = groups * high.count * wide.count * weight.shape[1]
    let planes = context.temporary(
      "phases",
      context.program[x].dtype,
      [input[0], Dim(channels), input[2] + Dim(past[0]), input[3] + Dim(past[1])]
    )
    var params = KernelParams()
    let convolution = Convolution(
      x: params.read(x),
      weight: params.read(context.constant(weights(high, wide), "phases")),
      output: params.write(planes),
      groups: groups,
      kernel: .init(high.taps, wide.taps),
      strides: .init(1, 1),
      dilations: .init(1, 1),
      top: high.taps - 1,
      bottom: past[0],
      left: wide.taps - 1,
      right: past[1]
    )
    context.append("conv_transpose", params, .convolution(convolution))
    return planes
  }

  /// `[groups·phases·M/groups, C/groups, taps…]`, taps reversed.
  private func weights(_ high: Run, _ wide: Run) -> Tensor {
    let (channels, outputs) = (weight.shape[0] / groups, weight.shape[1])
    let values = weight.doubles
    var result: [Double] = []
    for g in 0..<groups {
      for h in high.first..<high.first + high.count {
        for w in wide.first..<wide.first + wide.count {
          for m in 0..<outputs {
            for c in 0..<channels {
              let plane = (g * channels + c) * outputs + m
              for th in (0..<high.taps).reversed() {
                for tw in (0..<wide.taps).reversed() {
                  let row = plane * weight.shape[2] + h + strides[0] * th
                  result.append(values[row * weight.shape[3] + w + strides[1] * tw])
                }
              }
            }
          }
        }
      }
    }
    let shape = [groups * high.count * wide.count * outputs, channels, high.taps, wide.taps]
    return Tensor(weight.dtype, shape, result)
  }
}

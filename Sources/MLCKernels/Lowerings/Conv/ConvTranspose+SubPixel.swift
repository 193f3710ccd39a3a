import MLCCore
import MLCGraph

/// A transposed convolution as ordinary ones that compute the phases of the stride as channels, and a rearrangement of
/// those channels into pixels.
///
/// With `o + low = stride·q + r`, output o takes the taps `k = r + stride·t` at inputs `q − t`: for each phase r a
/// convolution. Phases with equally many taps are one convolution together.
struct SubPixel {
  /// Tensors of two or three spatial axes.
  var x: TensorID, output: TensorID
  var weight: Tensor
  var strides: [Int], low: [Int]
  var groups: Int

  /// Phases of an axis that follow each other and have equally many taps.
  private struct Run {
    var first: Int, count: Int, taps: Int

    var phases: Range<Int> { first..<first + count }

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
    strides.indices.allSatisfy { rows(y[2 + $0], strides[$0], low[$0], input: x[2 + $0]) != nil }
  }

  /// How many inputs past the end the last output reaches, when that is a number.
  private static func rows(_ output: Dim, _ stride: Int, _ low: Int, input: Dim) -> Int? {
    ((output - 1 + Dim(low)).floorDiv(Dim(stride)) + 1 - input).constant
  }

  private func runs(_ axis: Int) -> [Run] { Run.all(window: weight.shape[2 + axis], stride: strides[axis]) }

  func lower(in context: inout LoweringContext) throws(Diagnostic) {
    let choices = strides.indices.reduce([[]]) { all, axis in all.flatMap { head in runs(axis).map { head + [$0] } } }
    let planes = choices.map { (runs: $0, tensor: convolve($0, &context)) }
    let bias = context.optionalInput("bias")
    let dtype = context.program[x].dtype.widened
    try context.map("shuffle", to: output) { (params, axes) throws(Diagnostic) in
      let place = strides.indices.map { axes[2 + $0] + .constant(low[$0]) }
      let phases = strides.indices.map { place[$0].modulo(Dim(strides[$0])) }
      let rows = strides.indices.map { place[$0].dividedFloor(by: Dim(strides[$0])) }
      let values = planes.map { plane -> Scalar in
        guard let tensor = plane.tensor else { return .number(0, dtype) }
        return params.load(tensor, [axes[0], channel(axes[1], phases, plane.runs)] + rows)
      }
      let result = chosen(values, phases)
      return bias.map { result + params.load($0, [axes[1]]) } ?? result
    }
  }

  /// Where the planes of `runs` have a channel of the output at `phases`.
  private func channel(_ output: Index, _ phases: [Index], _ runs: [Run]) -> Index {
    let perGroup = Dim(weight.shape[1])
    let group: Index = groups == 1 ? .constant(0) : output.dividedFloor(by: perGroup)
    let within: Index = groups == 1 ? output : output.modulo(perGroup)
    let number = zip(phases, runs).reduce(Index.constant(0)) { number, axis in
      let (phase, run) = axis
      return number * Dim(run.count) + (phase + .constant(-run.first)).modulo(Dim(run.count))
    }
    return group * (Dim(runs.map(\.count).reduce(1, *)) * perGroup) + number * perGroup + within
  }

  /// Of the values of all choices of runs, the last axis' innermost, that of the runs that `phases` are in.
  private func chosen(_ values: [Scalar], _ phases: [Index]) -> Scalar {
    var values = values
    for axis in phases.indices.reversed() where runs(axis).count == 2 {
      let later = Scalar.integer(runs(axis)[1].first, .int64)
      let test = Scalar.compare(.less, .index(phases[axis], .int64), later)
      values = stride(from: 0, to: values.count, by: 2).map { .select(test, values[$0], values[$0 + 1]) }
    }
    return values[0]
  }

  /// The phases of `runs`, one an axis, as channels, `[N, groups·phases·M/groups, …]`; `nil` where they have no taps:
  /// they are 0.
  private func convolve(_ runs: [Run], _ context: inout LoweringContext) -> TensorID? {
    guard runs.allSatisfy({ $0.taps > 0 }) else { return nil }
    let (input, result) = (context.program[x].shape, context.program[output].shape)
    let past = strides.indices.map { axis in
      max(SubPixel.rows(result[2 + axis], strides[axis], low[axis], input: input[2 + axis])!, 0)
    }
    let channels = groups * runs.map(\.count).reduce(1, *) * weight.shape[1]
    let extents = past.indices.map { input[2 + $0] + Dim(past[$0]) }
    let planes = context.temporary("phases", context.program[x].dtype, [input[0], Dim(channels)] + extents)
    var params = KernelParams()
    let (high, wide) = (runs.count - 2, runs.count - 1)
    var convolution = Convolution(
      x: params.read(x),
      weight: params.read(context.constant(weights(runs), "phases")),
      output: params.write(planes),
      groups: groups,
      kernel: .init(runs[high].taps, runs[wide].taps),
      strides: .init(1, 1),
      dilations: .init(1, 1),
      top: runs[high].taps - 1,
      bottom: past[high],
      left: runs[wide].taps - 1,
      right: past[wide]
    )
    if runs.count == 3 {
      let taps = runs[0].taps
      convolution.depth = .init(kernel: taps, stride: 1, dilation: 1, front: taps - 1, back: past[0])
    }
    context.append("conv_transpose", params, .convolution(convolution))
    return planes
  }

  /// `[groups·phases·M/groups, C/groups, taps…]`, taps reversed.
  private func weights(_ runs: [Run]) -> Tensor {
    let (channels, outputs) = (weight.shape[0] / groups, weight.shape[1])
    let size = weight.shape[2...].reduce(1, *)
    let phases = offsets(runs.map { Array($0.phases) })
    let taps = offsets(runs.indices.map { axis in (0..<runs[axis].taps).reversed().map { $0 * strides[axis] } })
    let values = weight.doubles
    var result: [Double] = []
    result.reserveCapacity(groups * phases.count * outputs * channels * taps.count)
    for g in 0..<groups {
      for phase in phases {
        for m in 0..<outputs {
          for c in 0..<channels {
            let plane = ((g * channels + c) * outputs + m) * size
            for tap in taps { result.append(values[plane + phase + tap]) }
          }
        }
      }
    }
    return Tensor(weight.dtype, [groups * phases.count * outputs, channels] + runs.map(\.taps), result)
  }

  /// The places in a window of all choices of positions, one an axis, the last axis innermost.
  private func offsets(_ positions: [[Int]]) -> [Int] {
    positions.enumerated().reduce([0]) { all, axis in
      all.flatMap { head in axis.element.map { head * weight.shape[2 + axis.offset] + $0 } }
    }
  }
}

import MLCCore

/// What `conv` and `conv_transpose` compute, as one product an image and group: output channels by output positions
/// over input channels and kernel elements.
struct ConvolutionReference {
  var walk: SpatialWalk
  var groups: Int, outputChannels: Int, channels: Int

  func evaluate(_ x: Tensor, _ weight: Tensor, bias: Tensor?, _ shape: [Int]) -> Tensor {
    let (rows, perGroup) = (outputChannels / groups, channels / groups)
    let data = x.doubles
    let biases = bias?.doubles
    var y = [Double](repeating: 0, count: shape.reduce(1, *))
    guard !y.isEmpty else { return Tensor(x.dtype, shape, y) }
    y.withUnsafeMutableBufferPointer { y in
      data.withUnsafeBufferPointer { data in
        weight.withReals { weight in
          for image in 0..<shape[0] {
            for group in 0..<groups {
              var out = RowMajorStore(y, columns: walk.outputCount)
              out.base = (image * outputChannels + group * rows) * walk.outputCount
              out.rowBias = biases.map { Array($0[group * rows..<(group + 1) * rows]) }
              let plane = UnsafeBufferPointer(
                rebasing: data[(image * channels + group * perGroup) * walk.inputCount..<data.count]
              )
              product(plane, weight, group: group, rows: rows, channels: perGroup, out)
            }
          }
        }
      }
    }
    return Tensor(x.dtype, shape, y)
  }

  private func product(
    _ data: UnsafeBufferPointer<Double>,
    _ weight: Reals,
    group: Int,
    rows: Int,
    channels: Int,
    _ out: RowMajorStore
  ) {
    let taps = walk.kernelCount
    Contraction(rows: rows, columns: walk.outputCount, depth: channels * taps).run(
      rows: { first, lanes, panel in
        if !walk.transposed {
          let place = Strided(base: (group * rows + first) * channels * taps, lane: channels * taps, depth: 1)
          return weight.pack(place, lanes: lanes, depth: channels * taps, into: panel)
        }
        for channel in 0..<channels {
          let place = Strided(base: ((group * channels + channel) * rows + first) * taps, lane: taps, depth: 1)
          weight.pack(place, lanes: lanes, depth: taps, into: panel + 4 * channel * taps)
        }
      },
      columns: { first, lanes, panel in pack(data, first, lanes, channels, into: panel) },
      store: { out.store($0, $1, $2) }
    )
  }

  /// The data that outputs `first ..< first + lanes` meet, channel by channel, kernel element by kernel element.
  private func pack(
    _ data: UnsafeBufferPointer<Double>,
    _ first: Int,
    _ lanes: Int,
    _ channels: Int,
    into panel: UnsafeMutablePointer<Double>
  ) {
    let (taps, plane) = (walk.kernelCount, walk.inputCount)
    withUnsafeTemporaryAllocation(of: Int.self, capacity: taps) { sources in
      for lane in 0..<4 {
        if lane < lanes { walk.sources(first + lane, into: sources.baseAddress!) }
        for tap in 0..<taps {
          let source = lane < lanes ? sources[tap] : -1
          var (to, from) = (4 &* tap &+ lane, source)
          for _ in 0..<channels {
            panel[to] = source < 0 ? 0 : data[from]
            to &+= 4 &* taps
            from &+= plane
          }
        }
      }
    }
  }
}

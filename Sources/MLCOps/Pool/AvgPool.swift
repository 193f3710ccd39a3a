import MLCCore
import MLCGraph

/// The mean of each window, padding counted as zeros, or not at all with `exclude_padding_from_average`.
///
/// Positions that only `ceil_mode` adds past the padding are never counted; a window of padding only is NaN when
/// padding is excluded. T is floating point. Types and window: `Pooling`. Source: MIL `avg_pool`, ONNX `AveragePool`.
package struct AvgPool: Pooling {
  package var kernelSizes: [Int] = [], strides: [Int] = [], dilations: [Int] = []
  package var padType = "custom"
  package var pad: [Int] = []
  package var ceilMode = false, excludePaddingFromAverage = false

  package static let schema = Schema<AvgPool>(
    "avg_pool",
    [
      .input("x", rank: 3...5),
      .attribute("kernel_sizes", \.kernelSizes),
      .attribute("strides", \.strides),
      .attribute("dilations", \.dilations),
      .attribute("pad_type", \.padType),
      .attribute("pad", \.pad),
      .attribute("exclude_padding_from_average", \.excludePaddingFromAverage),
      .attribute("ceil_mode", \.ceilMode),
    ]
  )

  package init() {}

  package func infer(_ inputs: Operands<Fact>) throws(Diagnostic) -> [Fact] {
    let x = inputs["x"]
    try requireFloat(x, "x")
    return [Fact(x.dtype, try pooledShape(x))]
  }

  package func evaluate(_ inputs: Operands<Tensor>) throws(Diagnostic) -> [Tensor] {
    let x = inputs["x"]
    let shape = try resultShapes(inputs)[0]
    var y = [Double](repeating: 0, count: shape.reduce(1, *))
    try eachWindow(x, shape) { walk, plane, sources, at in
      var (sum, count) = (0.0, 0)
      for source in sources where source >= 0 {
        sum += plane[source]
        count += 1
      }
      if !excludePaddingFromAverage { count = padded(walk, at % walk.outputCount) }
      y[at] = sum / Double(count)
    }
    return [Tensor(x.dtype, shape, y)]
  }

  /// Kernel elements of output `index` that lie on data or padding.
  private func padded(_ walk: SpatialWalk, _ index: Int) -> Int {
    let outputs = [
      index / (walk.output[1] * walk.output[2]), index / walk.output[2] % walk.output[1], index % walk.output[2],
    ]
    return (0..<3).reduce(1) { product, axis in
      let end = walk.input[axis] + walk.high[axis]
      return product * (0..<walk.kernel[axis]).count { walk.coordinate(axis, outputs[axis], $0) < end }
    }
  }
}

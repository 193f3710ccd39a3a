import MLCCore
import MLCGraph

/// The largest element of each window. NaN spreads; a window of padding only gives the least value of T.
///
/// With `return_indices` (mlc extension) a second output `indices: int64[N, C, *D′]` holds the position of the first
/// largest element in the whole row-major `x`, or, with `column_major_indices`, with the spatial axes in reverse order.
/// T is floating point or an integer of at most 32 bits. Types and window: `Pooling`.
/// Source: MIL `max_pool`, ONNX `MaxPool`.
package struct MaxPool: Pooling {
  package var kernelSizes: [Int] = [], strides: [Int] = [], dilations: [Int] = []
  package var padType = "custom"
  package var pad: [Int] = []
  package var ceilMode = false, returnIndices = false, columnMajorIndices = false

  package static let schema = Schema<MaxPool>(
    "max_pool",
    [
      .input("x", rank: 3...5),
      .attribute("kernel_sizes", \.kernelSizes),
      .attribute("strides", \.strides),
      .attribute("dilations", \.dilations),
      .attribute("pad_type", \.padType),
      .attribute("pad", \.pad),
      .attribute("ceil_mode", \.ceilMode),
      .attribute("return_indices", \.returnIndices),
      .attribute("column_major_indices", \.columnMajorIndices),
      .output("y"),
      .output("indices"),
    ]
  )

  package init() {}

  package func infer(_ inputs: Operands<Fact>) throws(Diagnostic) -> [Fact] {
    let x = inputs["x"]
    guard x.dtype.isFloat || x.dtype.isInteger && x.dtype.bitWidth <= 32 else {
      throw Diagnostic.dtype("max_pool", x.dtype)
    }
    let shape = try pooledShape(x)
    return [Fact(x.dtype, shape)] + (returnIndices ? [Fact(.int64, shape)] : [])
  }

  package func evaluate(_ inputs: Operands<Tensor>) throws(Diagnostic) -> [Tensor] {
    let x = inputs["x"]
    let shape = try resultShapes(inputs)[0]
    let lowest = MaxPool.lowest(x.dtype)
    var y = [Double](repeating: lowest, count: shape.reduce(1, *))
    var places = [Int](repeating: 0, count: returnIndices ? y.count : 0)
    try eachWindow(x, shape) { walk, plane, sources, at in
      var (best, place) = (lowest, -1)
      for source in sources where source >= 0 {
        let value = plane[source]
        if place < 0 || value > best || value.isNaN && !best.isNaN { (best, place) = (value, source) }
      }
      y[at] = best
      if returnIndices { places[at] = at / walk.outputCount * walk.inputCount + position(max(place, 0), walk.input) }
    }
    return [Tensor(x.dtype, shape, y)] + (returnIndices ? [Tensor(.int64, shape, places)] : [])
  }

  private func position(_ index: Int, _ extent: [Int]) -> Int {
    guard columnMajorIndices else { return index }
    let (i0, i1, i2) = (index / (extent[1] * extent[2]), index / extent[2] % extent[1], index % extent[2])
    return (i2 * extent[1] + i1) * extent[0] + i0
  }

  private static func lowest(_ dtype: DType) -> Double {
    if dtype.isFloat { return -.infinity }
    return dtype.isSigned ? -Double(1 << (dtype.bitWidth - 1)) : 0
  }
}

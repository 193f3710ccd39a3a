import CMLCTensor

/// The elements that lie at `offset` and strides of the operand, in elements.
struct StridedKernel: TensorKernel {
  let extents: [Int]
  let strides: [Int]
  var offset = 0

  func run(_ inputs: [TensorValue], _ output: TensorValue) {
    let from = inputs[0].element(offset)
    copyStrided(output.kind.width, extents, from, strides, output.base, ArrayLayout.denseStrides(extents))
  }
}

/// The operands one behind the other along an axis.
struct JoinKernel: TensorKernel {
  let axis: Int

  func run(_ inputs: [TensorValue], _ output: TensorValue) {
    let strides = ArrayLayout.denseStrides(output.shape)
    var place = 0
    for input in inputs {
      let own = ArrayLayout.denseStrides(input.shape)
      copyStrided(output.kind.width, input.shape, input.base, own, output.element(place * strides[axis]), strides)
      place += input.shape[axis]
    }
  }
}

/// The operand at `before`, and one value around it.
struct PadKernel: TensorKernel {
  let before: [Int]
  let lane: UInt32

  func run(_ inputs: [TensorValue], _ output: TensorValue) {
    fill(output, lane)
    let (source, strides) = (inputs[0], ArrayLayout.denseStrides(output.shape))
    let first = output.element(zip(before, strides).reduce(0) { $0 + $1.0 * $1.1 })
    copyStrided(output.kind.width, source.shape, source.base, ArrayLayout.denseStrides(source.shape), first, strides)
  }
}

/// A band of each matrix, zeros elsewhere.
struct BandKernel: TensorKernel {
  let below: Int
  let above: Int

  func run(_ inputs: [TensorValue], _ output: TensorValue) {
    let rank = output.shape.count
    let (rows, columns, width) = (output.shape[rank - 2], output.shape[rank - 1], output.kind.width)
    Parallel.run(output.count / columns, grain: max((1 << 15) / columns, 1)) { part in
      for line in part {
        let row = line % rows
        let first = below < 0 ? 0 : min(max(row - min(below, rows), 0), columns)
        let last = above < 0 ? columns : max(min(row + min(above, columns) + 1, columns), first)
        let (from, to) = (inputs[0].element(line * columns), output.element(line * columns))
        to.initializeMemory(as: UInt8.self, repeating: 0, count: columns * width)
        (to + first * width).copyMemory(from: from + first * width, byteCount: (last - first) * width)
      }
    }
  }
}

import CMLCTensor

/// Products of matrices, of which there are as many as the leading axes say.
struct ProductKernel: TensorKernel {
  func run(_ inputs: [TensorValue], _ output: TensorValue) {
    let (a, b) = (Lanes(inputs[0]), Lanes(inputs[1]))
    let rank = output.shape.count
    let (rows, columns) = (output.shape[rank - 2], output.shape[rank - 1])
    let depth = a.shape[a.shape.count - 1]
    let size = rows * columns
    let batch = output.count / size
    let isWide = output.kind.width == 4
    let sums = isWide ? output.memory : TensorMemory(byteCount: output.count * 4)
    let target = sums.base.assumingMemoryBound(to: Float.self)
    let (places, otherPlaces) = (
      Self.places(a.shape.dropLast(2), output.shape.dropLast(2)),
      Self.places(b.shape.dropLast(2), output.shape.dropLast(2))
    )
    nonisolated(unsafe) let (left, right, result) = (a.base, b.base, target)  // results are apart
    // Small products are divided as they are, large ones each for itself.
    let isDivided = batch < 2 * Parallel.cores && size * depth > 1 << 15
    func one(_ index: Int) {
      let product = MatrixProduct(
        isFloat: output.kind.isFloat,
        a: left + places[index] * rows * depth,
        b: right + otherPlaces[index] * depth * columns,
        target: result + index * size,
        rows: rows,
        columns: columns,
        depth: depth,
        isDivided: isDivided
      )
      product.run()
    }
    if isDivided {
      for index in 0..<batch { one(index) }
    } else {
      Parallel.run(batch, grain: max((1 << 17) / max(size * depth, 1), 1)) { part in for index in part { one(index) } }
    }
    if !isWide {
      Parallel.run(output.count, grain: 1 << 15) { part in
        let first = part.lowerBound
        Parallel.kernels.store(output.kind.code, result + first, output.element(first), part.count)
      }
    }
    withExtendedLifetime((a, b, sums)) {}
  }

  /// For each matrix of the result which one of an operand it takes.
  private static func places(_ shape: ArraySlice<Int>, _ result: ArraySlice<Int>) -> [Int] {
    let (shape, result) = (Array(shape), Array(result))
    let (dense, missing) = (ArrayLayout.denseStrides(shape), result.count - shape.count)
    var places = [0]
    for axis in result.indices {
      let stride = axis < missing || shape[axis - missing] == 1 ? 0 : dense[axis - missing]
      places = places.flatMap { place in (0..<result[axis]).map { place + $0 * stride } }
    }
    return places
  }
}

/// Elements as lanes of 32 bits: where they lie when they are such, else converted.
private struct Lanes {
  let shape: [Int]
  let base: UnsafePointer<Float>
  private let memory: TensorMemory

  init(_ value: TensorValue) {
    shape = value.shape
    if value.kind.width == 4 {
      memory = value.memory
    } else {
      memory = TensorMemory(byteCount: value.count * 4)
      nonisolated(unsafe) let target = memory.base  // parts are apart
      Parallel.run(value.count, grain: 1 << 15) { part in
        let first = part.lowerBound
        Parallel.kernels.load(value.kind.code, value.element(first), target + first * 4, part.count)
      }
    }
    base = UnsafePointer(memory.base.assumingMemoryBound(to: Float.self))
  }
}

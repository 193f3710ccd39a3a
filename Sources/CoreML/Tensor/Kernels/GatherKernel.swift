import CMLCTensor

extension TensorValue {
  /// The index at `place`, counted from the first of `size` elements; a precondition that it is inside.
  func index(_ place: Int, _ size: Int) -> Int {
    let index = Int(base.load(fromByteOffset: place * 4, as: Int32.self))
    precondition((-size..<size).contains(index), "index \(index) is outside of an axis of \(size) elements")
    return index < 0 ? index + size : index
  }
}

/// Extents before, along and behind an axis.
private struct Extents {
  let outer: Int
  let count: Int
  let inner: Int

  init(_ shape: [Int], _ axis: Int) {
    outer = shape[..<axis].reduce(1, *)
    (count, inner) = (shape[axis], shape[(axis + 1)...].reduce(1, *))
  }
}

/// Slices along an axis at places that are known.
struct SelectionKernel: TensorKernel {
  let axis: Int
  let places: [Int]

  func run(_ inputs: [TensorValue], _ output: TensorValue) {
    let (source, size) = (inputs[0], Extents(inputs[0].shape, axis))
    copySlices(source, output, size.outer, size.count, places, size.inner)
  }
}

/// Slices along an axis at the places that the second operand holds.
struct GatherKernel: TensorKernel {
  let axis: Int

  func run(_ inputs: [TensorValue], _ output: TensorValue) {
    let (source, size) = (inputs[0], Extents(inputs[0].shape, axis))
    let places = (0..<inputs[1].count).map { inputs[1].index($0, size.count) }
    copySlices(source, output, size.outer, size.count, places, size.inner)
  }
}

private func copySlices(
  _ source: TensorValue,
  _ output: TensorValue,
  _ outer: Int,
  _ count: Int,
  _ places: [Int],
  _ inner: Int
) {
  let (width, bytes) = (source.kind.width, inner * source.kind.width)
  Parallel.run(outer * places.count, grain: max((1 << 16) / bytes, 1)) { part in
    for slice in part {
      let (group, place) = slice.quotientAndRemainder(dividingBy: places.count)
      let (from, to) = (source.element((group * count + places[place]) * inner), output.element(slice * inner))
      switch inner == 1 ? width : 0 {
      case 4: to.storeBytes(of: from.load(as: UInt32.self), as: UInt32.self)
      case 2: to.storeBytes(of: from.load(as: UInt16.self), as: UInt16.self)
      default: to.copyMemory(from: from, byteCount: bytes)
      }
    }
  }
}

/// Slices at lookup vectors along the last axis of the second operand.
struct LookupKernel: TensorKernel {
  func run(_ inputs: [TensorValue], _ output: TensorValue) {
    let (source, indices) = (inputs[0], inputs[1])
    let depth = indices.shape[indices.shape.count - 1]
    let lookups = indices.shape.dropLast().reduce(1, *)
    let bytes = output.count / lookups * source.kind.width
    let strides = ArrayLayout.denseStrides(source.shape)
    Parallel.run(lookups, grain: max((1 << 14) / bytes, 1)) { part in
      for lookup in part {
        let offset = (0..<depth).reduce(0) { sum, axis in
          sum + indices.index(lookup * depth + axis, source.shape[axis]) * strides[axis]
        }
        (output.base + lookup * bytes).copyMemory(from: source.element(offset), byteCount: bytes)
      }
    }
  }
}

/// Of each line along an axis the elements at the places that the second operand holds in its own line.
struct PickKernel: TensorKernel {
  let axis: Int

  func run(_ inputs: [TensorValue], _ output: TensorValue) {
    let (source, width) = (inputs[0], inputs[0].kind.width)
    let (size, count) = (Extents(source.shape, axis), output.shape[axis])
    Parallel.run(output.count, grain: 1 << 13) { part in
      for place in part {
        let (line, column) = (place / size.inner, place % size.inner)
        let row = line / count * size.count + inputs[1].index(place, size.count)
        output.element(place).copyMemory(from: source.element(row * size.inner + column), byteCount: width)
      }
    }
  }
}

/// The first operand with the elements at places along an axis replaced.
struct ReplacementKernel: TensorKernel {
  let axis: Int

  func run(_ inputs: [TensorValue], _ output: TensorValue) {
    let (source, indices, values) = (inputs[0], inputs[1], inputs[2])
    let (size, count, width) = (Extents(source.shape, axis), indices.shape[axis], source.kind.width)
    output.base.copyMemory(from: source.base, byteCount: output.count * width)
    let isOne = values.shape.isEmpty
    Parallel.run(size.outer, grain: max((1 << 13) / max(count * size.inner, 1), 1)) { part in
      for place in part.lowerBound * count * size.inner..<part.upperBound * count * size.inner {
        let (line, column) = (place / size.inner, place % size.inner)
        let row = line / count * size.count + indices.index(place, size.count)
        let value = values.element(isOne ? 0 : place)
        output.element(row * size.inner + column).copyMemory(from: value, byteCount: width)
      }
    }
  }
}

import CMLCTensor

/// What is done to each line of elements along an axis.
struct AxisKernel: TensorKernel {
  enum Operation: Sendable {
    case extreme(isLargest: Bool)
    case sort(descends: Bool, keeps: Int)
    /// Along the last axis alone, but for axes one long behind it.
    case softmax
    case accumulate(multiplies: Bool)
  }

  let operation: Operation
  let axis: Int

  func run(_ inputs: [TensorValue], _ output: TensorValue) {
    let source = inputs[0]
    let outer = source.shape[..<axis].reduce(1, *)
    let (count, inner) = (source.shape[axis], source.shape[(axis + 1)...].reduce(1, *))
    let type = source.kind.code
    switch operation {
    case .extreme(let isLargest):
      let places = output.base.assumingMemoryBound(to: Int32.self)
      nonisolated(unsafe) let target = places  // lines are apart
      lines(outer * inner, count) { line in
        let first = line / inner * count * inner + line % inner
        target[line] = mlct_extreme_place(isLargest, type, source.element(first), count, inner)
      }
    case .sort(let descends, let keeps): sort(source, output, descends, keeps, outer, inner)
    case .softmax:
      Parallel.run(outer, grain: max((1 << 14) / max(count, 1), 1)) { part in
        let row = UnsafeMutablePointer<Float>.allocate(capacity: max(count, 1))
        defer { row.deallocate() }
        let first = part.lowerBound * count
        Parallel.kernels.softmax(type, source.element(first), output.element(first), part.count, count, row)
      }
    case .accumulate(let multiplies):
      lines(outer, count * inner) { group in
        let first = group * count * inner
        mlct_accumulate(multiplies, type, source.element(first), output.element(first), count, inner)
      }
    }
  }

  private func lines(_ count: Int, _ length: Int, _ body: (Int) -> Void) {
    Parallel.run(count, grain: max((1 << 15) / max(length, 1), 1)) { part in for line in part { body(line) } }
  }

  private func sort(
    _ source: TensorValue,
    _ output: TensorValue,
    _ descends: Bool,
    _ keeps: Int,
    _ outer: Int,
    _ inner: Int
  ) {
    let count = source.shape[axis]
    nonisolated(unsafe) let target = output.base.assumingMemoryBound(to: Int32.self)  // lines are apart
    Parallel.run(outer * inner, grain: max((1 << 12) / max(count, 1), 1)) { part in
      let scratch = UnsafeMutablePointer<UInt32>.allocate(capacity: 4 * count)
      let places = UnsafeMutablePointer<Int32>.allocate(capacity: count)
      defer {
        scratch.deallocate()
        places.deallocate()
      }
      for line in part {
        let (group, column) = line.quotientAndRemainder(dividingBy: inner)
        let first = source.element(group * count * inner + column)
        mlct_sort(source.kind.code, descends, first, count, inner, places, scratch)
        for index in 0..<keeps { target[(group * keeps + index) * inner + column] = places[index] }
      }
    }
  }
}

import MLCCore

extension _MLShapedBuffer {
  /// The part at `indices` of the leading axes, without these.
  func part(at indices: some Collection<Int>) -> _MLShapedBuffer {
    part(ranges(at: indices), dropping: indices.count)
  }

  /// What lies in `ranges`, one for each axis, without the first `dropped` axes.
  func part(_ ranges: [Range<Int>], dropping dropped: Int = 0) -> _MLShapedBuffer {
    var offset = start
    for (axis, range) in ranges.enumerated() {
      let isInside = range.lowerBound >= 0 && range.upperBound <= layout.shape[axis]
      precondition(isInside, "\(range) is outside of axis \(axis)")
      offset += range.lowerBound * layout.strides[axis]
    }
    return view(ranges.dropFirst(dropped).map { $0.count }, Array(layout.strides.dropFirst(dropped)), start: offset)
  }

  /// Replaces the elements of the part at `indices` by those of `other`, of the same shape.
  mutating func assign(_ other: _MLShapedBuffer, at indices: some Collection<Int>) {
    assign(other, ranges(at: indices), dropping: indices.count)
  }

  /// Replaces the elements of a part by those of `other`, of the same shape.
  mutating func assign(_ other: _MLShapedBuffer, _ ranges: [Range<Int>], dropping dropped: Int = 0) {
    makeUnique()
    let target = part(ranges, dropping: dropped)
    precondition(target.layout.shape == other.layout.shape, "a part of another shape")
    guard other.layout.count > 0 else { return }
    let type = Scalar.multiArrayDataType
    let source = other.memory === memory ? other.copied() : other
    ElementCopy.copy(from: source.elements, type, source.layout, to: target.elements, type, target.layout)
    withExtendedLifetime((source.memory, memory)) {}
  }

  /// The same memory, axis `i` being axis `permutation[i]`.
  func permuted(_ permutation: [Int]) -> _MLShapedBuffer {
    view(permutation.map { layout.shape[$0] }, permutation.map { layout.strides[$0] }, start: start)
  }

  /// The same elements in memory of their own, neighbours `strides` elements apart.
  func copied(strides: [Int]) -> _MLShapedBuffer {
    let type = Scalar.multiArrayDataType
    guard let layout = ArrayLayout(layout.shape, strides: strides, width: type.byteCount),
      layout.extent * type.byteCount <= maximumTensorBytes
    else { preconditionFailure("no array can have the shape \(self.layout.shape) with strides \(strides)") }
    let target = _MLShapedBuffer(ShapedMemory(byteCount: layout.extent * type.byteCount), layout)
    target.memory.base.initializeMemory(as: UInt8.self, repeating: 0, count: layout.extent * type.byteCount)
    if layout.count > 0 { ElementCopy.copy(from: elements, type, self.layout, to: target.elements, type, layout) }
    withExtendedLifetime(memory) {}
    return target
  }

  private func view(_ shape: [Int], _ strides: [Int], start: Int) -> _MLShapedBuffer {
    guard let layout = ArrayLayout(shape, strides: strides, width: MemoryLayout<Scalar>.stride) else {
      preconditionFailure("a part is larger than the whole")
    }
    return _MLShapedBuffer(memory, start: start, layout)
  }

  private func ranges(at indices: some Collection<Int>) -> [Range<Int>] {
    precondition(indices.count <= layout.shape.count, "\(indices.count) indices for \(layout.shape.count) axes")
    return indices.map { $0..<$0 + 1 } + layout.shape.dropFirst(indices.count).map { 0..<$0 }
  }
}

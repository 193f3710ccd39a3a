import MLCCore

/// Where the elements of an array lie: shape, and strides in elements.
@usableFromInline struct ArrayLayout: Hashable, Sendable {
  @usableFromInline let shape: [Int]
  @usableFromInline let strides: [Int]
  /// Elements, and how many places they span.
  @usableFromInline let count: Int
  @usableFromInline let extent: Int
  /// Row-major without gaps.
  @usableFromInline let isDense: Bool

  /// Dense when `strides` is `nil`. `nil` when an extent or a stride is negative, when there are not as many of both,
  /// or when elements of `width` bytes would not fit into memory.
  @usableFromInline init?(_ shape: [Int], strides: [Int]? = nil, width: Int) {
    guard let count = shape.checkedProduct, count >= 0, shape.allSatisfy({ $0 >= 0 }),
      !count.multipliedReportingOverflow(by: width).overflow
    else { return nil }
    let dense = ArrayLayout.denseStrides(shape)
    let strides = strides ?? dense
    guard strides.count == shape.count, let extent = ArrayLayout.extent(shape, strides, width) else { return nil }
    (self.shape, self.strides, self.count) = (shape, strides, count)
    self.extent = count == 0 ? 0 : extent
    isDense = count <= 1 || shape.indices.allSatisfy { shape[$0] == 1 || strides[$0] == dense[$0] }
  }

  static func denseStrides(_ shape: [Int]) -> [Int] {
    var strides = [Int](repeating: 1, count: shape.count)
    for axis in shape.indices.dropLast().reversed() { strides[axis] = strides[axis + 1] &* max(shape[axis + 1], 1) }
    return strides
  }

  private static func extent(_ shape: [Int], _ strides: [Int], _ width: Int) -> Int? {
    var extent = 1
    for (size, stride) in zip(shape, strides) {
      guard stride >= 0 else { return nil }
      let (span, overflow) = stride.multipliedReportingOverflow(by: max(size - 1, 0))
      let (sum, sumOverflow) = extent.addingReportingOverflow(span)
      guard !overflow, !sumOverflow else { return nil }
      extent = sum
    }
    return extent.multipliedReportingOverflow(by: width).overflow ? nil : extent
  }

  /// The place of the element that stands at `index` in row-major order.
  @usableFromInline func offset(linear index: Int) -> Int {
    if isDense { return index }
    var (rest, offset) = (index, 0)
    for axis in shape.indices.reversed() {
      offset += rest % shape[axis] * strides[axis]
      rest /= shape[axis]
    }
    return offset
  }

  /// The place of the element at `indices`, one for each axis; a precondition that they are inside.
  @inlinable @inline(__always) func offset(_ indices: some Collection<Int>) -> Int { offset(indices) { $0 } }

  /// The place of the element at `indices`, one for each axis, which `number` reads; a precondition that they are
  /// inside.
  @inlinable @inline(__always) func offset<Indices: Collection>(
    _ indices: Indices,
    _ number: (Indices.Element) -> Int
  ) -> Int {
    precondition(indices.count == shape.count, "\(indices.count) indices for \(shape.count) axes")
    var (offset, axis) = (0, 0)
    for index in indices {
      let (index, size) = (number(index), shape[axis])
      precondition(
        UInt(bitPattern: index) < UInt(bitPattern: size),
        "index \(index) is outside of axis \(axis), \(size) long"
      )
      offset &+= index &* strides[axis]
      axis &+= 1
    }
    return offset
  }

  /// Calls `body` with the place of each run of `length` elements a stride of `step` apart, in row-major order.
  func forEachRow(_ body: (_ offset: Int, _ length: Int, _ step: Int) -> Void) {
    guard count > 0 else { return }
    if isDense { return body(0, count, 1) }
    let (length, step) = (shape[shape.count - 1], strides[shape.count - 1])
    var indices = [Int](repeating: 0, count: shape.count - 1)
    var offset = 0
    while true {
      body(offset, length, step)
      var axis = indices.count - 1
      while axis >= 0 {
        indices[axis] += 1
        offset += strides[axis]
        if indices[axis] < shape[axis] { break }
        offset -= indices[axis] * strides[axis]
        indices[axis] = 0
        axis -= 1
      }
      if axis < 0 { return }
    }
  }
}

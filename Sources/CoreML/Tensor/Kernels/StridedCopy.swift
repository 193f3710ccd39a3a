import CMLCTensor

/// Copies elements of `width` bytes between arrays of these strides, in elements, on all cores.
func copyStrided(
  _ width: Int,
  _ extents: [Int],
  _ source: UnsafeRawPointer,
  _ sourceStrides: [Int],
  _ target: UnsafeMutableRawPointer,
  _ targetStrides: [Int]
) {
  // Threads share the longest of the outer axes.
  let axis = extents.indices.dropLast().max { extents[$0] < extents[$1] } ?? 0
  let count = extents.reduce(1, *)
  if count == 0 { return }
  guard !extents.isEmpty else { return target.copyMemory(from: source, byteCount: width) }
  let each = max(count / extents[axis], 1)
  nonisolated(unsafe) let (source, target) = (source, target)  // parts are apart
  Parallel.run(extents[axis], grain: max((1 << 16) / each, 1)) { part in
    var extents = extents
    extents[axis] = part.count
    mlct_copy(
      width,
      extents.count,
      extents,
      source + part.lowerBound * sourceStrides[axis] * width,
      sourceStrides,
      target + part.lowerBound * targetStrides[axis] * width,
      targetStrides
    )
  }
}

/// One value everywhere.
func fill(_ output: TensorValue, _ lane: UInt32) {
  withUnsafeBytes(of: lane) { bytes in
    guard let first = bytes.baseAddress else { return }
    // A float of 16 bits is no part of the lane that stands for it.
    var half = Float16(Float(bitPattern: lane)).bitPattern
    let source = output.kind == .float16 ? nil : first
    withUnsafePointer(to: &half) { half in
      copyStrided(output.kind.width, [output.count], source ?? UnsafeRawPointer(half), [0], output.base, [1])
    }
  }
}

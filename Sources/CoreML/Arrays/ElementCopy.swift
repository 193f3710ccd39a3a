/// Copies elements between arrays of any layout and element type.
enum ElementCopy {
  /// `source`'s elements in row-major order to `target`'s, converted; both have as many.
  static func copy(
    from source: UnsafeRawPointer,
    _ sourceType: MLMultiArrayDataType,
    _ sourceLayout: ArrayLayout,
    to target: UnsafeMutableRawPointer,
    _ targetType: MLMultiArrayDataType,
    _ targetLayout: ArrayLayout
  ) {
    precondition(sourceLayout.count == targetLayout.count, "arrays of other sizes")
    if sourceType == targetType && sourceLayout.isDense && targetLayout.isDense {
      target.copyMemory(from: source, byteCount: sourceLayout.count * sourceType.byteCount)
      return
    }
    switch sourceType {
    case .double: from(source.assumingMemoryBound(to: Double.self), sourceLayout, target, targetType, targetLayout)
    case .float32: from(source.assumingMemoryBound(to: Float.self), sourceLayout, target, targetType, targetLayout)
    case .float16: from(source.assumingMemoryBound(to: Float16.self), sourceLayout, target, targetType, targetLayout)
    case .int32: from(source.assumingMemoryBound(to: Int32.self), sourceLayout, target, targetType, targetLayout)
    case .int8: from(source.assumingMemoryBound(to: Int8.self), sourceLayout, target, targetType, targetLayout)
    }
  }

  private static func from<Source: MLShapedArrayScalar>(
    _ source: UnsafePointer<Source>,
    _ layout: ArrayLayout,
    _ target: UnsafeMutableRawPointer,
    _ type: MLMultiArrayDataType,
    _ targetLayout: ArrayLayout
  ) {
    switch type {
    case .double: convert(source, layout, target.assumingMemoryBound(to: Double.self), targetLayout)
    case .float32: convert(source, layout, target.assumingMemoryBound(to: Float.self), targetLayout)
    case .float16: convert(source, layout, target.assumingMemoryBound(to: Float16.self), targetLayout)
    case .int32: convert(source, layout, target.assumingMemoryBound(to: Int32.self), targetLayout)
    case .int8: convert(source, layout, target.assumingMemoryBound(to: Int8.self), targetLayout)
    }
  }

  private static func convert<Source: MLShapedArrayScalar, Target: MLShapedArrayScalar>(
    _ source: UnsafePointer<Source>,
    _ layout: ArrayLayout,
    _ target: UnsafeMutablePointer<Target>,
    _ targetLayout: ArrayLayout
  ) {
    var position = 0
    let isDense = targetLayout.isDense
    layout.forEachRow { offset, length, step in
      for index in 0..<length {
        let place = isDense ? position : targetLayout.offset(linear: position)
        target[place] = Target(converting: source[offset + index * step].asDouble)
        position += 1
      }
    }
  }
}

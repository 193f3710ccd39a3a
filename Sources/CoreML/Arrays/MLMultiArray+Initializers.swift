import Foundation
import MLCCore

extension MLMultiArray {
  /// An array of zeros whose neighbours along axis `i` lie `strides[i]` elements apart. Shape and strides must fit each
  /// other.
  public convenience init(shape: [Int], dataType: MLMultiArrayDataType, strides: [Int]) {
    guard let layout = ArrayLayout(shape, strides: strides, width: dataType.byteCount) else {
      preconditionFailure("no array can have the shape \(shape) with strides \(strides)")
    }
    do { try self.init(dataType, layout) } catch { preconditionFailure("\(error)") }
  }

  /// A view of the caller's memory, which must stay as long as the array does; `deallocator` gets it back in the end.
  ///
  /// Throws when shape and strides do not fit each other or a stride is negative.
  public convenience init(
    dataPointer: UnsafeMutableRawPointer,
    shape: [NSNumber],
    dataType: MLMultiArrayDataType,
    strides: [NSNumber],
    deallocator: ((UnsafeMutableRawPointer) -> Void)? = nil
  ) throws {
    let (sizes, steps) = (shape.map { $0.intValue }, strides.map { $0.intValue })
    guard let layout = ArrayLayout(sizes, strides: steps, width: dataType.byteCount) else {
      throw MLModelError(.generic, "no array can have the shape \(sizes) with strides \(steps)")
    }
    self.init(dataType, layout, base: dataPointer, release: deallocator)
  }

  /// The arrays one after the other along `axis`, which may be counted from the last, -1, converted to `dataType`.
  /// Their other axes must have equal sizes.
  public convenience init(concatenating multiArrays: [MLMultiArray], axis: Int, dataType: MLMultiArrayDataType) {
    precondition(!multiArrays.isEmpty, "nothing to concatenate")
    var shape = multiArrays[0].layout.shape
    let axis = axis < 0 ? axis + shape.count : axis
    precondition(shape.indices.contains(axis), "there is no axis \(axis)")
    shape[axis] = 0
    for array in multiArrays {
      var other = array.layout.shape
      precondition(other.count == shape.count, "arrays of other ranks cannot be concatenated")
      let size = other[axis]
      other[axis] = shape[axis]
      precondition(other == shape, "\(array.layout.shape) cannot be concatenated along axis \(axis)")
      shape[axis] += size
    }
    self.init(shape: shape, dataType: dataType, strides: ArrayLayout.denseStrides(shape))
    var start = 0
    for array in multiArrays {
      let place = base + start * layout.strides[axis] * dataType.byteCount
      guard let part = ArrayLayout(array.layout.shape, strides: layout.strides, width: dataType.byteCount) else {
        preconditionFailure("a part is larger than the whole")
      }
      ElementCopy.copy(from: array.base, array.dataType, array.layout, to: place, dataType, part)
      start += array.layout.shape[axis]
    }
  }

  /// `init(concatenating:axis:dataType:)` under its older name.
  public convenience init(
    byConcatenatingMultiArrays multiArrays: [MLMultiArray],
    alongAxis axis: Int,
    dataType: MLMultiArrayDataType
  ) {
    self.init(concatenating: multiArrays, axis: axis, dataType: dataType)
  }

  /// A one-dimensional `int32` array. Throws when a number does not fit 32 bits.
  public convenience init<C: Collection>(_ data: C) throws where C.Element: FixedWidthInteger {
    var numbers: [Int32] = []
    for number in data {
      guard let narrow = Int32(exactly: number) else {
        throw MLModelError(.generic, "\(number) does not fit an array of 32-bit integers")
      }
      numbers.append(narrow)
    }
    try self.init(elements: numbers)
  }

  /// A one-dimensional `float32` array.
  public convenience init<C: Collection>(_ data: C) throws where C.Element == Float { try self.init(elements: data) }

  /// A one-dimensional `double` array.
  public convenience init<C: Collection>(_ data: C) throws where C.Element == Double { try self.init(elements: data) }

  private convenience init<Scalar: MLShapedArrayScalar>(elements: some Collection<Scalar>) throws {
    try self.init(shape: [elements.count], dataType: Scalar.multiArrayDataType)
    _ = UnsafeMutableBufferPointer(start: base.assumingMemoryBound(to: Scalar.self), count: count)
      .update(fromContentsOf: elements)
  }

  /// A copy of a shaped array.
  public convenience init<ShapedArray: MLShapedArrayProtocol>(_ shapedArray: ShapedArray) {
    let dataType = ShapedArray.Scalar.multiArrayDataType
    self.init(shape: shapedArray.shape, dataType: dataType, strides: ArrayLayout.denseStrides(shapedArray.shape))
    shapedArray.withUnsafeShapedBufferPointer { source, shape, strides in
      guard let start = source.baseAddress, count > 0,
        let other = ArrayLayout(shape, strides: strides, width: dataType.byteCount)
      else { return }
      ElementCopy.copy(from: start, dataType, other, to: base, dataType, layout)
    }
  }
}

import Foundation

// Access to one element. An index outside of the array is a programming error and ends the program.
//
// What stands in the caller's code is a comparison of the element type and the access itself, of constants that the optimiser
// moves out of loops; all else is a call.

extension MLMultiArray {
  /// The element at `index` in row-major order.
  public subscript(index: Int) -> NSNumber {
    get { number(at: place(index)) }
    set { setDouble(newValue.doubleValue, at: place(index)) }
  }

  /// The element at one index for each axis.
  public subscript(key: [NSNumber]) -> NSNumber {
    get { number(at: layout.offset(key) { $0.intValue }) }
    set { setDouble(newValue.doubleValue, at: layout.offset(key) { $0.intValue }) }
  }

  /// The element at `index` in row-major order, as a Swift number: no object is made. Other element types are converted.
  @inlinable public subscript<Scalar: MLShapedArrayScalar>(index: Int) -> Scalar {
    @inline(__always) get {
      let (base, code) = (base, denseTypeCode)
      precondition(UInt(bitPattern: index) < UInt(bitPattern: count), "index out of range")
      if code == Scalar.multiArrayDataType.rawValue { return base.assumingMemoryBound(to: Scalar.self)[index] }
      return Scalar(converting: double(atIndex: index))
    }
    @inline(__always) set {
      let (base, code) = (base, denseTypeCode)
      precondition(UInt(bitPattern: index) < UInt(bitPattern: count), "index out of range")
      if code == Scalar.multiArrayDataType.rawValue {
        base.assumingMemoryBound(to: Scalar.self)[index] = newValue
      } else {
        setDouble(newValue.asDouble, atIndex: index)
      }
    }
  }

  /// The element at one index for each axis, as a Swift number: no object is made. Other element types are converted.
  @inlinable public subscript<Scalar: MLShapedArrayScalar>(indices: [Int]) -> Scalar {
    @inline(__always) get { element(at: layout.offset(indices)) }
    @inline(__always) set {
      let (base, code) = (base, typeCode)
      let place = layout.offset(indices)
      if code == Scalar.multiArrayDataType.rawValue {
        base.assumingMemoryBound(to: Scalar.self)[place] = newValue
      } else {
        setDouble(newValue.asDouble, at: place)
      }
    }
  }

  // A call, behind which the optimiser sees that nobody needs the list of indices and makes none.
  @inlinable @inline(never) func element<Scalar: MLShapedArrayScalar>(at place: Int) -> Scalar {
    if typeCode == Scalar.multiArrayDataType.rawValue { return base.assumingMemoryBound(to: Scalar.self)[place] }
    return Scalar(converting: double(at: place))
  }

  // Calls, so that a loop over elements that need none stays small enough to be optimised as an `Array`'s is.
  @usableFromInline @inline(never) func double(atIndex index: Int) -> Double { double(at: place(index)) }
  @usableFromInline @inline(never) func setDouble(_ value: Double, atIndex index: Int) {
    setDouble(value, at: place(index))
  }

  func place(_ index: Int) -> Int {
    precondition(index >= 0 && index < count, "index out of range")
    return isDense ? index : layout.offset(linear: index)
  }

  @usableFromInline @inline(never) func double(at place: Int) -> Double {
    switch dataType {
    case .double: base.assumingMemoryBound(to: Double.self)[place]
    case .float32: Double(base.assumingMemoryBound(to: Float.self)[place])
    case .float16: Double(base.assumingMemoryBound(to: Float16.self)[place])
    case .int32: Double(base.assumingMemoryBound(to: Int32.self)[place])
    case .int8: Double(base.assumingMemoryBound(to: Int8.self)[place])
    }
  }

  @usableFromInline @inline(never) func setDouble(_ value: Double, at place: Int) {
    switch dataType {
    case .double: base.assumingMemoryBound(to: Double.self)[place] = value
    case .float32: base.assumingMemoryBound(to: Float.self)[place] = Float(value)
    case .float16: base.assumingMemoryBound(to: Float16.self)[place] = Float16(value)
    case .int32: base.assumingMemoryBound(to: Int32.self)[place] = Int32(converting: value)
    case .int8: base.assumingMemoryBound(to: Int8.self)[place] = Int8(converting: value)
    }
  }

  private func number(at place: Int) -> NSNumber {
    switch dataType {
    case .double: return NSNumber(value: base.assumingMemoryBound(to: Double.self)[place])
    case .float32: return NSNumber(value: base.assumingMemoryBound(to: Float.self)[place])
    case .float16: return NSNumber(value: Float(base.assumingMemoryBound(to: Float16.self)[place]))
    case .int32:
      let value = base.assumingMemoryBound(to: Int32.self)[place]
      return SharedNumbers.int32[Int(value)] ?? NSNumber(value: value)
    case .int8:
      let value = base.assumingMemoryBound(to: Int8.self)[place]
      return SharedNumbers.int8[Int(value)] ?? NSNumber(value: value)
    }
  }
}

import Foundation

// Access to one element. An index outside of the array is a programming error and ends the program.
//
// By Swift numbers an access is the two checks, which the optimiser moves out of loops, and a load or store: a
// conversion, or a way round gaps, would keep loops from being vectorised.

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

  /// The element at `index` in row-major order, as a Swift number of the array's element type: no object is made.
  ///
  /// The array must hold numbers of this type, and without gaps, as those do that models give and those made of a
  /// shape. Literals are `NSNumber`, which fits every array.
  @_disfavoredOverload @inlinable public subscript<Scalar: MLShapedArrayScalar>(index: Int) -> Scalar {
    @inline(__always) get {
      precondition(denseTypeCode == Scalar.multiArrayDataType.rawValue, "the array holds other numbers, or with gaps")
      precondition(UInt(bitPattern: index) < UInt(bitPattern: count), "index out of range")
      return base.assumingMemoryBound(to: Scalar.self)[index]
    }
    @inline(__always) set {
      precondition(denseTypeCode == Scalar.multiArrayDataType.rawValue, "the array holds other numbers, or with gaps")
      precondition(UInt(bitPattern: index) < UInt(bitPattern: count), "index out of range")
      base.assumingMemoryBound(to: Scalar.self)[index] = newValue
    }
  }

  /// The element at one index for each axis, as a Swift number of the array's element type: no object is made.
  ///
  /// The array must hold numbers of this type.
  @_disfavoredOverload @inlinable public subscript<Scalar: MLShapedArrayScalar>(indices: [Int]) -> Scalar {
    @inline(__always) get {
      precondition(typeCode == Scalar.multiArrayDataType.rawValue, "the array holds other numbers")
      return base.assumingMemoryBound(to: Scalar.self)[layout.offset(indices)]
    }
    @inline(__always) set {
      precondition(typeCode == Scalar.multiArrayDataType.rawValue, "the array holds other numbers")
      base.assumingMemoryBound(to: Scalar.self)[layout.offset(indices)] = newValue
    }
  }

  func place(_ index: Int) -> Int {
    precondition(index >= 0 && index < count, "index out of range")
    return isDense ? index : layout.offset(linear: index)
  }

  func double(at place: Int) -> Double {
    switch dataType {
    case .double: base.assumingMemoryBound(to: Double.self)[place]
    case .float32: Double(base.assumingMemoryBound(to: Float.self)[place])
    case .float16: Double(base.assumingMemoryBound(to: Float16.self)[place])
    case .int32: Double(base.assumingMemoryBound(to: Int32.self)[place])
    case .int8: Double(base.assumingMemoryBound(to: Int8.self)[place])
    }
  }

  func setDouble(_ value: Double, at place: Int) {
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

import Foundation

// Access to one element. An index outside of the array is a programming error and ends the program.

extension MLMultiArray {
  /// The element at `index` in row-major order.
  public subscript(index: Int) -> NSNumber {
    get { number(at: place(index)) }
    set { setNumber(newValue, at: place(index)) }
  }

  /// The element at one index for each axis.
  public subscript(key: [NSNumber]) -> NSNumber {
    get { number(at: layout.offset(key.map { $0.intValue })) }
    set { setNumber(newValue, at: layout.offset(key.map { $0.intValue })) }
  }

  /// The element at `index` in row-major order, as a Swift number: no object is made. Other element types are converted.
  @inlinable public subscript<Scalar: MLShapedArrayScalar>(index: Int) -> Scalar {
    @inline(__always) get {
      precondition(UInt(bitPattern: index) < UInt(bitPattern: count), "index out of range")
      if denseType == Scalar.multiArrayDataType.rawValue { return base.assumingMemoryBound(to: Scalar.self)[index] }
      return element(at: place(index))
    }
    @inline(__always) set {
      precondition(UInt(bitPattern: index) < UInt(bitPattern: count), "index out of range")
      if denseType == Scalar.multiArrayDataType.rawValue {
        base.assumingMemoryBound(to: Scalar.self)[index] = newValue
      } else {
        setElement(newValue, at: place(index))
      }
    }
  }

  /// The element at one index for each axis, as a Swift number.
  @inlinable public subscript<Scalar: MLShapedArrayScalar>(indices: [Int]) -> Scalar {
    get { element(at: layout.offset(indices)) }
    set { setElement(newValue, at: layout.offset(indices)) }
  }

  @usableFromInline func place(_ index: Int) -> Int {
    precondition(index >= 0 && index < count, "index out of range")
    return isDense ? index : layout.offset(linear: index)
  }

  @usableFromInline func element<Scalar: MLShapedArrayScalar>(at place: Int) -> Scalar {
    if dataType == Scalar.multiArrayDataType { return base.assumingMemoryBound(to: Scalar.self)[place] }
    return Scalar(converting: double(at: place))
  }

  @usableFromInline func setElement<Scalar: MLShapedArrayScalar>(_ value: Scalar, at place: Int) {
    if dataType == Scalar.multiArrayDataType {
      base.assumingMemoryBound(to: Scalar.self)[place] = value
    } else {
      setDouble(value.asDouble, at: place)
    }
  }

  @usableFromInline func double(at place: Int) -> Double {
    switch dataType {
    case .double: base.assumingMemoryBound(to: Double.self)[place]
    case .float32: Double(base.assumingMemoryBound(to: Float.self)[place])
    case .float16: Double(base.assumingMemoryBound(to: Float16.self)[place])
    case .int32: Double(base.assumingMemoryBound(to: Int32.self)[place])
    case .int8: Double(base.assumingMemoryBound(to: Int8.self)[place])
    }
  }

  @usableFromInline func setDouble(_ value: Double, at place: Int) {
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
    case .double: NSNumber(value: base.assumingMemoryBound(to: Double.self)[place])
    case .float32: NSNumber(value: base.assumingMemoryBound(to: Float.self)[place])
    case .float16: NSNumber(value: Float(base.assumingMemoryBound(to: Float16.self)[place]))
    case .int32: NSNumber(value: base.assumingMemoryBound(to: Int32.self)[place])
    case .int8: NSNumber(value: base.assumingMemoryBound(to: Int8.self)[place])
    }
  }

  private func setNumber(_ number: NSNumber, at place: Int) { setDouble(number.doubleValue, at: place) }
}

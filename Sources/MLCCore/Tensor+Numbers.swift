import CMLCNumerics

// Tensors as numbers: conversions that round once, to nearest even, and wrap integers.

extension Tensor {
  package init(_ dtype: DType, _ shape: [Int], _ values: [Double]) {
    precondition(shape.checkedProduct == values.count, "\(values.count) values for shape \(shape)")
    self = values.withUnsafeBufferPointer { Tensor(dtype, shape, from: $0) }
  }
  package init(_ dtype: DType, _ shape: [Int], _ values: [Int]) {
    precondition(shape.checkedProduct == values.count, "\(values.count) values for shape \(shape)")
    self = Tensor.integers(dtype, shape, values)
  }
  package init(_ shape: [Int], floats values: [Float]) {
    precondition(shape.checkedProduct == values.count, "\(values.count) values for shape \(shape)")
    self.init(.float32, shape) { (out: UnsafeMutableBufferPointer<Float>) in _ = out.initialize(from: values) }
  }
  /// Numbers of `dtype` that are all 0.
  package static func zeros(_ dtype: DType, _ shape: [Int]) -> Tensor {
    let storage = Storage(byteCount: dtype.byteCount(shape.checkedProduct!)!) { _ in }
    return Tensor(dtype, shape, storage: storage)!
  }
  package static func scalar(_ dtype: DType, _ value: Double) -> Tensor { Tensor(dtype, [], [value]) }
  package static func scalar(_ dtype: DType, _ value: Int) -> Tensor { Tensor(dtype, [], [value]) }
  /// A rank-1 `int64` tensor: a shape, a list of axes.
  package static func shape(_ values: [Int]) -> Tensor { Tensor(.int64, [values.count], values) }

  /// Rounds each double once to `dtype`, to nearest even; small floats as `FloatFormat` has it. Floats beyond an
  /// integer type's range wrap through Int64; NaN becomes 0.
  package init(_ dtype: DType, _ shape: [Int], from values: UnsafeBufferPointer<Double>) {
    switch dtype {
    case .float64:
      self.init(dtype, shape) { (out: UnsafeMutableBufferPointer<Double>) in _ = out.initialize(from: values) }
    case .float32:
      self.init(dtype, shape) { (out: UnsafeMutableBufferPointer<Float>) in
        for i in values.indices { out[i] = Float(values[i]) }
      }
    case .float16:
      self.init(dtype, shape) { (out: UnsafeMutableBufferPointer<UInt16>) in
        mlc_half_from_double(values.baseAddress, out.baseAddress, values.count)
      }
    case .bfloat16:
      self.init(dtype, shape) { (out: UnsafeMutableBufferPointer<UInt16>) in
        mlc_bfloat16_from_double(values.baseAddress, out.baseAddress, values.count)
      }
    case .bool:
      self.init(dtype, shape) { (out: UnsafeMutableBufferPointer<UInt8>) in
        for i in values.indices { out[i] = values[i] == 0 ? 0 : 1 }
      }
    case .string: preconditionFailure("numbers in a string tensor")
    case _ where dtype.smallFloat != nil:
      let format = dtype.smallFloat!
      self = Tensor(dtype, shape, codes: values.map { format.code($0) })
    default: self = Tensor.integers(dtype, shape, values.map { Tensor.wrapping($0) })
    }
  }

  /// Truncates toward zero; outside Int64 saturates, NaN is 0.
  package static func wrapping(_ value: Double) -> Int {
    if value.isNaN { return 0 }
    if value >= 0x1p63 { return Int.max }
    if value < -0x1p63 { return Int.min }
    return Int(value)
  }

  private static func integers(_ dtype: DType, _ shape: [Int], _ values: [Int]) -> Tensor {
    func wrap<T: FixedWidthInteger & BitwiseCopyable>(_: T.Type) -> Tensor {
      Tensor(dtype, shape) { (out: UnsafeMutableBufferPointer<T>) in
        for i in values.indices { out[i] = T(truncatingIfNeeded: values[i]) }
      }
    }
    switch dtype {
    case .int8: return wrap(Int8.self)
    case .int16: return wrap(Int16.self)
    case .int32: return wrap(Int32.self)
    case .int64: return wrap(Int64.self)
    case .uint8: return wrap(UInt8.self)
    case .uint16: return wrap(UInt16.self)
    case .uint32: return wrap(UInt32.self)
    case .uint64: return wrap(UInt64.self)
    case .bool:
      return Tensor(dtype, shape) { (out: UnsafeMutableBufferPointer<UInt8>) in
        for i in values.indices { out[i] = values[i] == 0 ? 0 : 1 }
      }
    case .int4, .uint4, .int2, .uint1, .uint2, .uint3, .uint6:
      return Tensor(dtype, shape, codes: values.map { UInt8(truncatingIfNeeded: $0) })
    default: return values.map(Double.init).withUnsafeBufferPointer { Tensor(dtype, shape, from: $0) }
    }
  }

  /// Every element as a double; 64-bit integers beyond 2⁵³ lose low bits.
  package var doubles: [Double] {
    func widen<T: BinaryInteger & BitwiseCopyable>(_: T.Type) -> [Double] {
      withElements(of: T.self) { $0.map { Double($0) } }
    }
    switch dtype {
    case .float64: return withElements(of: Double.self) { Array($0) }
    case .float32: return withElements(of: Float.self) { $0.map(Double.init) }
    case .float16, .bfloat16: return floats.map(Double.init)
    case .int8: return widen(Int8.self)
    case .int16: return widen(Int16.self)
    case .int32: return widen(Int32.self)
    case .int64: return widen(Int64.self)
    case .uint8, .bool: return widen(UInt8.self)
    case .uint16: return widen(UInt16.self)
    case .uint32: return widen(UInt32.self)
    case .uint64: return widen(UInt64.self)
    case .int4, .uint4, .int2, .uint1, .uint2, .uint3, .uint6: return integers.map(Double.init)
    case .float8e4m3fn, .float8e4m3fnuz, .float8e5m2, .float8e5m2fnuz, .float8e8m0, .float4e2m1:
      let numbers = (0..<256).map { dtype.smallFloat!.number(UInt8($0)) }
      return codes.map { numbers[Int($0)] }
    case .string: preconditionFailure("numbers of a string tensor")
    }
  }

  /// Every element as a float, rounded once.
  package var floats: [Float] {
    switch dtype {
    case .float32: return withElements(of: Float.self) { Array($0) }
    case .float16:
      return withElements(of: UInt16.self) { halves in
        [Float](unsafeUninitializedCapacity: halves.count) { out, count in
          mlc_float_from_half(halves.baseAddress, out.baseAddress, halves.count)
          count = halves.count
        }
      }
    case .bfloat16:
      return withElements(of: UInt16.self) { $0.map { Float(bitPattern: UInt32($0) << 16) } }
    default: return doubles.map { Float($0) }
    }
  }

  /// Every element as an integer: floats truncate toward zero, `uint64` keeps its bits.
  package var integers: [Int] {
    func widen<T: FixedWidthInteger & BitwiseCopyable>(_: T.Type) -> [Int] {
      withElements(of: T.self) { $0.map { Int(truncatingIfNeeded: $0) } }
    }
    switch dtype {
    case .int8: return widen(Int8.self)
    case .int16: return widen(Int16.self)
    case .int32: return widen(Int32.self)
    case .int64: return widen(Int64.self)
    case .uint8, .bool: return widen(UInt8.self)
    case .uint16: return widen(UInt16.self)
    case .uint32: return widen(UInt32.self)
    case .uint64: return widen(UInt64.self)
    case .int4, .int2:
      let sign = 1 << (dtype.bitWidth - 1)
      return codes.map { (Int($0) ^ sign) - sign }
    case .uint4, .uint1, .uint2, .uint3, .uint6: return codes.map { Int($0) }
    default: return doubles.map(Tensor.wrapping)
    }
  }

  /// The same numbers in another element type, rounded once.
  package func converted(to dtype: DType) -> Tensor {
    if dtype == self.dtype { return self }
    if dtype.isInteger || dtype == .bool, !self.dtype.isFloat { return Tensor(dtype, shape, integers) }
    return doubles.withUnsafeBufferPointer { Tensor(dtype, shape, from: $0) }
  }
}

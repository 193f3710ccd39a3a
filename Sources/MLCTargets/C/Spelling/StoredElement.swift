import MLCCore

/// How elements of a type are read from memory and written to it, one at a time or as vectors of `VL` lanes.
///
/// A value in an expression is of `dtype.cType`: floats of at most 16 bits are floats. A vector is of its `LaneType`;
/// bytes are widened to int32.
struct StoredElement {
  let dtype: DType

  init(_ dtype: DType) { self.dtype = dtype }

  /// What names the conversions of a float type of at most 16 bits.
  var narrowFloat: String? {
    switch dtype {
    case .float16: "f16"
    case .bfloat16: "bf16"
    default: dtype.smallFloat?.name
    }
  }

  // MARK: One element

  /// The value of the element that `lvalue` denotes, which has a place of its own.
  func read(_ lvalue: String) -> String {
    if let narrowFloat { return "mlc_f32_\(narrowFloat)(\(lvalue))" }
    return dtype == .bool ? "(uint8_t)(\(lvalue) != 0)" : lvalue
  }

  /// The value of element `place` from `pointer` on.
  func read(_ pointer: String, at place: String) -> String {
    guard dtype.isPacked else { return read("\(pointer)[\(place)]") }
    let bits = "mlc_packed(\(pointer), \(place), \(dtype.bitWidth))"
    return dtype.isFloat ? read(bits) : wrapped(bits)
  }

  /// The low bits of the integer `value`, for types of fewer than eight bits.
  func wrapped(_ value: String) -> String {
    let (width, spare) = (dtype.bitWidth, 8 - dtype.bitWidth)
    if dtype.isSigned { return "(int8_t)((int8_t)(uint8_t)((uint8_t)\(value) << \(spare)) >> \(spare))" }
    return "(uint8_t)(\(value) & \((1 << width) - 1))"
  }

  /// A statement that stores `value`, of type `type`, in `lvalue`.
  func write(_ lvalue: String, _ value: String, of type: DType) -> String {
    "\(lvalue) = \(converted(value, type));"
  }

  private func converted(_ value: String, _ type: DType) -> String {
    if let narrowFloat { return "mlc_\(narrowFloat)_\(wideSuffix(type))(\(value))" }
    if dtype == .bool { return type == .bool ? value : "\(value) != 0" }
    if type.isFloat, dtype.isInteger { return "(\(dtype.cType))mlc_i64_\(type.cSuffix)(\(value))" }
    return type == dtype ? value : "(\(dtype.cType))\(value)"
  }

  /// The suffix of conversions from `type`: by way of double where float32 does not hold its numbers exactly.
  func wideSuffix(_ type: DType) -> String {
    type == .float64 || dtype.smallFloat != nil && type.isInteger && type.bitWidth > 16 ? "f64" : "f32"
  }

  // MARK: Vectors

  /// Whether there are vectors of such elements.
  var canLoad: Bool { canStore }
  var canStore: Bool { LaneType(dtype) != nil && !dtype.isPacked }

  /// The element that `lvalue` denotes in all lanes.
  func splat(_ lvalue: String) -> String {
    LaneType(dtype)!.splat(dtype == .bool ? "-\(read(lvalue))" : read(lvalue))
  }

  /// The lanes from `address` on; the first `part` of them where that is given, and zeros.
  func load(_ address: String, part: String? = nil) -> String {
    switch dtype {
    case .float32: part.map { "mlc_ld_part(\(address), \($0))" } ?? "LD(\(address))"
    case .int32, .uint32: part.map { "mlc_ldi_part((const int32_t *)(\(address)), \($0))" } ?? "LDI(\(address))"
    case .float64: part.map { "mlc_ld_part_d(\(address), \($0))" } ?? "LDD(\(address))"
    case .int64, .uint64: part.map { "mlc_ld_part_q((const int64_t *)(\(address)), \($0))" } ?? "LDQ(\(address))"
    case .float16, .bfloat16:
      "mlc_v_\(narrowFloat!)(\(part.map { "mlc_ldh_part(\(address), \($0))" } ?? "*(const VHU *)(\(address))"))"
    case .bool: "(\(bytes(address, part)) != 0)"
    case .int8, .uint8: bytes(address, part)
    case _ where dtype.smallFloat != nil: "mlc_decode_\(narrowFloat!)_v(\(bytes(address, part)))"
    default: preconditionFailure("no vectors of \(dtype.rawValue)")
    }
  }

  /// Lanes that lie `offsets` elements from `pointer` on, a `VI`, or a `VQ` where they are `far`. `near` is where those
  /// of offsets that are near each other begin, where that is known.
  func gather(_ pointer: String, _ offsets: String, far: Bool, near: String? = nil) -> String {
    func lanes(_ suffix: String, _ type: String? = nil) -> String {
      let typed = type.map { "(const \($0) *)(\(pointer))" } ?? "\(pointer)"
      if let near, hasNearGather { return "mlc_gather_near_\(suffix)(\(typed), \(offsets), \(near))" }
      return "mlc_gather_\(far ? "far_" : "")\(suffix)(\(typed), \(offsets))"
    }
    switch dtype {
    case .float32: return lanes("v")
    case .int32, .uint32: return lanes("i", "int32_t")
    case .float64: return lanes("d")
    case .int64, .uint64: return lanes("q", "int64_t")
    case .float16, .bfloat16: return "mlc_v_\(narrowFloat!)(\(lanes("h")))"
    case .bool: return "(\(widened(lanes("b", "int8_t"))) != 0)"
    case .int8, .uint8: return widened(lanes("b", "int8_t"))
    case _ where dtype.smallFloat != nil: return "mlc_decode_\(narrowFloat!)_v(\(widened(lanes("b", "int8_t"))))"
    default: preconditionFailure("no vectors of \(dtype.rawValue)")
    }
  }

  /// Whether lanes that are near each other are one load.
  var hasNearGather: Bool { dtype == .float32 || dtype == .int32 || dtype == .uint32 }

  /// The `VB` `bytes` as int32 lanes.
  private func widened(_ bytes: String) -> String {
    "__builtin_convertvector(\(dtype == .int8 ? bytes : "(VUB)\(bytes)"), VI)"
  }

  /// Bytes widened to int32 lanes.
  private func bytes(_ address: String, _ part: String?) -> String {
    let isSigned = dtype == .int8
    guard let part else { return "__builtin_convertvector(*(const \(isSigned ? "VBU" : "VUBU") *)(\(address)), VI)" }
    let bytes = "mlc_ldb_part((const int8_t *)(\(address)), \(part))"
    return "__builtin_convertvector(\(isSigned ? bytes : "(VUB)\(bytes)"), VI)"
  }

  /// A statement that stores the lanes of `value` from `address` on; the first `part` of them where that is given.
  func store(_ address: String, _ value: String, part: String? = nil) -> String {
    switch dtype {
    case .float32: return part.map { "mlc_st_part(\(address), \(value), \($0));" } ?? "ST(\(address), \(value));"
    case .int32, .uint32:
      return part.map { "mlc_sti_part((int32_t *)(\(address)), \(value), \($0));" } ?? "STI(\(address), \(value));"
    case .float64: return part.map { "mlc_st_part_d(\(address), \(value), \($0));" } ?? "STD(\(address), \(value));"
    case .int64, .uint64:
      return part.map { "mlc_st_part_q((int64_t *)(\(address)), \(value), \($0));" } ?? "STQ(\(address), \(value));"
    case .float16, .bfloat16:
      let lanes = "mlc_\(narrowFloat!)_v(\(value))"
      return part.map { "mlc_sth_part(\(address), \(lanes), \($0));" } ?? "*(VHU *)(\(address)) = \(lanes);"
    case _ where dtype == .bool || dtype.smallFloat != nil:
      let lanes = dtype == .bool ? "-\(value)" : "mlc_encode_\(narrowFloat!)_v(\(value))"
      let (bytes, address) = ("__builtin_convertvector(\(lanes), VB)", "(int8_t *)(\(address))")
      return part.map { "mlc_stb_part(\(address), \(bytes), \($0));" } ?? "*(VBU *)\(address) = \(bytes);"
    case .int8, .uint8:
      let (bytes, address) = ("__builtin_convertvector(\(value), VB)", "(int8_t *)(\(address))")
      return part.map { "mlc_stb_part(\(address), \(bytes), \($0));" } ?? "*(VBU *)\(address) = \(bytes);"
    default: preconditionFailure("no vectors of \(dtype.rawValue)")
    }
  }
}

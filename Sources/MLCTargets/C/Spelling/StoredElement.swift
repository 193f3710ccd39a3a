import MLCCore

/// How elements of a type are read from memory and written to it, one at a time or as vectors of `VL` lanes.
///
/// A value in an expression is of `dtype.cType`: float16 and bfloat16 are floats. A vector is of its `LaneType`; bytes
/// are widened to int32.
struct StoredElement {
  let dtype: DType

  init(_ dtype: DType) { self.dtype = dtype }

  /// What names the conversions of a float type of 16 bits.
  private var half: String? {
    switch dtype {
    case .float16: "f16"
    case .bfloat16: "bf16"
    default: nil
    }
  }

  // MARK: One element

  /// The value of the element that `lvalue` denotes, which has a place of its own.
  func read(_ lvalue: String) -> String {
    if let half { return "mlc_f32_\(half)(\(lvalue))" }
    return dtype == .bool ? "(uint8_t)(\(lvalue) != 0)" : lvalue
  }

  /// The value of element `place` from `pointer` on.
  func read(_ pointer: String, at place: String) -> String {
    guard dtype.isPacked else { return read("\(pointer)[\(place)]") }
    if dtype == .int4 { return "(int8_t)((int8_t)(mlc_packed(\(pointer), \(place), 4) << 4) >> 4)" }
    return "mlc_packed(\(pointer), \(place), \(dtype.bitWidth))"
  }

  /// A statement that stores `value`, of type `type`, in `lvalue`.
  func write(_ lvalue: String, _ value: String, of type: DType) -> String {
    "\(lvalue) = \(converted(value, type));"
  }

  private func converted(_ value: String, _ type: DType) -> String {
    if let half { return type == .float64 ? "mlc_\(half)_f64(\(value))" : "mlc_\(half)_f32((float)\(value))" }
    if dtype == .bool { return type == .bool ? value : "\(value) != 0" }
    if type.isFloat, dtype.isInteger { return "(\(dtype.cType))mlc_i64_\(type.cSuffix)(\(value))" }
    return type == dtype ? value : "(\(dtype.cType))\(value)"
  }

  // MARK: Vectors

  /// Whether there are vectors of such elements.
  var canLoad: Bool { canStore }
  var canStore: Bool { LaneType(dtype) != nil }

  /// The lanes from `address` on; the first `part` of them where that is given, and zeros.
  func load(_ address: String, part: String? = nil) -> String {
    switch dtype {
    case .float32: part.map { "mlc_ld_part(\(address), \($0))" } ?? "LD(\(address))"
    case .int32, .uint32: part.map { "mlc_ldi_part((const int32_t *)(\(address)), \($0))" } ?? "LDI(\(address))"
    case .float64: part.map { "mlc_ld_part_d(\(address), \($0))" } ?? "LDD(\(address))"
    case .int64, .uint64: part.map { "mlc_ld_part_q((const int64_t *)(\(address)), \($0))" } ?? "LDQ(\(address))"
    case .float16, .bfloat16:
      "mlc_v_\(half!)(\(part.map { "mlc_ldh_part(\(address), \($0))" } ?? "*(const VHU *)(\(address))"))"
    case .bool: "(\(bytes(address, part)) != 0)"
    case .int8, .uint8: bytes(address, part)
    default: preconditionFailure("no vectors of \(dtype.rawValue)")
    }
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
      let lanes = "mlc_\(half!)_v(\(value))"
      return part.map { "mlc_sth_part(\(address), \(lanes), \($0));" } ?? "*(VHU *)(\(address)) = \(lanes);"
    case .bool:
      let (bytes, address) = ("__builtin_convertvector(-\(value), VB)", "(int8_t *)(\(address))")
      return part.map { "mlc_stb_part(\(address), \(bytes), \($0));" } ?? "*(VBU *)\(address) = \(bytes);"
    case .int8, .uint8:
      let (bytes, address) = ("__builtin_convertvector(\(value), VB)", "(int8_t *)(\(address))")
      return part.map { "mlc_stb_part(\(address), \(bytes), \($0));" } ?? "*(VBU *)\(address) = \(bytes);"
    default: preconditionFailure("no vectors of \(dtype.rawValue)")
    }
  }
}

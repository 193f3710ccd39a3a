import MLCCore
import MLCKernels

extension ScalarSpeller {
  /// A C statement that stores `value` at `indices` of parameter `param`: one element, or the lanes of `mode`.
  package func store(_ param: Int, _ indices: [Index], _ value: Scalar, _ mode: Mode = .scalar) -> String {
    let place = spell(address(param, indices))
    switch mode {
    case .scalar: return "p\(param)[\(place)] = \(rounded(spell(value), dtype(value), params[param].dtype));"
    case .vector(_, let part):
      return vectorStore("p\(param) + \(place)", spell(value, mode), params[param].dtype, part)
    }
  }

  /// A value of type `from` as one of the stored type `to`.
  private func rounded(_ v: String, _ from: DType, _ to: DType) -> String {
    switch to {
    case .float16: return from == .float64 ? "mlc_f16_f64(\(v))" : "mlc_f16_f32((float)\(v))"
    case .bfloat16: return from == .float64 ? "mlc_bf16_f64(\(v))" : "mlc_bf16_f32((float)\(v))"
    case .bool: return from == .bool ? v : "\(v) != 0"
    default:
      if from.isFloat, to.isInteger { return "(\(to.cType))mlc_i64_\(from.cSuffix)(\(v))" }
      return from == to ? v : "(\(to.cType))\(v)"
    }
  }

  /// `value` is a `V` for floats and a `VI` for int32 and truth values.
  func vectorStore(_ place: String, _ value: String, _ t: DType, _ part: String?) -> String {
    switch t {
    case .float32: return part.map { "mlc_st_part(\(place), \(value), \($0));" } ?? "ST(\(place), \(value));"
    case .int32: return part.map { "mlc_sti_part(\(place), \(value), \($0));" } ?? "STI(\(place), \(value));"
    case .float16, .bfloat16:
      let half = "mlc_\(t == .float16 ? "f16" : "bf16")_v(\(value))"
      return part.map { "mlc_sth_part(\(place), \(half), \($0));" } ?? "*(VHU *)(\(place)) = \(half);"
    case .bool:
      let bytes = "__builtin_convertvector(-\(value), VB)"
      let bytePlace = "(int8_t *)(\(place))"
      return part.map { "mlc_stb_part(\(bytePlace), \(bytes), \($0));" } ?? "*(VBU *)\(bytePlace) = \(bytes);"
    default: preconditionFailure("no vector store of \(t.rawValue)")
    }
  }

  /// Why storing `value` along `axis` cannot be done with vectors.
  package func obstacle(store param: Int, _ indices: [Index], _ value: Scalar, axis: Int) -> String? {
    let t = params[param].dtype
    guard [.float32, .float16, .bfloat16, .int32, .bool].contains(t) else { return "vectors of \(t.rawValue)" }
    guard address(param, indices).coefficient(of: laneAxis(axis)) == 1 else { return "a store with a stride" }
    guard dtype(value) == t.widened else { return "a converting store" }
    return obstacle(value, axis: axis)
  }
}

import MLCCore

/// How float elements of a storage type are written in C: vectors of `VL` lanes and single elements, as float32.
enum ConvolutionSyntax {
  static func type(_ dtype: DType) -> String { dtype == .float32 ? "float" : "uint16_t" }

  private static func suffix(_ dtype: DType) -> String { dtype == .float16 ? "f16" : "bf16" }

  static func load(_ dtype: DType, _ address: String) -> String {
    dtype == .float32 ? "LD(\(address))" : "mlc_v_\(suffix(dtype))(*(const VHU *)(\(address)))"
  }

  static func store(_ dtype: DType, _ address: String, _ value: String) -> String {
    dtype == .float32 ? "ST(\(address), \(value));" : "*(VHU *)(\(address)) = mlc_\(suffix(dtype))_v(\(value));"
  }

  static func element(_ dtype: DType, _ address: String) -> String {
    dtype == .float32 ? "*(\(address))" : "mlc_f32_\(suffix(dtype))(*(\(address)))"
  }
}

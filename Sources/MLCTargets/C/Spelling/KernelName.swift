import MLCCore
import MLCKernels

/// What a kernel is called in source, symbol and profile: `mlc_f32_conv_relu__x86_64_v4_direct_14x32`.
///
/// The element type of its result, what it computes, for which device, and by what means: the strategy, the form of its
/// weights, its tile.
struct KernelName {
  let value: String

  init(_ dtype: DType, _ family: String, on device: DeviceDescription, _ means: [String?] = []) {
    let place = String(device.name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
    value = "mlc_\(KernelName.spelled(dtype))_\(family)__" + ([place] + means.compactMap { $0 }).joined(separator: "_")
  }

  private static func spelled(_ dtype: DType) -> String {
    switch dtype {
    case .float16: "f16"
    case .bfloat16: "bf16"
    case .bool: "bool"
    default: dtype.smallFloat?.name ?? dtype.cSuffix
    }
  }
}

import CMLCMeasure
import MLCCompiler
import MLCCore
import MLCKernels
import MLCRuntime

/// What this machine can do at most with a target's vectors and a number of threads, measured: what kernels are
/// compared with.
struct MachinePeak {
  let threads: Int
  /// Operations a second, a multiplication and an addition counted as two, of float32.
  let float32: Double
  /// The same of products of bytes, of bfloat16, and of float16, where the target has instructions for them.
  let int8: Double?, bfloat16: Double?, float16: Double?
  /// Bytes a second read from memory.
  let reading: Double

  /// `nil` for a target that is no processor of the catalog. Takes some tens of milliseconds.
  init?(target: String, threads: Int) {
    let name = target.split(separator: "+").first.map { String($0) } ?? target
    guard let device = DeviceSet.catalog.first(where: { $0.name == name }), device.family == "c" else { return nil }
    let units: [Int: mlc_unit] = [4: MLC_UNIT_FLOAT_128, 8: MLC_UNIT_FLOAT_256, 16: MLC_UNIT_FLOAT_512]
    guard let unit = units[device.lanes] else { return nil }
    func rate(_ unit: mlc_unit) -> Double { mlc_measure_products(unit, Int32(threads)) }
    func rate(_ unit: mlc_unit, ifAny names: [String]) -> Double? {
      device.requires.contains { names.contains($0) } ? rate(unit) : nil
    }
    func rate(_ unit: mlc_unit, ofTilesOf type: DType, _ feature: String) -> Double? {
      device.multipliesInTiles(type) && CPU.has(feature) == true ? rate(unit) : nil
    }
    self.threads = threads
    float32 = rate(unit)
    int8 =
      rate(MLC_UNIT_BYTE_TILE, ofTilesOf: .int8, "amx_int8")
      ?? rate(MLC_UNIT_BYTE_512, ifAny: ["avx512_vnni", "avx512vnni"])
    bfloat16 =
      rate(MLC_UNIT_BFLOAT_TILE, ofTilesOf: .bfloat16, "amx_bf16")
      ?? rate(MLC_UNIT_BFLOAT_512, ifAny: ["avx512_bf16", "avx512bf16"])
    float16 = rate(MLC_UNIT_HALF_128, ifAny: ["asimdhp"])
    // Twice what the last cache holds, within reason: hypervisors may tell of caches that several machines share.
    let bytes = min(max(2 * Int(mlc_last_cache_bytes()), 64 << 20), 512 << 20)
    reading = mlc_measure_reading(bytes, Int32(threads))
    guard float32 > 0, reading > 0 else { return nil }
  }

  /// Operations a second at most on factors of type `factors`; `nil` where nothing was measured that they would be
  /// compared with.
  func operations(_ factors: DType?) -> Double? {
    switch factors {
    case .int8: int8
    case .bfloat16: bfloat16
    case .float16: float16
    case .float64: float32 / 2
    case .int32, .int64: nil
    default: float32
    }
  }

  var text: ConsoleText {
    func rate(_ rate: Double?, _ name: String) -> String? { rate.map { "\(($0 / 1e9).fixed(0)) \(name)" } }
    let peaks = [
      rate(float32, "GFLOP/s"), rate(int8, "GOP/s int8"), rate(bfloat16, "GFLOP/s bf16"),
      rate(float16, "GFLOP/s fp16"),
    ]
    let all = peaks.compactMap { $0 }.joined(separator: ", ")
    return "peak \(all); memory \((reading / 1e9).fixed(1)) GB/s; \(threads.of("thread"))"
  }

  var json: JSON {
    func rate(_ rate: Double?) -> JSON { rate.map { .rounded($0 / 1e9, 1) } ?? .null }
    return .object([
      "threads": .integer(threads), "fp32_gflops": rate(float32), "int8_gops": rate(int8),
      "bf16_gflops": rate(bfloat16), "fp16_gflops": rate(float16), "read_gb_per_s": rate(reading),
    ])
  }
}

import Foundation
import MLCCore
import MLCDriverCPU
import MLCPackage
import MLCRuntime
import Testing

@Suite struct LoadTests {
  private static let source = """
    static int32_t bind(const int64_t *s, int64_t *o, int64_t *arena) { return *arena = 0; }
    static void run(const mlc_frame *f) { *(float *)f->outputs[0] = 1; }
    __attribute__((visibility("default"))) const mlc_module mlc_module_v5 = {
      MLC_ABI_VERSION, 0, 0, 0, 0, 0, 0, bind, run, &math, identity};
    """
  private static let interface = FunctionInterface("main", inputs: [], outputs: [.init("y", TensorType(.float32, [1]))])

  private func fixture(_ devices: [Manifest.Device]) throws -> Fixture {
    try Fixture(Self.source, Self.interface, devices: devices)
  }

  private func device(_ name: String, family: String = "c", isa: String = CPU.architecture, _ requires: String...)
    -> Manifest.Device
  { Manifest.Device(name: name, family: family, isa: isa, requires: requires) }

  @Test func takesTheMostCapableTargetThatFits() throws {
    let fixture = try fixture([
      device("plain"), device("good"), device("future", "flux_capacitor"), device("other", isa: "riscv64"),
      device("gpu", family: "cuda"),
    ])
    let model = try fixture.load()
    #expect(model.selection.device == "good")
    #expect(model.selection.rejections.map { $0.device } == ["gpu", "other", "future", "plain"])
    #expect(
      model.selection.rejections.map { $0.reason } == [
        "there is no driver for gpu", "it is for riscv64, this CPU is \(CPU.architecture)",
        "it requires flux_capacitor, which mlc does not know", "good is more capable",
      ]
    )
    #expect(try model.predict([])[0].floats == [1])
    var options = Model.Options()
    options.device = "plain"
    #expect(try fixture.load(options).selection.device == "plain")
    options.device = "none"
    expect("runtime.unknown-device") { try fixture.load(options) }
    options.device = "gpu"
    expect("runtime.no-target") { try fixture.load(options) }
    options = Model.Options()
    options.function = "none"
    expect("runtime.unknown-function") { try fixture.load(options) }
  }

  @Test func refusesModulesThatDoNotFit() throws {
    let misfits: [(Diagnostic.ID, String, String)] = [
      ("runtime.abi", "MLC_ABI_VERSION + 1, 1, 0, 0, 0, 0, 0, bind, run, &math, identity", "mlc_module_v5"),
      ("runtime.abi", "MLC_ABI_VERSION, 1, 0, 0, 0, 0, 0, bind, run, &math, identity", "mlc_module_v4"),
      ("runtime.module", "MLC_ABI_VERSION, 2, 0, 0, 0, 0, 0, bind, run, &math, identity", "mlc_module_v5"),
      ("runtime.module", "MLC_ABI_VERSION, 1, 0, 5, 0, 0, 0, bind, run, &math, identity", "mlc_module_v5"),
      ("runtime.module", "MLC_ABI_VERSION, 1, 0, 0, -1, 0, 0, bind, run, &math, identity", "mlc_module_v5"),
      ("runtime.module", "MLC_ABI_VERSION, 1, 0, 0, 0, 1, 0, bind, run, &math, identity", "mlc_module_v5"),
      ("runtime.module", "MLC_ABI_VERSION, 1, 0, 0, 0, 0, 0, 0, run, &math, identity", "mlc_module_v5"),
      ("runtime.module", "MLC_ABI_VERSION, 1, 0, 0, 0, 0, 0, bind, 0, &math, identity", "mlc_module_v5"),
      ("runtime.module", "MLC_ABI_VERSION, 1, 0, 0, 0, 0, 0, bind, run, 0, identity", "mlc_module_v5"),
      (
        "runtime.module",
        "MLC_ABI_VERSION, 1, 0, 0, 0, 0, 0, bind, run, &math, identity, (const mlc_text[]){{\"a\", 1}}, 1",
        "mlc_module_v5"
      ),
    ]
    for (id, fields, name) in misfits {
      let fixture = try Fixture.misfit(fields, name: name)
      expect(id, fields) { try fixture.load() }
    }
    _ = try Fixture.misfit("MLC_ABI_VERSION, 1, 0, 0, 0, 0, 0, bind, run, &math, identity").load()
  }

  @Test func refusesCodeThatWasMadeForSomethingElse() throws {
    for identity in ["0", "(const uint8_t *)\"some thirty-two bytes of something else\""] {
      let fixture = try Fixture.misfit("MLC_ABI_VERSION, 1, 0, 0, 0, 0, 0, bind, run, &math, \(identity)")
      expect("package.contradiction", identity) { try fixture.load() }
    }
  }

  @Test func refusesDamagedCode() throws {
    let fixture = try fixture([Fixture.here])
    let file = fixture.path + "/targets/here/main/kernels.so"
    var code = try #require(FileManager.default.contents(atPath: file))
    code[code.count / 2] ^= 0xff
    try code.write(to: URL(fileURLWithPath: file))
    expect("package.digest") { try fixture.load() }
    try code.dropLast(100).write(to: URL(fileURLWithPath: file))
    expect("package.size") { try fixture.load() }
  }

  @Test func refusesMemoryForTexts() throws {
    let interface = FunctionInterface("main", inputs: [], outputs: [.init("y", TensorType(.string, [1]))])
    let model = try Fixture(Self.source, interface).load()
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 64, alignment: 64)
    defer { memory.deallocate() }
    expect("runtime.string-tensor") { _ = try model.predict([], into: [memory]) }
  }

  @Test func refusesThreadsThatCannotBe() {
    for count in [0, -1, 5000, Int.max] { expect("runtime.threads", "\(count)") { try CPUDriver(threads: count) } }
  }

  @Test func knowsTheMachine() throws {
    #expect(CPU.coreCount >= 1)
    #expect(CPU.has("flux_capacitor") == nil)
    #if arch(x86_64)
      #expect(CPU.has("sse2") == true && CPU.has("sse4.1") == CPU.has("sse4_1"))
      #expect(CPU.obstacle(isa: "armv8.2-a", requires: []) != nil)
      let lines = try String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8).split(separator: "\n")
      let flags = try #require(lines.first { $0.hasPrefix("flags") }).split(separator: " ").map(String.init)
      let names = [
        "avx2", "fma", "avx512f", "avx512_vnni", "avx512_bf16", "pni", "bmi2", "f16c", "amx_tile", "amx_int8",
        "avx_vnni",
      ]
      for name in names {
        #expect(CPU.has(name) == flags.contains(name), "\(name)")
      }
    #endif
  }
}

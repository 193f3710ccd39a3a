import Foundation
import MLCCore
import MLCDriverCPU
import MLCPackage
import MLCRuntime

/// A package around one hand-written C module, in a directory that goes with this value.
final class Fixture {
  let path: String
  private let directory: String

  /// Compiles `source`, which sees the kernel ABI, its `identity` and a place for `math`, and packs it for devices that
  /// are alike but for their names, as far as they run here.
  init(
    _ source: String,
    _ interface: FunctionInterface,
    weights: Tensor? = nil,
    devices: [Manifest.Device] = [Fixture.here]
  ) throws {
    directory = NSTemporaryDirectory() + "mlc-runtime-\(UUID().uuidString)"
    path = directory + "/model.mlmodelc"
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    let plan = KernelPlan(steps: [])
    var hash = SHA256()
    weights?.withBytes { hash.update($0) }
    let wiring = SegmentWiring(whole: interface)
    let identity = CodeIdentity(interface, wiring, devices[0], weights: hash.hexDigest, plan: plan.digest)
    let object = try Fixture.compile(source, identity, in: directory)
    let segment = PackageContents.Segment(
      wiring,
      kernels: .file(object),
      weights: weights.map { .tensors([(0, $0)], byteCount: $0.byteCount) } ?? .bytes([]),
      plan: plan
    )
    let contents = PackageContents(
      tool: "test",
      source: String(repeating: "0", count: 64),
      functions: [interface],
      targets: devices.map { PackageContents.Target($0, code: [.init(interface.name, segments: [segment])]) }
    )
    try PackageWriter.write(contents, to: path)
  }

  deinit { try? FileManager.default.removeItem(atPath: directory) }

  static let here = Manifest.Device(name: "here", family: "c", isa: CPU.architecture, requires: [])

  func load(threads: Int = 2, _ options: Model.Options = .init()) throws -> Model {
    try Model.load(path: path, drivers: [try CPUDriver(threads: threads)], options: options)
  }

  private static func compile(_ source: String, _ identity: CodeIdentity, in directory: String) throws -> String {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().path
    let (input, output) = ("\(directory)/module.c", "\(directory)/module.so")
    let bytes = identity.bytes.map { "\($0)" }.joined(separator: ", ")
    let head = """
      #include "CMLCKernelABI.h"
      static const uint8_t identity[32] = {\(bytes)};
      static const mlc_math *math;

      """
    try (head + source).write(toFile: input, atomically: true, encoding: .utf8)
    let clang = Process()
    clang.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    clang.arguments = [
      "clang", "-std=gnu11", "-O1", "-shared", "-fPIC", "-nostdlib", "-fvisibility=hidden",
      "-I\(root)/Sources/CMLCKernelABI/include", input, "-o", output,
    ]
    try clang.run()
    clang.waitUntilExit()
    guard clang.terminationStatus == 0 else { throw CocoaError(.executableLoad) }
    return output
  }
}

extension Fixture {
  /// `y = x + w[0]`, float32, any length; a step named `add_f32` over the node `Add_0`. Each run works on a copy in the
  /// arena, in tasks of 16 elements. There are `count` weights.
  static func adder(weight: Float = 1, weights count: Int = 1) throws -> Fixture {
    try Fixture(
      """
      static void copy(const mlc_frame *f, void *const *b, char *scratch, int64_t begin, int64_t end) {
        const float *x = b[0];
        float *t = b[1];
        for (int64_t i = begin * 16; i < end * 16 && i < f->symbols[0]; i++) t[i] = x[i];
      }
      static void add(const mlc_frame *f, void *const *b, char *scratch, int64_t begin, int64_t end) {
        const float *t = b[0], *w = (const float *)f->weights;
        float *s = (float *)scratch, *y = b[1];
        for (int64_t i = begin * 16; i < end * 16 && i < f->symbols[0]; i++) {
          s[0] = t[i] + w[0];
          y[i] = s[0];
        }
      }
      static int32_t bind(const int64_t *s, int64_t *o, int64_t *arena) {
        if (s[0] == 13) return -1;
        o[0] = 64;
        *arena = s[0] == 14 ? INT64_C(1) << 60 : 64 + 4 * s[0];
        return 0;
      }
      static void run(const mlc_frame *f) {
        int64_t tasks = (f->symbols[0] + 15) / 16;
        void *t = f->arena + f->offsets[0];
        void *first[] = {(void *)f->inputs[0], t}, *second[] = {t, f->outputs[0]};
        f->parallel(f->pool, copy, f, first, tasks);
        f->parallel(f->pool, add, f, second, tasks);
        if (f->profile) f->profile[1] += 5;
      }
      static const char *const names[] = {"copy", "add_f32\\tAdd_0, Relu_1"};
      __attribute__((visibility("default"))) const mlc_module mlc_module_v5 = {
        MLC_ABI_VERSION, 1, 1, 2, 64, 4, names, bind, run, &math, identity};
      """,
      FunctionInterface(
        "main",
        inputs: [.init("x", TensorType(.float32, ["n"]))],
        outputs: [.init("y", TensorType(.float32, ["n"]))],
        symbols: [.init("n", range: 0...100_000)]
      ),
      weights: Tensor([count], floats: [weight] + [Float](repeating: 0, count: count - 1))
    )
  }

  /// The non-zero elements of an int32 vector, whose number is late; reports `fault` when the first element is -1 and
  /// a number above the bound when it is -2.
  static func nonZero() throws -> Fixture {
    try Fixture(
      """
      static int32_t bind(const int64_t *s, int64_t *o, int64_t *arena) {
        *arena = 0;
        return s[1] == s[0] ? 0 : -1;
      }
      static void run(const mlc_frame *f) {
        const int32_t *x = f->inputs[0];
        int32_t *y = f->outputs[0];
        int64_t n = 0;
        for (int64_t i = 0; i < f->symbols[0]; i++) if (x[i]) y[n++] = x[i];
        f->symbols[1] = n;
        if (n && x[0] == -1) *f->fault = INT64_C(1) << 32 | MLC_FAULT_INDEX;
        if (n && x[0] == -2) f->symbols[1] = f->symbols[0] + 1;
        if (n && x[0] == -3) *f->fault = INT64_C(9) << 32 | 77;
      }
      static const char *const names[] = {"non_zero\\tNonZero_7"};
      __attribute__((visibility("default"))) const mlc_module mlc_module_v5 = {
        MLC_ABI_VERSION, 2, 0, 1, 0, 0, names, bind, run, &math, identity};
      """,
      FunctionInterface(
        "main",
        inputs: [.init("x", TensorType(.int32, ["n"]))],
        outputs: [.init("y", TensorType(.int32, ["k"])), .init("pairs", TensorType(.uint8, [Dim("k") * 0, "n"]))],
        symbols: [.init("n")],
        lateSymbols: [.init("k", bound: "n")]
      )
    )
  }

  /// A module whose table has `fields`, which do not fit.
  static func misfit(_ fields: String, name: String = "mlc_module_v5") throws -> Fixture {
    try Fixture(
      """
      static int32_t bind(const int64_t *s, int64_t *o, int64_t *arena) { return *arena = 0; }
      static void run(const mlc_frame *f) {}
      __attribute__((visibility("default"))) const mlc_module \(name) = {\(fields)};
      """,
      FunctionInterface("main", inputs: [.init("x", TensorType(.float32, ["n"]))], outputs: [], symbols: [.init("n")])
    )
  }
}

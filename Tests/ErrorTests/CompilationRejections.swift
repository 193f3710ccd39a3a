import Foundation
import MLCCompiler
import MLCCore
import MLCDriverCPU
import MLCGraph
import MLCKernels
import MLCPackage
import MLCRuntime
import MLCTargetC

extension Rejection {
  static let compilation: [Rejection] = [
    generating("input.shape", "%x: fp32[n]", sizes: ["n": 1 << 62]),
    Rejection("size.range") {
      var function = try function("%x: fp32[n]", "")
      function.bounds = ["n": 1...2]
      _ = try SizeChoice(function, wanted: ["n": 3])
    },
    Rejection("size.unknown") { _ = try SizeChoice(function("%x: fp32[1]", ""), wanted: ["n": 1]) },
    Rejection("size.none") {
      let operations = """
        %a = const {val = fp32[2, 1](1, 1)}
        %b = const {val = fp32[3, 1](1, 1, 1)}
        %y = matmul(x = %x, y = %a)
        %z = matmul(x = %x, y = %b)
        """
      _ = try SizeChoice(function("%x: fp32[4, n]", operations))
    },
    Rejection("budget.memory") {
      let budget = Budget(modelBytes: 0, memory: 1000)
      let function = try function("%x: fp32[9]", "%r = const {val = int64[1](99)}\n%y = tile(x = %x, reps = %r)")
      _ = try Interpreter(function, budget: budget).run([Tensor(.float32, [9], [Double](repeating: 0, count: 9))])
    },
    Rejection("budget.time") {
      let budget = Budget(modelBytes: 0, time: .zero)
      _ = try Interpreter(function("%x: fp32[1]", "%y = abs(x = %x)"), budget: budget).run([Tensor([1], floats: [0])])
    },
    Rejection("precision.samples") {
      let operations = """
        %t = const {val = fp32[2](1, 2)}
        %k = const {val = int32[1](9)}
        %i = add(x = %x, y = %k)
        %y = gather(x = %t, indices = %i)
        """
      var half = try function("%x: int32[1]", operations)
      half.body.outputs = half.body.operations.last?.outputs ?? []
      half.outputNames = ["y"]
      _ = try HalfPrecision().apply(to: &half)
    },
    Rejection("target.unknown") { _ = try DeviceSet(["none"]) },
    Rejection("compiler.missing") { _ = try CCompiler.find("/nonexistent") },
    building("compiler.failed", nil, "not C"),
    building("compiler.unusable", "/bin/false", ""),
    // A program that waits for as long as it may.
    Rejection("compiler.limit") {
      var limits = ChildLimits.compiler
      limits.wallSeconds = 1
      let folder = try ScratchFolder()
      let script = try folder.write(Array("#!/bin/sh\nsleep 600\n".utf8), to: "cc")
      chmod(script, 0o755)
      let compiler = try CCompiler.find(script, limits: limits)
      for device in try DeviceSet(["host"]).devices {
        _ = try compiler.build([.init(name: "a.c", text: "")], for: device, in: folder.file(""))
      }
    },
    compiled(
      "runtime.division",
      "%x: int32[1]",
      "%y = real_div(x = %x, y = %x)",
      [Tensor(.int32, [1], [0])]
    ),
    compiled(
      "runtime.index",
      "%x: fp32[1], %i: int32[1]",
      "%y = gather(x = %x, indices = %i)",
      [Tensor([1], floats: [0]), Tensor(.int32, [1], [1])]
    ),
    compiled(
      "runtime.size",
      "%x: fp32[1], %k: int32[1]",
      "%y, %i = topk(x = %x, k = %k)",
      [Tensor([1], floats: [0]), Tensor(.int32, [1], [2])]
    ),
    compiled(
      "runtime.text",
      "%x: string[1]",
      "%y = cast(x = %x) {dtype = fp32}",
      [Tensor([1], strings: ["one"])]
    ),
    compiled(
      "runtime.output-shape",
      "%x: fp32[1, 1, n]",
      "%w = const {val = fp32[1, 1, 3](1, 1, 1)}\n%y = conv(x = %x, weight = %w)",
      [Tensor([1, 1, 1], floats: [0])]
    ),
    Rejection("runtime.load") {
      let folder = try ScratchFolder()
      try PackageWriter.write(.sound(kernels: [0]), to: folder.file("a.mlmodelc"))
      _ = try Model.load(path: folder.file("a.mlmodelc"), drivers: [try CPUDriver(threads: 1)])
    },
    Rejection("runtime.memory") { AlignedMemory.free(try AlignedMemory.allocate(1 << 62), 1 << 62) },
  ]

  private static func generating(_ id: String, _ inputs: String, sizes: [String: Int] = [:]) -> Rejection {
    Rejection(id) { _ = try InputGenerator(function(inputs, ""), sizes: sizes, seed: 0).inputs() }
  }

  /// Builds a library of this text for this machine.
  private static func building(_ id: String, _ compiler: String?, _ text: String) -> Rejection {
    Rejection(id) {
      let folder = try ScratchFolder()
      for device in try DeviceSet(["host"]).devices {
        _ = try CCompiler.find(compiler).build([.init(name: "a.c", text: text)], for: device, in: folder.file(""))
      }
    }
  }

  /// Compiles for this machine and predicts.
  private static func compiled(
    _ id: String,
    _ inputs: String,
    _ operations: String,
    _ values: [Tensor]
  ) -> Rejection {
    Rejection(id) {
      var made = try function(inputs, operations)
      made.body.outputs = made.body.operations.last?.outputs ?? []
      made.outputNames = made.body.outputs.indices.map { "y\($0)" }
      let folder = try ScratchFolder()
      let compiler = Compiler(CompileOptions(), targets: [CTarget.self])
      _ = try compiler.compile(Program([made]), to: folder.file("a.mlmodelc"))
      let model = try Model.load(path: folder.file("a.mlmodelc"), drivers: [try CPUDriver(threads: 1)])
      do throws(Diagnostic) { _ = try model.predict(values) } catch {
        if id.hasPrefix("runtime.") { throw error }
        throw Diagnostic("test.run", "refused as it runs only: \(error)")
      }
    }
  }
}

extension PackageContents {
  /// One function without inputs for a device that this machine is.
  static func sound(kernels: [UInt8]) -> PackageContents {
    let function = FunctionInterface("main", inputs: [], outputs: [.init("y", TensorType(.float32, [1]))])
    let wiring = SegmentWiring(whole: function)
    let segment = Segment(wiring, kernels: .bytes(kernels), weights: .bytes([]), plan: KernelPlan(steps: []))
    let device = Manifest.Device(name: "here", family: "c", isa: CPU.architecture, requires: [])
    return PackageContents(
      tool: "test",
      source: String(repeating: "0", count: 64),
      functions: [function],
      targets: [Target(device, code: [Code("main", segments: [segment])])]
    )
  }
}

/// A folder that goes with this object.
final class ScratchFolder {
  private let url = FileManager.default.temporaryDirectory.appending(path: "mlc-errors-\(UUID().uuidString)")

  init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }
  deinit { try? FileManager.default.removeItem(at: url) }

  func file(_ name: String) -> String { url.appending(path: name).path() }

  func write(_ bytes: [UInt8], to name: String) throws -> String {
    try Data(bytes).write(to: url.appending(path: name))
    return file(name)
  }
}

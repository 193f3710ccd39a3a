import Foundation
import MLCCore
import MLCPackage

/// A directory that goes with this value.
final class Scratch {
  let path: String

  init() {
    path = NSTemporaryDirectory() + "mlc-package-\(UUID().uuidString)"
    try! FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func path(_ name: String) -> String { "\(path)/\(name)" }
}

/// Every file below `path` with its bytes.
func files(below path: String) -> [String: Data] {
  var files: [String: Data] = [:]
  for case let name as String in FileManager.default.enumerator(atPath: path)! {
    if let data = FileManager.default.contents(atPath: "\(path)/\(name)") { files[name] = data }
  }
  return files
}

let sampleWeights = Tensor([5], floats: [1, 2, 3, 4, 5])

/// Of ports `x` and `ids`: words, a default that is no number, a list.
private let sampleFeatures: Features = {
  var features = Features()
  features.inputs = [
    Feature("x", isOptional: true, defaultValue: .infinity, summary: "what goes in"), Feature("ids", .sequence),
  ]
  return features
}()

/// Two functions, two devices with the same weights, symbolic shapes and metadata.
func samplePackage(tool: String = "mlc 0") -> PackageContents {
  let main = FunctionInterface(
    "main",
    inputs: [
      .init("x", TensorType(.float32, ["batch", 3]), metadata: ["description": "what goes in"]),
      .init("ids", TensorType(.int32, [Dim("w") * 2 + 1])),
    ],
    outputs: [.init("y", TensorType(.float16, [Dim.max("batch", "n"), "n"]))],
    symbols: [.init("batch", range: 1...8), .init("w")],
    enumerations: [SizeEnumeration(["batch", "w"], choices: [[1, 5], [8, 4]])!],
    lateSymbols: [.init("n", bound: Dim("batch") * 3)],
    features: sampleFeatures
  )
  let second = FunctionInterface("with space/../x", inputs: [], outputs: [.init("z", TensorType(.bool, [Dim]()))])
  func code(_ function: FunctionInterface, _ kernel: String) -> PackageContents.Code {
    let segment = PackageContents.Segment(
      SegmentWiring(whole: function),
      kernels: .bytes(Array(kernel.utf8)),
      weights: .tensors([(0, sampleWeights), (64, sampleWeights)], byteCount: 100),
      gathered: [0..<32, 64..<100],
      plan: KernelPlan(steps: [
        .init(kernel, origins: [.init(node: "Conv_0", op: "Conv")], operations: Dim("batch") * 9),
        .init("copy", origins: []),
      ])
    )
    return PackageContents.Code(function.name, segments: [segment])
  }
  return PackageContents(
    tool: tool,
    source: String(repeating: "0", count: 64),
    metadata: ["author": "someone"],
    precision: .float16,
    functions: [main, second],
    program: "main(x) {}",
    targets: ["x86-64-v2", "x86-64-v4"].map { name in
      PackageContents.Target(
        Manifest.Device(name: name, family: "c", isa: name, requires: ["popcnt"]),
        code: [code(main, "a \(name)"), code(second, "b \(name)")]
      )
    }
  )
}

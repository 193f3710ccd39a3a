import FuzzSupport
import MLCCore
import MLCPackage

/// A compiled package of which one file is an input, signed anew. Its code is no code.
enum SamplePackage {
  /// Written once, at its first use.
  static let path: String = {
    let path = "\(Scratch.folder)/model.mlmodelc"
    do throws(Diagnostic) { try PackageWriter.write(contents, to: path) } catch { fatalError("\(error)") }
    return path
  }()

  /// As the writer made it.
  static let manifest: Manifest = {
    do throws(Diagnostic) { return try PackageReader.manifest(at: path) } catch { fatalError("\(error)") }
  }()

  private static let manifestJSON: JSON = {
    let text = String(decoding: file("manifest.json"), as: UTF8.self)
    do throws(Diagnostic) { return try JSON(parsing: text) } catch { fatalError("\(error)") }
  }()

  /// The bytes of one of its files.
  static func file(_ name: String) -> [UInt8] {
    do throws(Diagnostic) {
      let file = try MappedFile(path: "\(path)/\(name)")
      return withExtendedLifetime(file) { Array(file.bytes) }
    } catch { fatalError("\(error)") }
  }

  /// Puts `bytes` in the place of `file` and says so in the manifest.
  static func replace(_ file: Manifest.File, with bytes: UnsafeRawBufferPointer) {
    let (size, digest) = (JSON.integer(bytes.count), JSON.string(SHA256.hexDigest(bytes)))
    Scratch.write(bytes, to: "\(path)/\(file.path)")
    func signed(_ value: JSON) -> JSON {
      switch value {
      case .array(let items): return .array(items.map { signed($0) })
      case .object(var members):
        if members["path"] == .string(file.path) { (members["size"], members["sha256"]) = (size, digest) }
        return .object(members.mapValues { signed($0) })
      default: return value
      }
    }
    writeManifest(signed(manifestJSON))
  }

  /// Writes the manifest with the digest that belongs to it.
  static func writeManifest(_ manifest: JSON) {
    Array(Manifest.seal(manifest).text.utf8).withUnsafeBytes { Scratch.write($0, to: "\(path)/manifest.json") }
  }

  private static let contents: PackageContents = {
    let device = Manifest.Device(name: "x86-64-v2", family: "c", isa: "x86-64", requires: ["sse4.2"])
    let (rows, elements) = (Dim.symbol("batch"), Dim.symbol("found"))
    let kept = FunctionInterface.Port("kept", TensorType(.float16, [4]))
    let interface = FunctionInterface(
      "main",
      inputs: [.init("x", TensorType(.float32, [rows, 3]), metadata: ["description": "rows"]), kept],
      outputs: [.init("y", TensorType(.float32, [rows, elements])), kept],
      symbols: [.init("batch", range: 1...8)],
      enumerations: [SizeEnumeration(["batch"], choices: [[1], [8]])!],
      lateSymbols: [.init("found", bound: rows + 2)],
      states: [.init("kept", input: 1, output: 1)]
    )
    let plan = KernelPlan(steps: [.init("mlc_f32_relu", origins: [.init(node: "a", op: "Relu")], operations: rows + 1)])
    let between = TensorType(.float16, [rows, elements])
    let (first, last) = (
      SegmentWiring(device: 0, inputs: [0, 1], outputs: [4, 3], sizes: ["found"]),
      SegmentWiring(device: 1, inputs: [4], outputs: [2], sizes: [])
    )
    let segments = [first, last].map { wiring in
      PackageContents.Segment(wiring, kernels: .bytes([0x7f]), weights: .bytes([1, 2, 3, 4]), plan: plan)
    }
    let code = PackageContents.Code("main", values: [between], segments: segments)
    var contents = PackageContents(
      tool: "mlc-fuzz",
      source: "",
      metadata: ["author": "me"],
      precision: .float16,
      functions: [interface],
      program: "program {}",
      targets: [.init(device, accelerators: [.init(name: "gpu", family: "gpu", isa: "", requires: [])], code: [code])]
    )
    (contents.constants, contents.devices) = ([Tensor([3], floats: [1, 2, 3])], [device])
    return contents
  }()
}

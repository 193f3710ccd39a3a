import Glibc
import MLCCore
import MLCPackage

/// Seeds that are made here: a folder for each target, a file for each input. `make_seeds.py` adds what the repository has.
enum Seeds {
  static func write(to folder: String) throws(Diagnostic) {
    func seed(_ target: String, _ name: String, _ bytes: [UInt8]) {
      Scratch.makeFolder("\(folder)/\(target)")
      bytes.withUnsafeBytes { Scratch.write($0, to: "\(folder)/\(target)/\(name)") }
    }
    func file(_ path: String) throws(Diagnostic) -> [UInt8] {
      let file = try MappedFile(path: "\(SamplePackage.path)/\(path)")
      return withExtendedLifetime(file) { Array(file.bytes) }
    }
    Scratch.makeFolder(folder)
    let manifest = SamplePackage.manifest
    seed("package-manifest", "written", try file("manifest.json"))
    seed("package-interface", "written", try file(manifest.interface.path))
    seed("package-plan", "written", try file(manifest.targets[0].code[0].plan.path))
    for target in ["package-program", "text"] { seed(target, "written", Array(SamplePackage.program.utf8)) }
    seed("coreml-manifest", "written", FuzzTarget.manifest)
    for (target, seeds) in texts {
      for (number, text) in seeds.enumerated() { seed(target, "text_\(number)", Array(text.utf8)) }
    }
  }

  private static let texts: [String: [String]] = [
    "json": [#"{"a": [1, -2.5e3, true, null], "b": {"c": "\u00e9\n"}}"#, "[]", "0"],
    "json-tensor": ["[[1, 2], [3, 4]]", #"{"x": [1.5, NaN, -Infinity], "flags": [true, false]}"#, "[]"],
    "dim": ["3*batch + 2", "floor(n - 1, 2) + 1", "max(a, min(`b c`, 4))", "(h + 2) // 3 * -w"],
    "labels": ["blank\na\nb\nc\n", "cat\r\ndog\r\n"],
    "settings": [
      """
      {"accessLevel": "public", "targets": ["x86-64-v2"], "precision": "fp16", "portable": true,
       "models": {"a.onnx": {"className": "A", "inputs": {"x": [1, 3, "height", "?"]}},
                  "b.keras": {"compression": {"palettize": 4, "groupSize": 8, "skip": ["a*"]}}}}
      """,
      #"{"compression": {"quantize": "int4", "blockSize": 32, "asymmetric": true}}"#,
      """
      {"compression": {"config": {"config_type": "OpPalettizerConfig", "global_config": {"nbits": 4},
       "op_type_configs": {"gather": {"nbits": 8}}, "op_name_configs": {"/classifier/Gemm": null}}}}
      """,
    ],
  ]
}

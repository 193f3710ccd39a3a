import ArgumentParser
import FuzzSupport
import MLCCore

@testable import mlc

extension FuzzTarget {
  /// `mlc.json`, for a model that it may name.
  static let settings = FuzzTarget("settings", JSONMutator(), texts: settingsSeeds) { (bytes) throws(Diagnostic) in
    _ = try ModelSettings(try JSONText(Array(bytes)), model: "a.onnx", among: ["a.onnx", "b.keras"])
  }

  /// Names of classes, for a line of text and for scores.
  static let labels = FuzzTarget(
    "labels",
    WordMutator(dictionary: ["\n", "\r\n", "\u{2028}", "blank"]),
    texts: ["blank\na\nb\nc\n", "cat\r\ndog\r\n"]
  ) { (bytes) throws(Diagnostic) in
    let metadata = ["classes": String(decoding: bytes, as: UTF8.self)]
    for options in options {
      let scores = Tensor([1, 2, 4], floats: [0, 1, 0, 0, 0.5, 0, 0, 0.5])
      _ = try options.reading(of: [("scores", scores)], Features(), metadata: metadata)
    }
  }

  private static let settingsSeeds = [
    """
    {"accessLevel": "public", "targets": ["x86-64-v2"], "precision": "fp16", "portable": true, "winograd": false,
     "models": {"a.onnx": {"className": "A", "inputs": {"x": [1, [3, 4], "height", "?", "32..640"]}},
                "b.keras": {"compression": {"palettize": 4, "groupSize": 8, "skip": ["a*"]}}}}
    """,
    #"{"compression": {"quantize": "int4", "blockSize": 32, "asymmetric": true}}"#,
    """
    {"compression": {"config": {"config_type": "OpPalettizerConfig", "global_config": {"nbits": 4},
     "op_type_configs": {"gather": {"nbits": 8}}, "op_name_configs": {"/classifier/Gemm": null}}}}
    """,
  ]

  private static let options: [LabelOptions] = [["--ctc"], ["--top", "2"]].map {
    guard let options = try? LabelOptions.parse($0 + ["--labels", "metadata:classes"]) else { fatalError("\($0)") }
    return options
  }
}

// What the command alone reads.
@_silgen_name("mlc_fuzz_targets") func targets() -> [FuzzTarget] { [.settings, .labels] }

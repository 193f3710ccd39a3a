import Foundation
import Testing

/// `mlc compress`, and what the other commands make of its packages.
@Suite struct CompressTests {
  private let classifier = MLCProcess.fixture("classifier.onnx")

  private func compress(_ work: Workspace, _ options: String..., package: String = "c.mlpackage") throws -> MLCProcess {
    let arguments = ["compress", classifier, "-o", work.path(package), "--min-elements", "0", "--json"]
    return try MLCProcess(arguments: arguments + options)
  }

  @Test func reportsWhatBecameOfWeights() throws {
    let work = try Workspace()
    let run = try compress(work, "--quantize", "int8")
    try #require(run.status == 0, "\(run.errors)")
    let report = try run.json()
    let weights = try #require(report["weights"] as? [[String: Any]])
    #expect(weights.count == 1 && weights[0]["form"] as? String == "int8 per channel")
    #expect(weights[0]["bytes_before"] as? Int == 48 && weights[0]["bytes_after"] as? Int == 12 + 12)
    #expect((weights[0]["error"] as? Double ?? 1) < 0.01 && (weights[0]["worst_channel_error"] as? Double ?? 1) < 0.01)
    #expect(report["deployment_target"] as? String == "iOS16")
    let outputs = try #require(report["outputs"] as? [[String: Any]])
    #expect(outputs[0]["name"] as? String == "y" && (outputs[0]["snr_db"] as? Double ?? 0) > 30)
    let inspected = try MLCProcess("inspect", work.path("c.mlpackage"), "--json").json()
    let forms = try #require(inspected["compressed"] as? [[String: Any]])
    #expect(forms.count == 1 && forms[0]["form"] as? String == "constexpr_blockwise_shift_scale of int8")
    #expect(forms[0]["elements"] as? Int == 12 && forms[0]["bytes"] as? Int == 24)
    #expect(try MLCProcess("inspect", work.path("c.mlpackage")).output.contains("compressed weights"))
  }

  @Test func printsTheTableAndWarns() throws {
    let work = try Workspace()
    let arguments = ["compress", classifier, "-o", work.path("c.mlpackage"), "--min-elements", "0", "--palettize", "1"]
    let run = try MLCProcess(arguments: arguments)
    #expect(run.status == 0)
    for text in ["worst channel", "1-bit palette", "output 'y': SNR", "weights: 0.0 MB before"] {
      #expect(run.output.contains(text), "\(text)")
    }
    #expect(run.errors.contains("warning: 1 of 1 weight has an output channel with an error above 10 %"))
    let alone = try MLCProcess("compress", classifier, "-o", work.path("d.mlpackage"), "--palettize", "4")
    #expect(alone.output.contains("left alone, fewer than 2048 elements: weight"))
  }

  /// Compiled and interpreted, the compressed model gives the same.
  @Test(arguments: [
    ["--palettize", "4"], ["--palettize", "3", "--channel-scale"], ["--quantize", "int4", "--block-size", "2"],
    ["--prune", "0.5", "--quantize", "uint8", "--asymmetric"], ["--prune", "0.5", "--palettize", "2"], ["--fp16"],
  ])
  func compiledAndInterpretedAgree(_ options: [String]) throws {
    let work = try Workspace()
    let package = work.path("c.mlpackage")
    let made = try MLCProcess(
      arguments: ["compress", classifier, "-o", package, "--min-elements", "0"] + options
    )
    try #require(made.status == 0, "\(made.errors)")
    let verified = try MLCProcess("verify", package, "--target", "x86-64-v2")
    #expect(verified.status == 0, "\(verified.output)\(verified.errors)")
    let compiled = try MLCProcess("compile", package, "-o", work.path("c.mlmodelc"), "--target", "x86-64-v2")
    #expect(compiled.status == 0, "\(compiled.errors)")
    let inputs = MLCProcess.fixture("classifier.npz")
    #expect(try MLCProcess("predict", work.path("c.mlmodelc"), "--inputs", inputs, "--json").status == 0)
    #expect(try MLCProcess("predict", package, "--reference", "--inputs", inputs, "--json").status == 0)
  }

  @Test func configurations() throws {
    let work = try Workspace()
    let file = work.path("config.json")
    func forms(_ text: String) throws -> MLCProcess {
      try Data(text.utf8).write(to: URL(filePath: file))
      return try compress(work, "--config", file)
    }
    func form(_ text: String) throws -> String? {
      let weights = try forms(text).json()["weights"] as? [[String: Any]]
      return weights?.first?["form"] as? String
    }
    let global = #"{"config_type": "OpPalettizerConfig", "global_config": {"nbits": 4, "weight_threshold": 2}"#
    #expect(try form(global + "}") == "4-bit palette")
    let typed = global + #", "op_type_configs": {"linear": {"mode": "uniform", "nbits": 6, "weight_threshold": 2}}"#
    #expect(try form(typed + "}") == "6-bit uniform palette")
    #expect(try form(typed + #", "op_name_configs": {"Gemm_0": null}}"#) == nil)
    let list =
      #"[{"config_type": "OpMagnitudePrunerConfig", "#
      + #""global_config": {"target_sparsity": 0.5, "weight_threshold": 2}}, "#
    let integers = #"{"config_type": "OpLinearQuantizerConfig", "global_config": {"dtype": "uint8", "mode": "linear", "#
    #expect(
      try form(list + integers + #""granularity": "per_tensor", "weight_threshold": 2}}]"#)
        == "50 % pruned, uint8 asymmetric"
    )
    for (text, field) in [
      ("{}", "config_type"), ("[1]", "[0]"),
      (#"{"config_type": "X", "global_config": {}}"#, "global_config.config_type"),
      (#"{"config_type": "OpPalettizerConfig", "global_config": {"nbits": 5}}"#, "global_config.nbits"),
      (#"{"config_type": "OpPalettizerConfig", "global_config": {"nbits": 4, "cluster_dim": 2}}"#, "cluster_dim"),
      (#"{"config_type": "OpMagnitudePrunerConfig", "global_config": {"n_m_ratio": [2, 4]}}"#, "n_m_ratio"),
      (#"{"config_type": "OpLinearQuantizerConfig", "global_configs": {}}"#, "global_configs"),
    ] {
      let run = try forms(text)
      #expect(run.status == 2, "\(text)")
      #expect(try run.json()["id"] as? String == "compress.config")
      #expect(run.errors.contains(field), "\(run.errors)")
    }
  }

  @Test func refusesWhatDoesNotGoTogether() throws {
    let work = try Workspace()
    for options in [
      [], ["--palettize", "5"], ["--palettize", "4", "--quantize", "int8"], ["--quantize", "int16"], ["--prune", "2"],
      ["--palettize", "4", "--block-size", "8"], ["--quantize", "int8", "--per-tensor", "--per-channel"],
      ["--fp16", "--group-size", "2"], ["--quantize", "int8", "--channel-scale"], ["--palettize", "4", "--asymmetric"],
      ["--palettize", "4", "--group-size", "0"], ["--config", "x.json", "--palettize", "4"],
    ] {
      let run = try MLCProcess(arguments: ["compress", classifier, "-o", work.path("c.mlpackage"), "--json"] + options)
      #expect(run.status == 2, "\(options)")
      #expect(try run.json()["id"] as? String == "compress.option", "\(options)")
    }
    let old = try compress(work, "--quantize", "int4", "--minimum-deployment-target", "iOS17")
    #expect(old.status == 2)
    #expect(try old.json()["id"] as? String == "coreml.target")
    #expect(old.errors.contains("needs iOS18") && work.contents.isEmpty)
    let new = try compress(work, "--quantize", "int4")
    #expect(try new.json()["deployment_target"] as? String == "iOS18")
    for id in ["compress.option", "compress.config", "coreml.target", "constexpr.palette"] {
      #expect(try MLCProcess("explain", id).status == 0)
    }
  }
}

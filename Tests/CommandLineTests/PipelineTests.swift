import Foundation
import Testing

/// Each command on small models, end to end.
@Suite struct PipelineTests {
  private let classifier = MLCProcess.fixture("classifier.onnx")
  private let inputs = MLCProcess.fixture("classifier.npz")

  /// The classifier compiled for the plainest target, which every x86-64 machine runs.
  private func compiled(_ work: Workspace) throws -> String {
    let path = work.path("c.mlmodelc")
    let run = try MLCProcess("compile", classifier, "-o", path, "--target", "x86-64-v2")
    try #require(run.status == 0, "\(run.errors)")
    return path
  }

  @Test func compilesBesideTheModel() throws {
    let work = try Workspace()
    let run = try MLCProcess("compile", try work.copy("classifier.onnx"), "--target", "x86-64-v2,x86-64-v3")
    #expect(run.status == 0 && run.errors.isEmpty)
    #expect(run.output.contains("x86-64-v2") && run.output.contains("x86-64-v3") && run.output.contains("weights MB"))
    #expect(work.contents == ["classifier.mlmodelc", "classifier.onnx"])
  }

  @Test func compilesWithJSONAndSources() throws {
    let work = try Workspace()
    let run = try MLCProcess(
      "compile",
      classifier,
      "-o",
      work.path("c.mlmodelc"),
      "--target",
      "x86-64-v2",
      "--keep-sources",
      work.path("src"),
      "--json"
    )
    #expect(run.status == 0, "\(run.errors)")
    let report = try run.json()
    let targets = try #require(report["targets"] as? [[String: Any]])
    #expect(report["package"] as? String == work.path("c.mlmodelc"))
    #expect(targets.count == 1 && targets[0]["target"] as? String == "x86-64-v2")
    #expect((targets[0]["code_bytes"] as? Int ?? 0) > 0 && targets[0]["arena_bytes"] as? Int == 0)
    #expect(run.output.split(separator: "\n").count == 1)
    #expect(!(try FileManager.default.contentsOfDirectory(atPath: work.path("src/x86-64-v2"))).isEmpty)
  }

  @Test func inspectsModels() throws {
    let model = try MLCProcess("inspect", classifier, "--json").json()
    let input = try #require((model["inputs"] as? [[String: Any]])?.first)
    #expect(input["name"] as? String == "x" && input["dtype"] as? String == "fp32")
    #expect(input["shape"] as? [AnyHashable] == ["batch", 4])
    let output = try #require((model["outputs"] as? [[String: Any]])?.first)
    #expect(output["shape"] as? [AnyHashable] == ["batch", 3])
    #expect(model["parameters"] as? Int == 15)
    #expect((model["metadata"] as? [String: String])?["labels"] == "cat\ndog\nbird")
    let bound = try MLCProcess("inspect", classifier, "--input", "x=2,4", "--json").json()
    #expect((bound["inputs"] as? [[String: Any]])?.first?["shape"] as? [Int] == [2, 4])
    let text = try MLCProcess("inspect", classifier, "--text")
    #expect(text.output.hasPrefix("program {") && text.output.contains("Gemm_0"))
  }

  /// Sizes that a model takes in some combinations only, from its description to the prediction.
  @Test func enumeratedSizes() throws {
    let work = try Workspace()
    let model = MLCProcess.coreMLFixture("mil_enumerated.mlpackage")
    let said = try MLCProcess("inspect", model)
    #expect(said.output.contains("open sizes: x_d1 (8, 4 or 16)"), "\(said.output)")
    let package = work.path("e.mlmodelc")
    #expect(try MLCProcess("compile", model, "-o", package, "--target", "x86-64-v2").status == 0)
    let sizes = try MLCProcess("inspect", package, "--json").json()["enumerated_sizes"] as? [[String: Any]]
    #expect(sizes?.first?["choices"] as? [[Int]] == [[8], [4], [16]])
    let refused = try MLCProcess("bench", package, "--size", "x_d1=5")
    #expect(refused.status == 2 && refused.errors.contains("[size.range]"), "\(refused.errors)")
    let fixed = try MLCProcess("inspect", model, "--input", "x=1,4,8", "--json").json()
    #expect((fixed["inputs"] as? [[String: Any]])?.first?["shape"] as? [Int] == [1, 4, 8])
    #expect((fixed["enumerated_sizes"] as? [Any])?.isEmpty == true)
    for (file, shape) in [(model, "1,5,8"), (MLCProcess.coreMLFixture("mil_rangedim.mlpackage"), "1,65,8")] {
      let run = try MLCProcess("inspect", file, "--input", "x=\(shape)")
      #expect(run.status == 2 && run.errors.contains("[input.shape]"), "\(run.errors)")
    }
  }

  @Test func inspectsPackagesAndTensors() throws {
    let work = try Workspace()
    let package = try MLCProcess("inspect", try compiled(work), "--json").json()
    #expect((package["targets"] as? [[String: Any]])?.first?["name"] as? String == "x86-64-v2")
    #expect((package["inputs"] as? [[String: Any]])?.first?["shape"] as? [AnyHashable] == ["batch", 4])
    let tensors = try MLCProcess("inspect", inputs, "--json").json()
    let first = try #require((tensors["tensors"] as? [[String: Any]])?.first)
    #expect(first["name"] as? String == "x" && first["shape"] as? [Int] == [2, 4])
    #expect(
      try MLCProcess("inspect", MLCProcess.fixture("sets/test_data_set_0/input_0.pb")).output.contains("fp32[2, 4]")
    )
  }

  @Test func predictsWhatNumPySays() throws {
    let work = try Workspace()
    let package = try compiled(work)
    let answer = try MLCProcess("predict", package, "--inputs", inputs, "-o", work.path("out.npz"), "--json")
    #expect(answer.status == 0, "\(answer.errors)")
    let output = try #require((try answer.json()["outputs"] as? [[String: Any]])?.first)
    #expect(output["shape"] as? [Int] == [2, 3])
    let reference = try MLCProcess("predict", classifier, "--inputs", inputs, "--reference", "--json").json()
    let expected = try #require((reference["outputs"] as? [[String: Any]])?.first?["data"] as? [Double])
    let actual = try #require(output["data"] as? [Double])
    #expect(zip(expected, actual).allSatisfy { abs($0 - $1) < 1e-5 })
    let checked = try MLCProcess(
      "verify",
      classifier,
      package,
      "--inputs",
      inputs,
      "--expected",
      MLCProcess.fixture("classifier.expected.npz")
    )
    #expect(checked.status == 0, "\(checked.output)")
    #expect(work.contents.contains("out.npz"))
  }

  @Test func namesClasses() throws {
    let run = try MLCProcess(
      "predict",
      classifier,
      "--reference",
      "--inputs",
      inputs,
      "--labels",
      "metadata:labels",
      "--top",
      "2",
      "--json"
    )
    let rows = try #require(try run.json()["classes"] as? [[[String: Any]]])
    #expect(rows.count == 2 && rows.allSatisfy { $0.count == 2 })
    #expect(rows.joined().allSatisfy { ["cat", "dog", "bird"].contains($0["label"] as? String) })
    let missing = try MLCProcess("predict", classifier, "--reference", "--inputs", inputs, "--labels", "metadata:names")
    #expect(missing.status == 2 && missing.errors.contains("it has 'labels'"))
  }

  @Test func refusesInputsThatDoNotFit() throws {
    let misnamed = try MLCProcess(
      "predict",
      classifier,
      "--reference",
      "--inputs",
      MLCProcess.fixture("classifier.misnamed.npz")
    )
    #expect(misnamed.status == 2 && misnamed.errors.contains("no input 'z'; its inputs are 'x'"))
    let misshapen = try MLCProcess(
      "predict",
      classifier,
      "--reference",
      "--inputs",
      MLCProcess.fixture("classifier.misshapen.npz")
    )
    #expect(
      misshapen.status == 3 && misshapen.errors.contains("input 'x' is fp32[batch, 4], the tensor given is fp32[2, 3]")
    )
    let none = try MLCProcess("predict", classifier, "--reference")
    #expect(none.status == 2 && none.errors.contains("--input x=FILE"))
  }

  @Test func readsJSONInputs() throws {
    let work = try Workspace()
    try Data("[[1, 2, 3, 4]]".utf8).write(to: work.url.appending(path: "x.json"))
    let run = try MLCProcess("predict", classifier, "--reference", "--input", "x=\(work.path("x.json"))", "--json")
    #expect(run.status == 0 && run.errors.contains("converted from int64 to fp32"))
    #expect((try run.json()["outputs"] as? [[String: Any]])?.first?["shape"] as? [Int] == [1, 3])
  }

  @Test func verifiesEveryTarget() throws {
    let run = try MLCProcess("verify", MLCProcess.fixture("sum.onnx"), "--size", "n=5", "--json")
    #expect(run.status == 0, "\(run.errors)")
    let report = try run.json()
    #expect(report["passed"] as? Bool == true && report["sizes"] as? [[String: Int]] == [["n": 5]])
    let results = try #require(report["results"] as? [[String: Any]])
    let skipped = try #require(report["not_run"] as? [Any])
    let devices = try #require(try MLCProcess("devices", "--json").json()["devices"] as? [Any])
    #expect(results.count + skipped.count == devices.count && results.allSatisfy { $0["count"] as? Int == 5 })
  }

  @Test func verifiesTestDataSets() throws {
    let run = try MLCProcess(
      "verify",
      classifier,
      "--inputs",
      MLCProcess.fixture("sets"),
      "--target",
      "x86-64-v2",
      "--json"
    )
    #expect(run.status == 0, "\(run.errors)")
    let results = try #require(try run.json()["results"] as? [[String: Any]])
    #expect(Set(results.compactMap { $0["against"] as? String }) == ["reference", "expected"])
  }

  @Test func numbersThatDifferEndWith1() throws {
    let work = try Workspace()
    let report = work.path("report.html")
    let run = try MLCProcess(
      "verify",
      classifier,
      try compiled(work),
      "--inputs",
      inputs,
      "--expected",
      MLCProcess.fixture("classifier.wrong.npz"),
      "--report",
      report
    )
    #expect(run.status == 1 && run.errors.isEmpty && run.output.contains("FAIL"))
    let page = try String(contentsOfFile: report, encoding: .utf8)
    #expect(page.hasPrefix("<!DOCTYPE html>") && page.contains("Numbers differ."))
  }

  @Test func findsTheLayerThatIsOutOfTolerance() throws {
    let command = ["verify", MLCProcess.fixture("sum.onnx"), "--size", "n=4096", "--target", "x86-64-v2", "--layers"]
    let run = try MLCProcess(arguments: command + ["--rtol", "0", "--atol", "0", "--json"])
    #expect(run.status == 1, "\(run.errors)")
    let layers = try #require(try run.json()["layers"] as? [[String: Any]])
    // A sum is exact, so the hyperbolic tangent is what differs.
    #expect(layers.first?["node"] as? String == "Tanh_1" && layers.first?["op"] as? String == "Tanh")
    #expect(layers.first?["out_of_tolerance"] as? Bool == true)
    // As far off as a sound tangent may be, it is nothing to point at.
    let sound = try MLCProcess(arguments: command)
    #expect(sound.status == 0 && !sound.output.contains("the error jumps here"))
  }

  @Test func saysWhereFindingsComeFrom() throws {
    let work = try Workspace()
    let report = work.path("report.html")
    let command = [
      "verify", MLCProcess.fixture("sum.onnx"), "--seed", "7", "--target", "x86-64-v2", "--report", report,
    ]
    let environment = ["SOURCE_DATE_EPOCH": "86399"]
    let text = try MLCProcess(arguments: command, environment: environment).output
    let page = try String(contentsOfFile: report, encoding: .utf8)
    for fact in ["sum.onnx", "seed 7", "x86-64-v2", "mlc 0.1.0, 1970-01-01T23:59:59Z", "relative"] {
      #expect(text.contains(fact) && page.contains(fact), "\(fact)")
    }
    let json = try MLCProcess(arguments: command + ["--json"], environment: environment).json()
    #expect(json["date"] as? String == "1970-01-01T23:59:59Z" && json["seed"] as? Int == 7)
    #expect(json["mlc"] as? String == "0.1.0" && json["targets"] as? [String] == ["x86-64-v2"])
    #expect((json["tolerances"] as? [[String: Any]])?.first?["rtol"] as? Double ?? 0 > 0)
    let sets = MLCProcess.fixture("sets")
    let given = try MLCProcess("verify", classifier, "--inputs", sets, "--target", "x86-64-v2", "--json").json()
    #expect(given["inputs"] as? String == sets && given["seed"] is NSNull)
  }

  @Test func measures() throws {
    let work = try Workspace()
    let run = try MLCProcess(
      "bench",
      try compiled(work),
      "--iterations",
      "7",
      "--warmup",
      "0",
      "--threads",
      "1",
      "--ops",
      "--json"
    )
    #expect(run.status == 0, "\(run.errors)")
    let report = try run.json()
    #expect((report["ms"] as? [Double])?.count == 7 && (report["cpu_ms"] as? [Double])?.count == 7)
    for key in ["load_ms", "first_ms", "rss_peak_mb"] { #expect((report[key] as? Double ?? 0) > 0, "\(key)") }
    let steps = try #require(report["ops"] as? [[String: Any]])
    #expect(!steps.isEmpty)
    // What the plan estimates: a product of [1, 4] and [4, 3] with its bias and relu.
    #expect(steps.contains { $0["operators"] as? String == "Gemm, Relu" && ($0["operations"] as? Double ?? 0) >= 24 })
    #expect(steps.allSatisfy { ($0["bytes"] as? Double ?? 0) > 0 })
    #expect(steps.contains { $0["results"] as? [String] == ["fp32[1, 3]"] })
    let totals = try #require(report["totals"] as? [String: Any])
    let sums = ["us", "operations", "bytes"].map { key in steps.compactMap { $0[key] as? Double }.reduce(0, +) }
    for (key, sum) in zip(["us", "operations", "bytes"], sums) {
      #expect(abs((totals[key] as? Double ?? 0) - sum) <= sum / 1000, "\(key)")
    }
    let kinds = try #require(totals["kinds"] as? [[String: Any]])
    #expect(kinds.contains { $0["kind"] as? String == "matmul" })
    #expect(abs(kinds.compactMap { $0["time_share"] as? Double }.reduce(0, +) - 1) < 0.01)
    let machine = try #require(report["machine"] as? [String: Any])
    for key in ["fp32_gflops", "read_gb_per_s"] { #expect((machine[key] as? Double ?? 0) > 0, "\(key)") }
    #expect(steps.allSatisfy { $0["memory_share"] is Double })
    let raw = try MLCProcess("bench", classifier, "--iterations", "3", "--raw")
    let list = try JSONSerialization.jsonObject(with: Data(raw.output.utf8)) as? [Double]
    #expect(list?.count == 3)
  }

  @Test func ordersKernels() throws {
    let work = try Workspace()
    let package = try compiled(work)
    func steps(_ order: String) throws -> [(kernel: String, us: Double)] {
      let run = try MLCProcess("bench", package, "--iterations", "5", "--ops", "--json", "--order", order)
      let rows = try #require(try run.json()["ops"] as? [[String: Any]], "\(run.errors)")
      return rows.map { ($0["kernel"] as? String ?? "", $0["us"] as? Double ?? -1) }
    }
    let (slowest, inTurn) = (try steps("time"), try steps("execution"))
    #expect(zip(slowest, slowest.dropFirst()).allSatisfy { $0.us >= $1.us })
    #expect(slowest.map(\.kernel).sorted() == inTurn.map(\.kernel).sorted())
    #expect(try MLCProcess("bench", package, "--order", "size").status == 2)
  }

  @Test func measuresTwoInTurn() throws {
    let work = try Workspace()
    let package = try compiled(work)
    func contest(_ arguments: String...) throws -> [String: Any] {
      let run = try MLCProcess(arguments: ["bench"] + arguments + ["--iterations", "5", "--json"])
      return try #require(try run.json()["against"] as? [String: Any], "\(run.errors)")
    }
    let same = try contest(package, "--against", package)
    let (own, other) = (same["median_ms"] as? Double ?? 0, same["against_median_ms"] as? Double ?? 0)
    #expect(own > 0 && other > 0 && same["ratio"] is Double && same["fp16_is_slower"] as? Bool == false)
    let half = try contest(classifier, "--precision", "fp16", "--target", "x86-64-v2")
    let ratio = try #require(half["ratio"] as? Double)
    #expect(half["fp16_is_slower"] as? Bool == (ratio > 1.03))
  }

  /// What the command keeps of each prediction, 3.2 MB here, is not the model's memory.
  @Test func measuresTheModelsMemoryAlone() throws {
    let work = try Workspace()
    let package = try compiled(work)
    func peak(_ iterations: Int) throws -> Double {
      let run = try MLCProcess("bench", package, "--iterations", "\(iterations)", "--threads", "1", "--json")
      return try #require(try run.json()["rss_peak_mb"] as? Double)
    }
    let (few, many) = (try peak(10), try peak(200_000))
    #expect(abs(many - few) < 1.6, "\(few) MB, and \(many) MB for 200,000 predictions")
  }

  @Test func describesTheMachine() throws {
    let report = try MLCProcess("devices", "--json").json()
    let names = try #require(report["devices"] as? [[String: Any]]).compactMap { $0["name"] as? String }
    let catalog = try Data(contentsOf: MLCProcess.root.appending(path: "Specs/Devices.json"))
    let listed = try #require(try JSONSerialization.jsonObject(with: catalog) as? [[String: Any]])
    #expect(!names.isEmpty && names == listed.compactMap { $0["name"] as? String })
  }

  @Test func convertsToCoreMLAndBack() throws {
    let work = try Workspace()
    let package = work.path("classifier.mlpackage")
    let run = try MLCProcess("convert", try work.copy("classifier.onnx"), "--json")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try run.json()["package"] as? String == package)
    let mine = try MLCProcess("inspect", classifier, "--json").json()
    let theirs = try MLCProcess("inspect", package, "--json").json()
    for key in ["inputs", "outputs", "operators", "parameters"] {
      #expect(try MLCProcess.part(mine, key) == MLCProcess.part(theirs, key), "\(key)")
    }
    let verified = try MLCProcess("verify", package, "--input", "x=3,4", "--target", "x86-64-v2", "--json")
    #expect(verified.status == 0, "\(verified.errors)")
    let target = try MLCProcess("convert", classifier, "-o", package, "--minimum-deployment-target", "iOS3")
    #expect(target.status == 2 && target.errors.contains("iOS15"))
  }

  @Test func showsPasses() throws {
    let work = try Workspace()
    let run = try MLCProcess(
      "compile",
      classifier,
      "-o",
      work.path("c.mlmodelc"),
      "--target",
      "x86-64-v2",
      "--time-passes",
      "--json"
    )
    #expect(run.status == 0 && run.errors.contains("fold-constants"))
    #expect(try run.json()["package"] as? String == work.path("c.mlmodelc"))
    let unknown = try MLCProcess("compile", classifier, "-o", work.path("d.mlmodelc"), "--print-after", "frobnicate")
    #expect(unknown.status == 2 && unknown.errors.contains("fold-constants"))
  }

  /// The strategy that was chosen stands first, and costs least.
  @Test func explainsStrategies() throws {
    let work = try Workspace()
    let arguments = ["compile", classifier, "-o", work.path("c.mlmodelc"), "--target", "x86-64-v2", "--explain"]
    let run = try MLCProcess(arguments: arguments + ["--json"])
    let targets = try #require(try run.json()["targets"] as? [[String: Any]])
    let choices = try #require(targets[0]["choices"] as? [[String: Any]])
    #expect(!choices.isEmpty)
    for choice in choices {
      let candidates = try #require(choice["candidates"] as? [[String: Any]])
      let cycles = candidates.compactMap { $0["cycles"] as? Double }
      #expect(candidates[0]["cycles"] as? Double == cycles.min())
      #expect(candidates.count == cycles.count + candidates.count { $0["refused"] is String })
    }
    let text = try MLCProcess(arguments: arguments)
    #expect(text.status == 0 && text.output.contains("kcycles"))
  }

  @Test func streamsAreKeptApart() throws {
    let run = try MLCProcess(
      "verify",
      classifier,
      "--target",
      "x86-64-v2",
      "--no-cache",
      environment: ["NO_COLOR": "1"]
    )
    #expect(run.status == 0 && run.errors.isEmpty && !run.output.contains("\u{1b}"))
    let failed = try MLCProcess("predict", classifier, "--reference")
    #expect(failed.output.isEmpty && failed.errors.hasPrefix("mlc: error: "))
  }
}

/// A package with bf16 arithmetic for one target and fp32 for another is judged by what bf16 loses.
@Test func packagesKnowTheirArithmetic() throws {
  let work = try Workspace()
  let (model, package) = (try work.copy("classifier.onnx"), work.path("rounded.mlmodelc"))
  let targets = "x86-64-v2,x86-64-v4-bf16"
  let made = try MLCProcess("compile", model, "-o", package, "--target", targets, "--arithmetic", "bf16")
  #expect(made.status == 0 && made.errors.contains("code for x86-64-v2 multiplies fp32"), "\(made.errors)")
  #expect(try MLCProcess("inspect", package, "--json").json()["precision"] as? String == "bf16")
  let verified = try MLCProcess("verify", model, package, "--json")
  #expect(verified.status == 0, "\(verified.errors)")
  #expect(try verified.json()["precision"] as? String == "bf16")
}

/// fp16 arithmetic is for ARM, beside which others multiply fp32: `verify` here grants what it loses.
@Test func packagesKnowTheirSums() throws {
  let work = try Workspace()
  let (model, package) = (try work.copy("classifier.onnx"), work.path("halves.mlmodelc"))
  let targets = "x86-64-v2,armv8.2-a"
  let made = try MLCProcess("compile", model, "-o", package, "--target", targets, "--arithmetic", "fp16", "--json")
  #expect(made.status == 0 && made.errors.contains("code for x86-64-v2 multiplies fp32"), "\(made.errors)")
  #expect(try MLCProcess("inspect", package, "--json").json()["precision"] as? String == "fp16")
  let verified = try MLCProcess("verify", model, package, "--json")
  #expect(verified.status == 0, "\(verified.errors)")
}

/// A package says how it stores tensors, and `verify` judges it by that without being told.
@Test func packagesKnowTheirPrecision() throws {
  let work = try Workspace()
  let model = try work.copy("classifier.onnx")
  let (half, full) = (work.path("half.mlmodelc"), work.path("full.mlmodelc"))
  let made = try MLCProcess("compile", model, "-o", half, "--precision", "fp16", "--json")
  #expect(made.status == 0, "\(made.errors)")
  let report = try #require(try made.json()["half"] as? [String: Any])
  #expect(report["precision"] as? String == "fp16")
  let kept = try #require(report["kept_fp32"] as? [[String: Any]])
  #expect(kept.contains { $0["reason"] as? String == "output" })
  #expect(made.errors.contains("makes an output"))
  let inputs = try work.copy("classifier.npz")
  let tried = ["--precision", "fp16", "--inputs", inputs, "--json"]
  for command in [["compile", model, "-o", work.path("given.mlmodelc")], ["convert", model]] {
    let given = try MLCProcess(arguments: command + tried)
    #expect(given.status == 0, "\(given.errors)")
    let onInputs = try #require((try given.json()["half"] as? [String: Any])?["snr_db"] as? Double)
    #expect(onInputs != report["snr_db"] as? Double)
  }
  #expect(try MLCProcess("compile", model, "-o", full).status == 0)
  #expect(try MLCProcess("inspect", half, "--json").json()["precision"] as? String == "fp16")
  #expect(try MLCProcess("inspect", full, "--json").json()["precision"] as? String == "fp32")
  let wide = try MLCProcess("verify", model, half, "--json")
  #expect(wide.status == 0)
  #expect(try wide.json()["precision"] as? String == "fp16")
  func tolerance(_ run: MLCProcess) throws -> Double {
    try #require((try run.json()["results"] as? [[String: Any]])?.first?["rtol"] as? Double)
  }
  #expect(try tolerance(wide) > 100 * tolerance(try MLCProcess("verify", model, full, "--json")))
}

import ArgumentParser
import MLCCompiler
import MLCCore
import MLCGraph
import MLCPackage

struct Verify: Command {
  static let configuration = CommandConfiguration(
    abstract: "Compares every target that this machine runs with the reference interpreter.",
    discussion: """
      Examples:
        mlc verify model.onnx
        mlc verify model.onnx model.mlmodelc
        mlc verify model.onnx model.mlpackage
        mlc verify model.onnx --inputs test_data_set_0
        mlc verify model.onnx model.mlmodelc --inputs in.npz --expected out.npz --rtol 1e-3 --atol 1e-4
        mlc verify model.onnx --precision fp16
        mlc verify model.onnx --threads 1
        mlc verify model.onnx --size width=320 --layers --report report.html
        mlc verify --onnx-tests cases
        mlc verify --onnx-tests cases --target host

      The reference interprets the model as it is, without any optimisation. Without COMPILED the model is compiled \
      for every target that this machine runs; a source model in its place is interpreted. Without --inputs, inputs \
      are seeded random numbers, in every shape that the model enumerates; what is looked up in a table stays inside \
      it. Sizes are those that the other form takes. Tolerances follow from the element type that the package stores \
      tensors in and the longest sum of the model unless given. --precision is for verifying without COMPILED. Exit \
      code 1 says that numbers differ.

      --layers names the operation at which the error jumps: the first whose result is out of tolerance or, where none \
      is, one whose error, 10^(-SNR/20), is more than \(Int(LayerSearch.Layer.standOut)) times that of its operands. \
      Of two source models it compares the values that are called alike. \
      Reports say when they were made; SOURCE_DATE_EPOCH in the environment says it instead.

      --onnx-tests plays ONNX' backend tests: folders with a model.onnx and test_data_set_N folders, by the \
      interpreter or, with --target, as code. Tolerances are the suite's, 1e-3 and 1e-7, unless given, or a case's \
      data.json says others.
      """
  )

  @Argument(help: SourceFormat.argumentHelp, completion: .file()) var model: String?
  @Argument(help: "Its compiled package, or another source model that shall compute the same.", completion: .file())
  var compiled: String?
  @OptionGroup var bindings: BindingOptions
  @OptionGroup var custom: CustomLayerOptions
  @OptionGroup var targets: TargetOptions
  @OptionGroup var threads: ThreadOptions
  @OptionGroup var precision: PrecisionOption
  @OptionGroup(title: "Data") var data: SampleOptions
  @Option(help: "Relative tolerance.") var rtol: Double?
  @Option(help: "Absolute tolerance.") var atol: Double?
  @Option(help: ArgumentHelp("Play ONNX' backend tests instead.", valueName: "DIR"), completion: .directory)
  var onnxTests: String?
  @Flag(help: "Find the operation at which the error jumps, by its name in the model.") var layers = false
  @Option(help: ArgumentHelp("Write a report.", valueName: "OUT.html"), completion: .file()) var report: String?
  @OptionGroup var cache: CacheOptions
  @OptionGroup(title: "Compiled packages") var package: PackageOptions
  @OptionGroup(title: "Limits") var limits: BudgetOptions
  @OptionGroup var output: OutputOptions

  func validate() throws {
    if model == nil, onnxTests == nil { throw ValidationError("Missing expected argument '<model>'") }
  }

  func perform() throws(Diagnostic) -> Int32 {
    guard let model else { return try playONNXTests() }
    try check(model)
    if compiled == nil { try package.demands.refuse(model) }
    let (source, other) = try sources(model)
    let function = source.program.main
    let samples = try data.samples(for: function, memory: source.budget.memory)
    let (lowered, half) = compiled == nil ? try precision.applied(to: source) : (source, PrecisionSummary())
    let bench = try VerifyTargets(
      lowered,
      compiled: compiled,
      other: other,
      wanted: targets.names,
      threads: try threads.count(),
      demands: package.demands,
      cache: cache.cache
    )
    let longest = samples.sizes.map { function.longestReduction($0) }.max() ?? 1
    let tolerance = tolerance(longest, bench)
    let provenance = Provenance(model: model, data: samples.source)
    var summary = VerifySummary(
      provenance: provenance,
      samples: samples,
      longestReduction: longest,
      skipped: bench.skipped
    )
    (summary.precision, summary.half, summary.layersAreCompiled) = (bench.precision, half, bench.compilesLayers)
    let bar = ProgressBar()
    var verification = Verification(
      reference: Runnable.reference(source.program, budget: source.budget, exposesStates: true).executor,
      targets: bench.executors,
      outputNames: function.outputNames,
      tolerance: tolerance,
      expectedTolerance: expectedTolerance
    )
    verification.progress = { bar.show($0, $1) }
    defer { bar.clear() }
    for index in samples.indices { summary.results += try verification.results(try samples.sample(index)) }
    if layers {
      let first = try samples.sample(0)
      for target in bench.executors {
        let search = bench.search(first.inputs, on: target.name, tolerance: tolerance, bar: bar)
        let (layers, culprit) = try search.run()
        summary.layers.append(LayerFinding(target.name, search.function, layers: layers, culprit: culprit))
      }
    }
    bar.clear()
    if let report { try summary.writeHTML(to: report) }
    Console.result(output.json ? summary.json.line : summary.text)
    return summary.passed ? 0 : Diagnostic.Kind.mismatch.rawValue
  }

  /// The model, and the other source model that is compared, if it is one. Inputs have the sizes that the other form of
  /// the model takes unless `--input` says others.
  private func sources(_ model: String) throws(Diagnostic) -> (model: ModelSource, other: ModelSource?) {
    let (given, limits) = (try bindings.bindings(), try limits.limits())
    let custom = try custom.layers()
    let source = try ModelSource.load(model, inputs: given, custom: custom, limits: limits)
    guard let compiled else { return (source, nil) }
    let other = try PathKind(compiled) == .compiled ? nil : ModelSource.load(compiled, custom: custom, limits: limits)
    let form =
      if let other { other.program.main.interface } else { try PackageReader(path: compiled).functions[0] }
    try VerifyTargets.checkInterface(form, source.program.main, at: compiled)
    let restricted = given.isEmpty ? InputBinding.restricting(source.program.main.inputPorts, to: form) : [:]
    if restricted.isEmpty { return (source, other) }
    return (try ModelSource.load(model, inputs: restricted, custom: custom, limits: limits), other)
  }

  /// Refuses what is wrong whatever the model is.
  private func check(_ model: String) throws(Diagnostic) {
    if onnxTests != nil {
      throw Diagnostic("verify.onnx-tests", "--onnx-tests takes models of its own, not '\(model)'", kind: .usage)
    }
    _ = try (PathKind(model), bindings.bindings(), threads.count())
    if let compiled {
      try VerifyTargets.check(compiled)
    } else {
      try ModelSource.check(targets: targets.names ?? [], time: try limits.limits().time)
    }
    try data.check()
    if let report { try AtomicFile.check(report) }
  }

  /// The cases of `--onnx-tests`.
  private func playONNXTests() throws(Diagnostic) -> Int32 {
    guard data.inputs == nil, data.expected == nil, !layers, report == nil else {
      let message = "--onnx-tests has inputs of its own, and makes no report of layers or in HTML"
      throw Diagnostic("verify.onnx-tests", message, kind: .usage)
    }
    let folder = try BackendFolder(onnxTests ?? "")
    let (limits, asked) = (try limits.limits(), rtol != nil || atol != nil)
    let tolerance = asked ? Tolerance(relative: rtol ?? 0, absolute: atol ?? 0) : nil
    let bar = ProgressBar()
    defer { bar.clear() }
    var summary = BackendSummary()
    for (index, name) in folder.cases.enumerated() {
      bar.show(name, Double(index) / Double(folder.cases.count))
      summary.findings += folder.play(name, on: targets.names, limits, tolerance)
    }
    bar.clear()
    Console.result(output.json ? summary.json.line : summary.text)
    return summary.status
  }

  /// As the options say, the rest derived: outputs are as exact as the narrowest tensor before them.
  private func tolerance(_ longest: Int, _ bench: VerifyTargets) -> @Sendable (DType) -> Tolerance {
    let (rtol, atol, stored, sumsHalves) = (rtol, atol, bench.precision, bench.sumsHalves)
    return { dtype in
      let isNarrower = dtype.isFloat && (stored?.bitWidth ?? 64) < dtype.bitWidth
      var result = Tolerance.derived(
        dtype: isNarrower ? stored ?? dtype : dtype,
        longestReduction: longest,
        sumsHalves: sumsHalves
      )
      if rtol != nil || atol != nil { result = Tolerance(relative: rtol ?? 0, absolute: atol ?? 0) }
      return result
    }
  }

  /// Other implementations round elsewhere: 10⁻³ and 10⁻⁴ unless options say so; integers are equal.
  private var expectedTolerance: @Sendable (DType) -> Tolerance {
    let (rtol, atol) = (rtol, atol)
    return { dtype in dtype.isFloat ? Tolerance(relative: rtol ?? 1e-3, absolute: atol ?? 1e-4) : .exact }
  }
}

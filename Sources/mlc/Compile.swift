import ArgumentParser
import MLCCompiler
import MLCCore
import MLCFormatCoreML
import MLCGraph
import MLCPasses

struct Compile: Command {
  static let configuration = CommandConfiguration(
    abstract: "Writes native code for the targets you name.",
    discussion: """
      Examples:
        mlc compile model.onnx
        mlc compile model.onnx -o model.mlmodelc --target x86-64-v2,x86-64-v3,x86-64-v4
        mlc compile model.onnx --precision fp16 --inputs test_data_set_0
        mlc compile model.onnx --target x86-64-v3,x86-64-v4-bf16 --arithmetic bf16
        mlc compile model.onnx --portable
        mlc compile model.onnx --input x=1,3,224,224 --keep-sources generated
        mlc compile model.onnx --trainable 'fc.*' --loss cross-entropy --optimizer adam

      Without -o the package stands beside the model. Code for several targets goes into one package; the best that \
      the CPU supports is chosen when it is loaded. The C compiler is the one that MLC_CC names, else clang, else cc.
      """
  )

  @Argument(help: "A source model, or a package made with --portable.", completion: .file()) var model: String
  @Option(name: .shortAndLong, help: ArgumentHelp("Where the package goes.", valueName: "OUT.mlmodelc")) var out:
    String?
  @OptionGroup var bindings: BindingOptions
  @OptionGroup var custom: CustomLayerOptions
  @OptionGroup var targets: TargetOptions
  @OptionGroup var precision: PrecisionOption
  @OptionGroup var samples: PrecisionInputs
  @Option(
    help: ArgumentHelp(
      "Multiply fp32, or bf16 or fp16 where a target has instructions for that: factors of products are rounded; "
        + "sums stay fp32, of fp16 after some steps.",
      valueName: "fp32|fp16|bf16"
    )
  )
  var arithmetic = Arithmetic.fp32
  @Flag(
    help: ArgumentHelp(
      "Put the program and code for every processor of the architecture into the package, so that a machine that "
        + "has mlc compiles it for itself."
    )
  )
  var portable = false
  @Flag(
    inversion: .prefixedNo,
    help: ArgumentHelp(
      "Compute 3×3 convolutions by Winograd's algorithm where that is faster: their weights take two to four times "
        + "the memory. A package made with --no-winograd is compiled so again unless --winograd is given."
    )
  )
  var winograd: Bool?
  @Option(
    help: ArgumentHelp("Keep the generated C here, one folder a target.", valueName: "DIR"),
    completion: .directory
  )
  var keepSources: String?
  @Option(
    help: ArgumentHelp(
      "The most elements of a tensor whose extents the data alone decides, and nothing in the model bounds "
        + "(268435456). Memory is taken as it is used.",
      valueName: "N"
    )
  )
  var sizeLimit: Int?
  @Option(help: ArgumentHelp("Print the program after each run of this pass that changed it.", valueName: "PASS"))
  var printAfter: String?
  @Flag(help: "Show what each pass did and how long it took.") var timePasses = false
  @Flag(
    help: ArgumentHelp(
      "Show by what strategy each product of tensors is computed, the cycles that it is expected to take, and what "
        + "the others would, or why they are not possible."
    )
  )
  var explain = false
  @OptionGroup var measurements: DeviceFileOption
  @OptionGroup(title: "Models that learn where they run") var learning: UpdatableOptions
  @OptionGroup(title: "A package made with --portable") var package: PackageOptions
  @OptionGroup(title: "Limits") var limits: BudgetOptions
  @OptionGroup var output: OutputOptions

  func perform() throws(Diagnostic) -> Int32 {
    if let sizeLimit, !(1...1 << 33).contains(sizeLimit) {
      throw Diagnostic("size.range", "--size-limit \(sizeLimit) is not from 1 to \(1 << 33)", kind: .usage)
    }
    if let printAfter { try Compile.checkPass(printAfter) }
    let path = out ?? ModelSource.sibling(of: model, "mlmodelc")
    let names = targets.names ?? ["host"]
    let limits = try limits.limits()
    let custom = try custom.layers()
    let request = try learning.request(precision.precision)
    _ = try (PathKind(model), bindings.bindings())
    try request?.check(model)
    try ModelSource.check(
      compilingTo: path,
      targets: names,
      arithmetic: arithmetic,
      keepSources: keepSources,
      time: limits.time
    )
    try samples.check(precision.precision)
    let tuning = try measurements.tuning(for: names)
    let loaded = try load(request, custom, limits)
    let (source, summary) = try precision.applied(to: loaded, inputs: samples)
    let report = try source.compile(to: path, targets: names) { options in
      options.keepSources = keepSources
      (options.isPortable, options.tuning) = (portable, tuning)
      if let winograd { options.usesWinograd = winograd }
      options.factors = arithmetic.factors
      if let sizeLimit { options.sizeLimit = sizeLimit }
      guard let printAfter else { return }
      options.passes.afterPass = { pass, function in
        // Not a result: those stay readable for programs.
        guard pass == printAfter else { return }
        let program = ProgramText(Program([function])).text
        Console.error(ConsoleText(document: "// after \(pass)\n\(program)"))
      }
    }
    for remark in report.remarks { Console.error(ConsoleText(remark)) }
    if timePasses { Console.error(report.passTable) }
    if explain, !output.json {
      for target in report.targets { Console.result(StrategyChoices(target).text + "\n") }
    }
    Console.result(output.json ? report.json(path, summary, explain: explain).line : report.text(path))
    return 0
  }

  /// The model, which learns as `request` asks, or as it says itself.
  private func load(
    _ request: UpdatableRequest?,
    _ custom: CustomLayers,
    _ limits: Limits
  ) throws(Diagnostic) -> ModelSource {
    let loaded = try ModelSource.load(
      model,
      inputs: try bindings.bindings(),
      custom: custom,
      updatable: request == nil && learning.updatable != false && precision.precision == .fp32,
      limits: limits,
      demands: package.demands
    )
    if let request { return try request.applied(to: loaded) }
    if learning.updatable == true, loaded.program.learning == nil {
      return try UpdatableRequest().applied(to: loaded)
    }
    return loaded
  }
}

extension Compile {
  /// Throws `pass.unknown` with the names there are.
  private static func checkPass(_ name: String) throws(Diagnostic) {
    let known = PassPipeline.names
    if known.contains(name) { return }
    throw Diagnostic(
      "pass.unknown",
      "there is no pass '\(name)'; there are \(known.joined(separator: ", "))",
      kind: .usage
    )
  }
}

extension CompileReport {
  fileprivate var passTable: ConsoleText {
    var table = Table(["pass", "runs", "removed", "added", "ms"], right: [1, 2, 3, 4])
    for entry in passes.flatMap({ $0.entries }) {
      let (removed, added) = ("\(entry.change.removed)", "\(entry.change.added)")
      table.add([entry.name, "\(entry.runs)", removed, added, (entry.seconds * 1000).fixed(1)])
    }
    return table.text
  }

  fileprivate func text(_ path: String) -> ConsoleText { table + "\ndigest \(packageDigest)\n\(path)" }

  private var table: ConsoleText {
    var table = Table(
      ["target", "steps", "kernels", "code KB", "weights MB", "adds MB", "arena MB", "seconds"],
      right: [1, 2, 3, 4, 5, 6, 7]
    )
    for target in targets {
      table.add([
        target.device, "\(target.steps)", "\(target.kernels)", target.codeBytes.kilobytes, target.weightBytes.megabytes,
        target.addedBytes.megabytes, target.arenaBytes.map { $0.megabytes } ?? "varies", target.seconds.fixed(1),
      ])
    }
    return table.text
  }

  fileprivate func json(_ path: String, _ summary: PrecisionSummary, explain: Bool) -> JSON {
    let rows: [JSON] = targets.map { target in
      let choices: [String: JSON] = explain ? ["choices": StrategyChoices(target).json] : [:]
      return .object(
        [
          "target": .string(target.device), "steps": .integer(target.steps), "kernels": .integer(target.kernels),
          "code_bytes": .integer(target.codeBytes), "weight_bytes": .integer(target.weightBytes),
          "added_bytes": .integer(target.addedBytes),
          "arena_bytes": target.arenaBytes.map { .integer($0) } ?? .null, "seconds": .rounded(target.seconds, 3),
        ].merging(choices) { $1 }
      )
    }
    return .object([
      "package": .string(path), "digest": .string(packageDigest), "targets": .array(rows), "half": summary.json,
    ])
  }
}

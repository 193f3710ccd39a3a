import ArgumentParser
import MLCCore
import MLCFormatCoreML
import MLCGraph
import MLCPasses

struct Convert: Command {
  static let configuration = CommandConfiguration(
    abstract: "Writes a Core ML package.",
    discussion: """
      Examples:
        mlc convert model.onnx
        mlc convert model.onnx -o model.mlpackage --input x=1,3,224,224
        mlc convert model.onnx --input x=1,3,48,32..1280 --strict
        mlc convert model.onnx --input 'x=1,3,{224,320},{224,320}' --minimum-deployment-target iOS17
        mlc convert model.onnx --precision fp16
        mlc convert net.onnx --image-input x=rgb,scale=0.017,bias=-2.1:-2.0:-1.8 --classes labels.txt \
      --metadata author=Me --metadata license=MIT
        mlc convert encode.onnx --function decode=decode.onnx -o both.mlpackage
        mlc convert features.onnx --then head.mlpackage -o pipeline.mlpackage

      Without -o the package stands beside the model. What is computed from constants alone is written as a constant. \
      What Apple's loader would refuse is listed; mlc reads such a package all the same. With --strict none is written.

      --function makes a package of several functions, which share equal weights. --then makes a pipeline: each model \
      takes, by name, what the caller or a model before it gives. Core ML models that no ML Program says, such as \
      trees, are written as they were read: --metadata is all that changes them.
      """
  )

  @Argument(help: SourceFormat.argumentHelp, completion: .file()) var model: String
  @Option(name: .shortAndLong, help: ArgumentHelp("Where the package goes.", valueName: "OUT.mlpackage")) var out:
    String?
  @OptionGroup(title: "Interface") var interface: InterfaceOptions
  @Option(help: ArgumentHelp("One more function of the package, from another model.", valueName: "NAME=FILE"))
  var function: [String] = []
  @Option(help: ArgumentHelp("A model that takes what those before it give.", valueName: "FILE"), completion: .file())
  var then: [String] = []
  @OptionGroup var bindings: BindingOptions
  @OptionGroup var custom: CustomLayerOptions
  @OptionGroup var precision: PrecisionOption
  @OptionGroup var samples: PrecisionInputs
  @OptionGroup var deployment: DeploymentOptions
  @OptionGroup(title: "Limits") var limits: BudgetOptions
  @OptionGroup var output: OutputOptions

  func perform() throws(Diagnostic) -> Int32 {
    let custom = try custom.layers()
    _ = try (PathKind(model), bindings.bindings())
    let path = out ?? ModelSource.sibling(of: model, SourceFormat.coreML.suffixes[0])
    try CoreMLOutput.check(path, of: model, deployment)
    try samples.check(precision.precision)
    try interface.check()
    let others = try ConvertedParts(functions: function, pipeline: then)
    let limits = try limits.limits()
    var loaded = try ModelSource.load(model, inputs: try bindings.bindings(), custom: custom, limits: limits)
    loaded.program = try interface.applied(to: loaded.program)
    try others.addFunctions(to: &loaded.program, custom, limits)
    var parts = [try prepared(loaded)]
    for file in others.pipeline {
      parts.append(try prepared(try ModelSource.load(file, custom: custom, limits: limits)))
    }
    try checkOptions(parts)
    let report = try CoreMLOutput.write(parts.map { $0.part }, to: path, deployment)
    loaded.budget.report()
    let summaries = parts.map { $0.summary }
    Console.result(output.json ? report.json(path, summaries).line : report.text(path))
    return 0
  }

  /// Core ML wants constants where exporters leave computations of them.
  private func prepared(_ source: ModelSource) throws(Diagnostic) -> (part: CoreMLPart, summary: PrecisionSummary) {
    if let kept = try source.keptPart() { return (kept, PrecisionSummary()) }
    var source = source
    for index in source.program.functions.indices {
      try PassPipeline([]).run(&source.program.functions[index], options: source.passOptions)
    }
    let result = try precision.applied(to: source, inputs: samples, passes: .portable)
    return (result.source.part, result.summary)
  }

  /// Throws `convert.kept` where options would change a model that is written as it was read.
  private func checkOptions(_ parts: [(part: CoreMLPart, summary: PrecisionSummary)]) throws(Diagnostic) {
    for (place, (part, _)) in parts.enumerated() {
      guard case .kept(let model) = part.content else { continue }
      var given = precision.precision == .fp32 ? [] : ["--precision"]
      if place == 0 {
        given += [("--input", bindings.inputs), ("--function", function)].filter { !$1.isEmpty }.map { $0.0 }
        given += interface.givenBeyondMetadata
      }
      guard let option = given.first else { continue }
      let reason = "'\(part.name)' is written as it was read, since no ML Program says \(model.kind)"
      throw Diagnostic("convert.kept", "\(option): \(reason)", kind: .usage)
    }
  }
}

extension ModelSource {
  var part: CoreMLPart { CoreMLPart(Self.stem(of: path), program) }

  /// A Core ML model that no ML Program says, with the metadata that the program has now; else `nil`.
  fileprivate func keptPart() throws(Diagnostic) -> CoreMLPart? {
    guard case .source(.coreML) = try PathKind(path), var model = try KeptModel(path) else { return nil }
    model.metadata = program.metadata
    return CoreMLPart(Self.stem(of: path), model)
  }
}

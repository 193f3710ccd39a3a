import ArgumentParser
import MLCCore
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

      Without -o the package stands beside the model. What is computed from constants alone is written as a constant. \
      What Apple's loader would refuse is listed; mlc reads such a package all the same. With --strict none is written.
      """
  )

  @Argument(help: SourceFormat.argumentHelp, completion: .file()) var model: String
  @Option(name: .shortAndLong, help: ArgumentHelp("Where the package goes.", valueName: "OUT.mlpackage")) var out:
    String?
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
    var loaded = try ModelSource.load(
      model,
      inputs: try bindings.bindings(),
      custom: custom,
      limits: try limits.limits()
    )
    // Core ML wants constants where exporters leave computations of them.
    for index in loaded.program.functions.indices {
      try PassPipeline([]).run(&loaded.program.functions[index], options: loaded.passOptions)
    }
    let (source, summary) = try precision.applied(to: loaded, inputs: samples, passes: .portable)
    let report = try CoreMLOutput.write(source.program, to: path, deployment)
    source.budget.report()
    Console.result(output.json ? report.json(path, summary).line : report.text(path))
    return 0
  }
}

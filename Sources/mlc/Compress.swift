import ArgumentParser
import MLCCore
import MLCGraph
import MLCPackage
import MLCPasses

struct Compress: Command {
  static let configuration = CommandConfiguration(
    abstract: "Stores weights in fewer bits.",
    discussion: """
      Examples:
        mlc compress model.onnx -o model.mlpackage --palettize 4
        mlc compress model.onnx -o model.mlpackage --palettize 4 --group-size 16 --channel-scale
        mlc compress model.onnx -o model.mlpackage --quantize int8
        mlc compress model.onnx -o model.mlpackage --quantize int4 --block-size 32 --skip 'lm_head*'
        mlc compress model.onnx -o model.mlpackage --prune 0.5 --palettize 6 --minimum-deployment-target iOS18
        mlc compress model.mlpackage -o small.mlpackage --config config.json --inputs in.npz

      Weights of convolutions, linear layers, products of matrices, tables and recurrent layers become Core ML's \
      compressed constants, after batch norms and the like are folded into them. Ends with a table: for each weight \
      its form, stored bits, sizes, relative error, and the error of its worst output channel; then how far the \
      model's outputs moved, as the reference interpreter computes them on seeded inputs or those given.

      A configuration file holds what coremltools' OptimizationConfig.from_dict takes, or a list of them that are \
      applied in turn: op_name_configs before op_type_configs before global_config; null leaves alone.
      """
  )

  @Argument(help: SourceFormat.argumentHelp, completion: .file()) var model: String
  @Option(name: .shortAndLong, help: ArgumentHelp("Where the package goes.", valueName: "OUT.mlpackage")) var out:
    String?
  @OptionGroup(title: "Form") var form: CompressionOptions
  @OptionGroup(title: "Selection") var selection: SelectionOptions
  @OptionGroup var bindings: BindingOptions
  @OptionGroup var precision: PrecisionOption
  @OptionGroup var deployment: DeploymentOptions
  @OptionGroup(title: "Data") var data: ComparisonInputs
  @OptionGroup(title: "Limits") var limits: BudgetOptions
  @OptionGroup var output: OutputOptions

  func perform() throws(Diagnostic) -> Int32 {
    let plan = try form.request(selection).plan()
    _ = try (PathKind(model), bindings.bindings())
    let path = out ?? ModelSource.sibling(of: model, SourceFormat.coreML.suffixes[0])
    try CoreMLOutput.check(path, of: model, deployment)
    try data.check()
    let source = try ModelSource.load(model, inputs: try bindings.bindings(), limits: try limits.limits())
    let bar = ProgressBar()
    defer { bar.clear() }
    let compressed = try source.compressed(by: plan, precision: precision.precision, showing: bar, upTo: 0.7)
    let program = compressed.source.program
    bar.show("writing", 0.75)
    let package = try CoreMLOutput.write([compressed.source.part], to: path, deployment)
    bar.show("comparing outputs", 0.8)
    let outputs = try OutputFidelity(
      original: source.program.main,
      compressed: program.main,
      inputs: data,
      budget: source.budget
    )
    bar.clear()
    let summary = CompressionSummary(
      path: path,
      reports: compressed.reports,
      half: compressed.half,
      package: package,
      outputs: outputs
    )
    Console.result(output.json ? summary.json.line : summary.text)
    if let warning = summary.warning { Console.error("mlc: warning: \(warning)") }
    return 0
  }
}

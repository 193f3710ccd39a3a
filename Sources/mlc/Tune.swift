import ArgumentParser
import MLCCompiler
import MLCCore
import MLCKernels

struct Tune: Command {
  static let configuration = CommandConfiguration(
    abstract: "Measures on this machine how to compute a model's products of tensors.",
    discussion: """
      Examples:
        mlc tune model.onnx -o here.json
        mlc tune portable.mlmodelc --time 30s --report
        mlc compile model.onnx --device-file here.json

      Compiles the model once for each candidate (strategies, and the tiles that they divide work into) and measures \
      every kernel in turn with that of the best one by estimates. What 'mlc compile --device-file' then compiles \
      takes the fastest, wherever the same product was measured. Nothing else should run meanwhile.
      """
  )

  @Argument(help: "A source model, or a package made with --portable.", completion: .file()) var model: String
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Where measurements go; DEVICE.json if not given.", valueName: "FILE.json")
  )
  var out: String?
  @OptionGroup var bindings: BindingOptions
  @OptionGroup var sizes: SizeOptions
  @Option(help: ArgumentHelp("Measure code for this device, which this machine can run.", valueName: "NAME"))
  var target: String?
  @Option(help: ArgumentHelp("Threads that compute while measuring.", valueName: "N")) var threads = 1
  @Option(help: ArgumentHelp("Predictions that each candidate is measured in.", valueName: "N")) var iterations = 15
  @Option(
    help: ArgumentHelp("Begin no further candidate after this time: 30s, 5m (10m).", valueName: "DURATION")
  )
  var time: String?
  @Flag(help: "Show every candidate with what it was expected to take, and how well estimates order them.")
  var report = false
  @OptionGroup(title: "Limits") var limits: BudgetOptions
  @OptionGroup var output: OutputOptions

  func perform() throws(Diagnostic) -> Int32 {
    guard (1...10_000).contains(iterations), threads > 0 else {
      throw Diagnostic("bench.count", "--iterations and --threads take numbers above 0", kind: .usage)
    }
    var longest = Duration.seconds(600)
    if let time {
      guard let wanted = Limits.duration(time) else {
        throw Diagnostic("limit.syntax", "--time \(time): write \(Limits.timeForm)", kind: .usage)
      }
      longest = wanted
    }
    let device = try DeviceSet([target ?? "host"]).devices[0].name
    let path = out ?? "\(device).json"
    try AtomicFile.check(path)
    let sizes = try sizes.byName()
    try ModelSource.check(targets: [device], time: try limits.limits().time)
    let source = try ModelSource.load(model, inputs: try bindings.bindings(), limits: try limits.limits())
    let tuner = Tuner(
      source: source,
      device: device,
      threads: threads,
      sizes: sizes,
      iterations: iterations,
      time: longest
    )
    let result = try tuner.run()
    let file = DeviceFile(
      tool: "mlc \(MLC.version)",
      device: device,
      cpu: Processor.name,
      threads: threads,
      measured: result.tuning.measured
    )
    try AtomicFile.write(file.json.text, to: path)
    if output.json {
      Console.result(JSON.object(result.json.merging(["file": .string(path)]) { $1 }).line)
    } else {
      Console.result(result.text(all: report) + "\n\(path)")
    }
    return 0
  }
}

import ArgumentParser
import MLCCore
import MLCPackage
import MLCRuntime

struct Plan: Command {
  static let configuration = CommandConfiguration(
    abstract: "Shows where each operation or layer runs, and its share of the cost.",
    discussion: """
      Examples:
        mlc plan model.mlpackage
        mlc plan model.onnx --target x86-64-v4
        mlc plan model.mlmodelc --function decode --json

      Costs are estimates from the operations on numbers and the bytes of memory that each kernel needs, at the least \
      sizes that the model allows; 'mlc bench --ops' measures. A kernel computes several operations where those were \
      fused. An operation without a kernel is constant, was left out, or only says otherwise what another computes.
      """
  )

  @Argument(help: "A compiled package, or a source model.", completion: .file()) var model: String
  @Option(
    help: ArgumentHelp("The device whose code is looked at; it need not be this machine.", valueName: "NAME"),
    completion: .target
  )
  var target: String?
  @Option(help: ArgumentHelp("The function, if not the default one.", valueName: "NAME")) var function: String?
  @OptionGroup var cache: CacheOptions
  @OptionGroup(title: "Compiled packages") var package: PackageOptions
  @OptionGroup(title: "Limits, for a source model") var limits: BudgetOptions
  @OptionGroup var output: OutputOptions

  func perform() throws(Diagnostic) -> Int32 {
    let bounds = try limits.limits()
    var path = model
    var compiled: CompiledSource?
    if try PathKind(model) != .compiled {
      try package.demands.refuse(model)
      let targets = [target ?? "host"]
      try ModelSource.check(targets: targets, time: bounds.time)
      let made = try CompiledSource(try ModelSource.load(model, limits: bounds), targets: targets, cache: cache.cache)
      (path, compiled) = (made.path, made)
    }
    defer { withExtendedLifetime(compiled) {} }
    var options = Model.Options()
    (options.device, options.function) = (compiled == nil ? target : nil, function)
    package.demands.apply(to: &options)
    if compiled != nil { options.device = try PackageReader.manifest(at: path).targets.last?.name }
    let plan = try Model.plan(path: path, drivers: try DeviceFamily.drivers(threads: nil), options: options)
    Console.result(output.json ? plan.report.line : plan.text)
    return 0
  }
}

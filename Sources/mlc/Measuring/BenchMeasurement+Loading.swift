import MLCCompiler
import MLCCore
import MLCGraph
import MLCPackage
import MLCRuntime

extension BenchMeasurement {
  func load(
    _ drivers: [any Driver],
    profiles: Bool
  ) throws(Diagnostic) -> (model: Model, preparation: Preparation) {
    var options = Model.Options()
    (options.device, options.profiles) = (target, profiles)
    // Each that runs at a time has a context of its own.
    if let concurrency { options.contexts = max(options.contexts, concurrency) }
    demands.apply(to: &options)
    let (model, preparation, _) = try Model.prepared(path: path, drivers: drivers, options: options, cache: cache)
    return (model, preparation)
  }

  /// From the archive, or drawn.
  func inputs(
    _ interface: FunctionInterface
  ) throws(Diagnostic) -> ([Tensor], [(name: String, value: Int)]) {
    if let archive { return (try InputFiles(archive: archive).tensors(for: interface.withStatesAsPorts), []) }
    // What the package says of its inputs is all that drawing them takes: a function without operations.
    var function = Function(interface.name)
    let held = Set(interface.parameters.map { $0.input })
    for (place, port) in interface.inputs.enumerated() where !held.contains(place) {
      _ = function.addInput(port.name, port.type)
    }
    for symbol in interface.callerSymbols { function.bounds[symbol.name] = symbol.range }
    function.enumerations = interface.enumerations
    let choice = try SizeChoice(function, wanted: sizes)
    return (try InputGenerator(function, sizes: choice.byName, seed: seed).inputs(), choice.sizes)
  }

  /// Loads the model again and makes its first prediction, which may be what first reads the weights: up to five times,
  /// as often as a second is enough for, each time once `isReady` says so. `nil` where it does not.
  func reload(
    _ drivers: [any Driver],
    _ inputs: [Tensor],
    after isReady: () -> Bool
  ) throws(Diagnostic) -> BenchReport.Reload? {
    let clock = ContinuousClock()
    let begin = clock.now
    var (loads, firsts): ([Double], [Double]) = ([], [])
    while true {
      guard isReady() else { return nil }
      let start = clock.now
      let (model, preparation) = try load(drivers, profiles: false)
      let loaded = clock.now
      _ = try model.predict(inputs)
      let end = clock.now
      loads.append((loaded - start).milliseconds)
      firsts.append((end - loaded).milliseconds)
      if loads.count < 5, end - begin < .seconds(1) { continue }
      return BenchReport.Reload(
        preparation: preparation,
        loadMilliseconds: loads.quantile(0.5),
        firstMilliseconds: firsts.quantile(0.5)
      )
    }
  }
}

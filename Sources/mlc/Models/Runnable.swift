import MLCCompiler
import MLCCore
import MLCGraph
import MLCPackage
import MLCRuntime

/// A model that can be run: a compiled package, a source model compiled for the occasion, or the reference interpreter.
struct Runnable {
  let interface: FunctionInterface
  let metadata: [String: String]
  let executor: Executor
  var inputs: [FunctionInterface.Port] { interface.callerInputs }
  var outputs: [FunctionInterface.Port] { interface.callerOutputs }

  /// The compiled package at `path`, which must be what `demands` say. States begin with zeros each time, unless
  /// `exposesStates` makes them inputs and outputs.
  static func compiled(
    _ path: String,
    target: String? = nil,
    threads: Int? = nil,
    demands: PackageDemands = PackageDemands(),
    exposesStates: Bool = false,
    keeping folder: Temporary? = nil
  ) throws(Diagnostic) -> Runnable {
    var options = Model.Options()
    options.device = target
    demands.apply(to: &options)
    let drivers = try DeviceFamily.drivers(threads: threads)
    let (model, preparation, _) = try Model.prepared(path: path, drivers: drivers, options: options) {
      Console.note("\(path): prepare and cache for \($0)")
    }
    if case .baseline = preparation { Console.note("\(path): \(preparation.message)") }
    let interface = exposesStates ? model.interface.withStatesAsPorts : model.interface
    let executor = Executor(model.selection.device) { [interface] (inputs) throws(Diagnostic) in
      // The package's files stay until the last run is done.
      defer { withExtendedLifetime(folder) {} }
      return interface.withoutStates(try model.predict(interface.withZeroStates(inputs)))
    }
    return Runnable(
      interface: interface,
      metadata: model.manifest.metadata,
      executor: executor
    )
  }

  /// `path` whatever it is: source models are compiled for `target`, or this machine, and kept in `cache`.
  static func load(
    _ path: String,
    target: String? = nil,
    threads: Int? = nil,
    limits: Limits = .init(),
    demands: PackageDemands = PackageDemands(),
    cache: PackageCache? = nil
  ) throws(Diagnostic) -> Runnable {
    if try PathKind(path) == .compiled {
      return try compiled(path, target: target, threads: threads, demands: demands)
    }
    try demands.refuse(path)
    return try compiled(try ModelSource.load(path, limits: limits), target: target, threads: threads, cache: cache)
  }

  /// A source model, compiled for this machine or for the device called `target`.
  static func compiled(_ source: ModelSource, target: String? = nil, threads: Int? = nil, cache: PackageCache? = nil)
    throws(Diagnostic) -> Runnable
  {
    let package = try CompiledSource(source, targets: [target ?? "host"], cache: cache)
    return try compiled(package.path, threads: threads, keeping: package.folder)
  }

  /// The reference interpreter on `program`.
  static func reference(_ program: Program, budget: Budget, exposesStates: Bool = false) -> Runnable {
    let interpreter = Interpreter(program.main, budget: budget)
    let interface = exposesStates ? program.main.interface.withStatesAsPorts : program.main.interface
    return Runnable(
      interface: interface,
      metadata: Dictionary(program.metadata.map { ($0.key, $0.value) }) { first, _ in first },
      executor: Executor("reference") { [interface] (inputs) throws(Diagnostic) in
        interface.withoutStates(try interpreter.run(interface.withZeroStates(inputs)))
      }
    )
  }
}

extension FunctionInterface {
  /// The same with all ports as the caller's.
  var withStatesAsPorts: FunctionInterface {
    var result = self
    result.states = []
    return result
  }

  /// A caller's tensors with zeros for the states, in the function's order.
  fileprivate func withZeroStates(_ tensors: [Tensor]) -> [Tensor] {
    if states.isEmpty { return tensors }
    var rest = tensors.makeIterator()
    return inputs.indices.compactMap { place in
      guard states.contains(where: { $0.input == place }) else { return rest.next() }
      let shape = inputs[place].type.shape.map { $0.constant ?? 0 }
      return .zeros(inputs[place].type.dtype, shape)
    }
  }

  /// What of the function's results is the caller's.
  fileprivate func withoutStates(_ tensors: [Tensor]) -> [Tensor] {
    tensors.indices.filter { place in !states.contains { $0.output == place } }.map { tensors[$0] }
  }
}

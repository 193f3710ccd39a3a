import MLCCore
import MLCPackage

/// One function of a compiled package, loaded. Predictions may run on many threads at once.
package final class Model: Sendable {
  package struct Options: Sendable {
    /// The function; the package's first when `nil`.
    package var function: String?
    /// The device whose code runs; the most capable that fits when `nil`.
    package var device: String?
    /// Reads every file of the package and compares it with its digest, whatever `memory` holds.
    package var verifiesDigests = false
    /// Long files that it knows are not read again for their digests; with `nil` what is loaded is read each time.
    package var memory: DigestMemory?
    /// The digest that the package must have; any when `nil`.
    package var expectedDigest: String?
    /// What the model has learnt since the package was written, by the names of parameters.
    package var parameters: [String: Tensor] = [:]
    /// Measures each step.
    package var profiles = false
    /// How many predictions run at once; further ones wait. Each takes a context, which stays ready after its run.
    package var contexts = 4

    package init() {}
  }

  /// Where the package lies that its code is from.
  package let path: String
  package let manifest: Manifest
  package let interface: FunctionInterface
  package let selection: Selection
  private let executable: any Executable
  /// The numbers of the states that the code can change in place.
  package let statesInPlace: [Int]
  private let parameters: Parameters
  private let binder: ShapeBinder
  private let options: Options
  private let contexts: BoundedPool<Context>
  private let profiles: Guarded<[StepProfile]>

  init(
    _ package: PackageReader,
    _ interface: FunctionInterface,
    _ selection: Selection,
    _ executable: any Executable,
    statesInPlace: [Int],
    _ options: Options
  ) throws(Diagnostic) {
    (path, manifest) = (package.path, package.manifest)
    (self.interface, self.selection) = (interface, selection)
    (self.executable, self.statesInPlace, self.options) = (executable, statesInPlace, options)
    parameters = try Parameters(package, interface, options.parameters)
    binder = try ShapeBinder(interface)
    contexts = BoundedPool(limit: max(1, options.contexts))
    profiles = Guarded(executable.steps.map { StepProfile(step: $0, runs: 0, nanoseconds: 0) })
    if interface.symbols.isEmpty { makeFirstContext() }
  }

  /// The same code and weights with what was learnt, by the names of parameters.
  package func learning(_ learnt: [String: Tensor]) -> Model { Model(self, learnt) }

  private init(_ other: Model, _ learnt: [String: Tensor]) {
    (path, manifest) = (other.path, other.manifest)
    (interface, selection) = (other.interface, other.selection)
    (executable, statesInPlace) = (other.executable, other.statesInPlace)
    (options, binder) = (other.options, other.binder)
    parameters = other.parameters.replacing(learnt)
    contexts = BoundedPool(limit: max(1, other.options.contexts))
    profiles = Guarded(executable.steps.map { StepProfile(step: $0, runs: 0, nanoseconds: 0) })
  }

  /// One tensor for each output. Throws `runtime.input-…` for inputs that do not fit, `runtime.output-shape` and
  /// `runtime.too-large` for sizes that the model cannot have, and `runtime.index`, `.division` or `.size` for data
  /// that a step cannot take.
  package func predict(_ inputs: [Tensor]) throws(Diagnostic) -> [Tensor] {
    try withContext(for: inputs) { (context, inputs) throws(Diagnostic) in
      try context.predict(inputs).compactMap { $0 }
    }
  }

  /// `predict` of a function with states: `inputs` and the answer are the others of its inputs and outputs, in order,
  /// and `states`, in theirs, hold what they hold afterwards. A state that the code changes in place keeps its memory
  /// where no other tensor has it. Where this throws, `states` may be partly those before and partly those after.
  package func update(_ inputs: [Tensor], _ states: inout [Tensor]) throws(Diagnostic) -> [Tensor] {
    precondition(states.count == interface.states.count, "\(interface.states.count) states, \(states.count) given")
    var given: [Int: UnsafeMutableRawPointer] = [:]
    for number in statesInPlace { given[interface.states[number].output] = states[number].ownMemory() }
    let hidden = Set(interface.parameters.map { $0.input })
    var (all, rest) = ([Tensor](), inputs.makeIterator())
    for place in interface.inputs.indices where !hidden.contains(place) {
      let state = interface.states.firstIndex { $0.input == place }
      if let tensor = state.map({ states[$0] }) ?? rest.next() { all.append(tensor) }
    }
    var results = try withContext(for: all) { (context, inputs) throws(Diagnostic) in
      try context.predict(inputs, given: given)
    }
    for (number, state) in interface.states.enumerated() {
      if let result = results[state.output] { states[number] = result }
      results[state.output] = nil
    }
    return results.compactMap { $0 }
  }

  /// `predict`, into memory of the caller's, each as long as `outputByteCounts` says; answers the shapes. What lies
  /// behind a shape's elements is unspecified.
  package func predict(
    _ inputs: [Tensor],
    into outputs: [UnsafeMutableRawBufferPointer]
  ) throws(Diagnostic) -> [[Int]] {
    try withContext(for: inputs) { (context, inputs) throws(Diagnostic) in
      try context.predict(inputs, into: outputs)
    }
  }

  /// Bytes that each output may take for inputs like these.
  package func outputByteCounts(for inputs: [Tensor]) throws(Diagnostic) -> [Int] {
    try withContext(for: inputs, counting: false) { (context, _) in context.outputByteCounts }
  }

  /// Bytes of temporaries that one run on inputs like these needs.
  package func arenaBytes(for inputs: [Tensor]) throws(Diagnostic) -> Int {
    try withContext(for: inputs, counting: false) { (context, _) in context.arenaBytes }
  }

  /// What each step took so far; zeros unless `Options.profiles`.
  package var profile: [StepProfile] { profiles.withLock { $0 } }
}

// MARK: Contexts

extension Model {
  /// Runs `body` with a context that is ready for `inputs` and nobody else's: a prediction, if it counts.
  private func withContext<R>(
    for inputs: [Tensor],
    counting: Bool = true,
    _ body: (Context, [Tensor]) throws(Diagnostic) -> R
  ) throws(Diagnostic) -> R {
    let start = counting ? Trace.begin() : nil
    var finish: UInt64?
    defer { Trace.end("predict", start, at: finish, [("function", interface.name)]) }
    let inputs = parameters.completing(inputs)
    let sizes = try binder.bind(inputs)
    let context = try contexts.take(orMake: try makeContext()) { $0.sizes == sizes }
    do throws(Diagnostic) { try context.bind(sizes) } catch {
      contexts.drop()
      throw error
    }
    defer { contexts.giveBack(context) }
    let began = counting ? Trace.begin() : nil
    let result = try body(context, inputs)
    if counting {
      // Writing of kernels takes no part of the prediction.
      finish = Trace.begin()
      if options.profiles { count(context) }
      Trace.end(executable.steps, context.nanoseconds, on: selection.device, began)
    }
    return result
  }

  /// The memory of the first prediction, where no input decides its sizes. What stands against it is told when a
  /// prediction meets it.
  private func makeFirstContext() {
    guard let context = try? contexts.take(orMake: try makeContext(), where: { _ in true }) else { return }
    do throws(Diagnostic) {
      try context.bind([])
      contexts.giveBack(context)
    } catch { contexts.drop() }
  }

  private func makeContext() throws(Diagnostic) -> Context {
    try Context(interface, executable, profiling: options.profiles || Trace.isOn)
  }

  private func count(_ context: Context) {
    profiles.withLock { profiles in
      for (step, nanoseconds) in context.nanoseconds.enumerated() where profiles.indices.contains(step) {
        profiles[step].runs += 1
        profiles[step].nanoseconds &+= nanoseconds
      }
    }
  }
}

import MLCCompiler
import MLCCore
import MLCGraph
import MLCKernels
import MLCPackage
import MLCRuntime

/// The compiled forms of a model that this machine can run, ready to be compared.
struct VerifyTargets {
  private let source: ModelSource
  private let threads: Int?
  /// The other source model that is compared, if it is one.
  private let other: ModelSource?
  let executors: [Executor]
  /// Targets that cannot run here, and why.
  let skipped: [(target: String, reason: String)]
  /// Whether a search through the layers compiles them.
  var compilesLayers: Bool { other == nil }
  /// The narrowest floating-point type that the package stores tensors in; `nil` where it does not say.
  let precision: DType?
  /// Whether some of the package's products have sums that begin as float16.
  let sumsHalves: Bool

  /// Those of the package at `compiled`, or `other`, the source model that is there, interpreted; without one, those of
  /// a package made for the occasion. They work on `threads` threads, `nil` for all cores. Throws `verify.no-target`
  /// when none runs here.
  init(
    _ source: ModelSource,
    compiled: String?,
    other: ModelSource? = nil,
    wanted: [String]?,
    threads: Int?,
    demands: PackageDemands,
    cache: PackageCache?
  ) throws(Diagnostic) {
    (self.source, self.threads, self.other) = (source, threads, other)
    if let other {
      (executors, skipped) = ([VerifyTargets.interpreted(other, like: source.program.main)], [])
      (precision, sumsHalves) = (other.program.narrowestStoredFloat, false)
      return
    }
    let devices = try CatalogDevice.all()
    var skipped: [(target: String, reason: String)] = []
    var folder: Temporary?
    let path: String
    if let compiled {
      try VerifyTargets.check(compiled)
      path = compiled
    } else {
      let known = try DeviceSet(wanted ?? devices.map { $0.description.name }).devices.map { $0.name }
      let runnable = known.filter { name in devices.first { $0.description.name == name }?.obstacle == nil }
      for device in devices {
        if let obstacle = device.obstacle, known.contains(device.description.name) {
          skipped.append((device.description.name, obstacle))
        }
      }
      guard !runnable.isEmpty else { throw VerifyTargets.none(skipped) }
      let made = try CompiledSource(source, targets: runnable, cache: cache)
      (path, folder) = (made.path, made.folder)
    }
    let found = try VerifyTargets.load(path, folder, wanted: wanted, threads: threads, demands: demands)
    executors = found.executors
    self.skipped = skipped + found.skipped
    if executors.isEmpty { throw VerifyTargets.none(self.skipped) }
    let package = try PackageReader(path: path)
    precision = package.manifest.precision
    sumsHalves = try VerifyTargets.factors(package).contains(.float16)
  }

  /// What the package's products round their factors to, or multiply.
  private static func factors(_ package: PackageReader) throws(Diagnostic) -> Set<DType> {
    var found: Set<DType> = []
    for segment in package.manifest.targets.flatMap({ $0.code.flatMap { $0.segments } }) {
      found.formUnion(try package.plan(segment).steps.compactMap { $0.factors })
    }
    return found
  }

  /// Throws `format.unknown` for what is neither a compiled package nor a source model.
  static func check(_ compiled: String) throws(Diagnostic) {
    guard try PathKind(compiled) == .other else { return }
    let accepted = SourceFormat.allCases.map { $0.name }.joined(separator: " or ")
    let message = "'\(compiled)' is neither a compiled package (.mlmodelc) nor \(accepted)"
    throw Diagnostic("format.unknown", message)
  }

  /// The reference interpreter on another form of `function`, named after its file: inputs are taken and outputs given
  /// in the element types of `function`, outputs in its order where both call them alike.
  private static func interpreted(_ other: ModelSource, like function: Function) -> Executor {
    let reference = Runnable.reference(other.program, budget: other.budget, exposesStates: true).executor
    let inputs = other.program.main.inputPorts.map { $0.type.dtype }
    let outputs = function.outputPorts.map { $0.type.dtype }
    let name = other.path.split(separator: "/").last.map { String($0) } ?? other.path
    let theirs = other.program.main.outputNames.map(Function.spelling)
    let places = function.outputNames.compactMap { theirs.firstIndex(of: Function.spelling($0)) }
    let isPermutation = Set(places).count == theirs.count && places.count == theirs.count
    return Executor(name) { (tensors) throws(Diagnostic) in
      let results = try reference.run(converted(tensors, to: inputs))
      return converted(isPermutation ? places.map { results[$0] } : results, to: outputs)
    }
  }

  /// `tensors` in these element types, texts as they are.
  private static func converted(_ tensors: [Tensor], to dtypes: [DType]) -> [Tensor] {
    zip(tensors, dtypes).map { tensor, dtype in
      tensor.dtype == dtype || tensor.dtype == .string || dtype == .string ? tensor : tensor.converted(to: dtype)
    }
  }

  private static func load(
    _ path: String,
    _ folder: Temporary?,
    wanted: [String]?,
    threads: Int?,
    demands: PackageDemands
  ) throws(Diagnostic) -> (executors: [Executor], skipped: [(target: String, reason: String)]) {
    var executors: [Executor] = []
    var skipped: [(target: String, reason: String)] = []
    let host = try DeviceSet(["host"]).devices.first?.name
    for target in try PackageReader(path: path).manifest.targets {
      let name = target.device.name
      if let wanted, !wanted.contains(name), !(wanted.contains("host") && name == host) { continue }
      do throws(Diagnostic) {
        executors.append(
          try Runnable.compiled(
            path,
            target: name,
            threads: threads,
            demands: demands,
            exposesStates: true,
            keeping: folder
          ).executor
        )
      } catch {
        guard error.id == "runtime.no-target" else { throw error }
        let lead = "\(name): "
        let note = error.notes.first { $0.hasPrefix(lead) }
        skipped.append((name, note.map { String($0.dropFirst(lead.count)) } ?? error.message))
      }
    }
    return (executors, skipped)
  }

  private static func none(_ skipped: [(target: String, reason: String)]) -> Diagnostic {
    Diagnostic(
      "verify.no-target",
      "none of the targets runs on this machine",
      kind: .unsupported,
      notes: skipped.map { "\($0.target): \($0.reason)" }
    )
  }

  /// Throws `verify.interface` where `other`, the interface of what is at `path`, is that of another model.
  static func checkInterface(
    _ other: FunctionInterface,
    _ function: Function,
    at path: String
  ) throws(Diagnostic) {
    // What was learnt is a constant of the one and a parameter of the other.
    let (mine, theirs) = (function.interface.withStatesAsPorts.callerInputs, other.withStatesAsPorts.callerInputs)
    guard mine.map({ $0.name }) == theirs.map({ $0.name }), function.outputNames.count == other.outputs.count else {
      throw Diagnostic(
        "verify.interface",
        "this is another model: its inputs are \(quotedList(theirs.map { $0.name })), the model's "
          + quotedList(mine.map { $0.name }),
        kind: .usage,
        at: Location(file: path)
      )
    }
  }

  /// The search for the operation at which the other source model departs from the reference on `inputs`: by the values
  /// that are called alike in both.
  private func search(_ inputs: [Tensor], in other: ModelSource, tolerance: @escaping @Sendable (DType) -> Tolerance)
    -> LayerSearch
  {
    let function = other.program.main
    let (mine, theirs) = (source.program.main.namedValues, function.namedValues)
    let dtypes = function.inputPorts.map { $0.type.dtype }
    var search = LayerSearch(source.program.main, inputs: inputs, tolerance: tolerance) { (part) throws(Diagnostic) in
      let values = part.outputNames.compactMap { theirs[Function.spelling($0)] }
      let interpreter = Interpreter(function.truncated(to: values), budget: other.budget)
      return Executor("other") { (tensors) throws(Diagnostic) in
        try interpreter.run(Self.converted(tensors, to: dtypes))
      }
    }
    search.isCandidate = { value in
      let name = Function.spelling(value.name)
      guard mine[name] != nil, let twin = theirs[name] else { return false }
      let (own, shape) = (value.fact.type.shape, function.type(twin).shape)
      return function.type(twin).dtype.isFloat && own.count == shape.count
        && zip(own, shape).allSatisfy { $0 == $1 || $0.constant == nil || $1.constant == nil }
    }
    return search
  }

  /// The search for the operation at which `target` departs from the reference on `inputs`.
  func search(
    _ inputs: [Tensor],
    on target: String,
    tolerance: @escaping @Sendable (DType) -> Tolerance,
    bar: ProgressBar
  ) -> LayerSearch {
    if let other {
      var search = self.search(inputs, in: other, tolerance: tolerance)
      search.progress = { bar.show("layers, \($0)", $1) }
      return search
    }
    var search = LayerSearch(source.program.main, inputs: inputs, tolerance: tolerance) {
      [source, threads] (part) throws(Diagnostic) in
      let folder = try Temporary()
      let path = "\(folder.path)/part.mlmodelc"
      var layers = source
      layers.program = Program([part])
      _ = try layers.compile(to: path, targets: [target])
      return try Runnable.compiled(path, target: target, threads: threads, exposesStates: true, keeping: folder)
        .executor
    }
    search.progress = { bar.show("layers on \(target), \($0)", $1) }
    return search
  }
}

extension Function {
  /// A name as formats agree on it: one that takes letters and digits alone has `_` for all others.
  fileprivate static func spelling(_ name: String) -> String {
    String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
  }

  /// What the outermost operations compute by such a name, where it is the name of one value alone.
  fileprivate var namedValues: [String: ValueID] {
    var found: [String: ValueID?] = [:]
    for value in body.operations.flatMap(\.outputs) {
      let name = Function.spelling(self[value].name)
      found[name] = .some(found[name] == nil ? value : nil)
    }
    return found.compactMapValues { $0 }
  }
}

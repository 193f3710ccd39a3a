import Foundation
import MLCCore
import MLCFormatCoreML
import MLCGraph
import MLCOps
import MLCPackage
import MLCTraining

/// A source model, read.
struct ModelSource {
  let path: String
  var program: Program
  /// What everything that is done with the model may take.
  let budget: Budget
  /// Whether the package that carries it was made without convolutions whose filters are transformed.
  var avoidsWinograd = false

  /// Reads `path` with these shapes bound and custom layers that mean what `custom` says; `demands` are for a compiled
  /// package. What a model learns where it runs are parameters where `updatable`, with the functions that updates call.
  ///
  /// Throws `file.missing`, `format.unknown` and `format.compiled` for what is no source model, `input.dtype` when a
  /// binding names another element type than the model, `graph.repeated-name` for two inputs or outputs of one name,
  /// `graph.long-name` for one of over 1024 bytes, and what the format's reader throws, `budget.memory` and
  /// `budget.time` among it.
  static func load(
    _ path: String,
    inputs: [String: InputBinding] = [:],
    custom: CustomLayers = CustomLayers(),
    updatable: Bool = false,
    limits: Limits = .init(),
    demands: PackageDemands = PackageDemands()
  ) throws(Diagnostic) -> ModelSource {
    let kind = try PathKind(path)
    let budget = limits.budget(for: path)
    if kind != .compiled { try demands.refuse(path) }
    var bindings: [String: TensorType] = [:]
    for (name, input) in inputs { bindings[name] = TensorType(input.dtype ?? .float32, input.shape) }
    var program: Program
    var avoidsWinograd = false
    switch kind {
    case .source(let format):
      program = try format.read(path, bindings: bindings, custom: custom, updatable: updatable, budget: budget)
    case .compiled:
      guard let carried = try carriedProgram(path, demands) else { throw refusal(path, kind) }
      program = try (updatable ? carried.program : carried.program.withConstantParameters()).bound(to: bindings)
      avoidsWinograd = carried.avoidsWinograd
    case .other: throw refusal(path, kind)
    }
    if updatable { program = try program.withLearning() }
    try checkNames(of: program, path)
    for note in program.notes { Console.note("\(path): \(note)") }
    for input in program.main.inputs {
      let (name, type) = (program.main[input].name, program.main.type(input))
      guard let wanted = inputs[name]?.dtype, wanted != type.dtype else { continue }
      throw Diagnostic(
        "input.dtype",
        "--input \(name): the model takes \(type.dtype.rawValue), not \(wanted.rawValue)",
        kind: .usage
      )
    }
    program = program.from(file: path)
    try program.main.restrict(to: inputs)
    budget.found(modelBytes: program.constantBytes - budget.constantBytes)
    try locating(Location(file: path)) { () throws(Diagnostic) in try budget.checkTime() }
    return ModelSource(path: path, program: program, budget: budget, avoidsWinograd: avoidsWinograd)
  }

  /// Throws `graph.long-name` and `graph.repeated-name`.
  static func checkNames(of program: Program, _ path: String) throws(Diagnostic) {
    for function in program.functions {
      let interface = function.interface
      if let long = interface.names.first(where: { $0.utf8.count > 1024 }) {
        let name = "'\(long.shown(60))', a name of a function, input, output, state or open size,"
        let message = "\(name) has \(long.utf8.count) bytes; 1024 are the most"
        throw Diagnostic("graph.long-name", message, at: Location(file: path))
      }
      guard let twice = interface.repeatedName else { continue }
      throw Diagnostic("graph.repeated-name", twice, at: Location(file: path, function: function.name))
    }
  }

  /// The program that a compiled package carries; `nil` when it carries none.
  private static func carriedProgram(
    _ path: String,
    _ demands: PackageDemands
  ) throws(Diagnostic) -> (program: Program, avoidsWinograd: Bool)? {
    let package = try PackageReader(path: path)
    if let digest = demands.digest { try package.require(digest: digest) }
    if demands.checksFiles { try package.verifyDigests() }
    guard let text = try package.program() else { return nil }
    var program = try locating(Location(file: path)) { () throws(Diagnostic) in
      try ProgramText(text: text, blobs: try package.constants()).program { OperatorSet.named($0) }
    }
    if let learning = try package.learning() {
      program.learning = LearningSource(learning, forward: program.main, target: .sample)
      let learnt = try package.parameters()
      for place in program.main.parameters.indices {
        let name = program.main.parameters[place].name
        if let tensor = learnt.first(where: { $0.name == name })?.tensor {
          program.main.parameters[place].contents = tensor
        }
      }
    }
    if package.manifest.structure != nil { program.structure = try package.structure() }
    return (program, package.manifest.avoidsWinograd)
  }

  /// Why `path` is no source model, and what would be.
  private static func refusal(_ path: String, _ kind: PathKind) -> Diagnostic {
    let accepted = SourceFormat.allCases.map { $0.name }.joined(separator: " or ")
    if kind == .compiled {
      return Diagnostic(
        "format.compiled",
        "'\(path)' is a compiled package without its program; this needs its source, \(accepted), or a package made "
          + "with --portable",
        kind: .usage
      )
    }
    return Diagnostic("format.unknown", "'\(path)' is no model that mlc reads: give \(accepted)")
  }

  /// SHA-256 of the file; empty for a folder.
  var digest: String {
    if let manifest = try? PackageReader.manifest(at: path) { return manifest.source }
    guard let file = try? MappedFile(path: path) else { return "" }
    return withExtendedLifetime(file) { SHA256.hexDigest(file.bytes) }
  }

  /// The file's name without folder and suffix.
  static func stem(of path: String) -> String { URL(filePath: path).deletingPathExtension().lastPathComponent }

  /// `path` with another suffix: where results go by default.
  static func sibling(of path: String, _ suffix: String) -> String {
    URL(filePath: path).deletingPathExtension().appendingPathExtension(suffix).relativePath
  }
}

extension Function {
  /// The inputs as a caller sees them.
  var inputPorts: [FunctionInterface.Port] { inputs.map { .init(self[$0].name, type($0)) } }
  /// Everything that a caller sees and does not see.
  var interface: FunctionInterface {
    FunctionInterface(
      name,
      inputs: inputPorts,
      outputs: outputPorts,
      symbols: openSizes.map { .init($0, range: bounds[$0]) },
      enumerations: enumerations,
      states: states.map { .init($0.name, input: $0.input, output: $0.output) },
      parameters: parameters.map { .init($0.name, input: $0.input) },
      features: features
    )
  }
  /// Names of the sizes that the inputs leave open, as they come.
  private var openSizes: [String] {
    inputs.flatMap { type($0).shape }.reduce(into: []) { names, dim in
      names += dim.symbols.sorted().filter { !names.contains($0) }
    }
  }
  var outputPorts: [FunctionInterface.Port] { zip(outputNames, outputs).map { .init($0, type($1)) } }
}

extension FunctionInterface {
  /// Every name that whoever calls the function spells.
  fileprivate var names: [String] {
    [name] + inputs.map { $0.name } + outputs.map { $0.name } + states.map { $0.name } + symbols.map { $0.name }
  }
}

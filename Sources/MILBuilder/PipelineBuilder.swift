import MLCCore
import MLCFormatCoreML
import MLCGraph

/// Models that run one behind the other: each takes, by name, what the caller or a model before it gives.
///
/// ```swift
/// let pipeline = PipelineBuilder()
/// try pipeline.model("preparation", program)
/// try pipeline.model("classifier", contentsOf: "trees.mlmodel")
/// try pipeline.write(to: path)
/// ```
public final class PipelineBuilder {
  private var parts: [CoreMLPart] = []
  /// Author, description, license, version, and keys of your own; those of the first model where there are none.
  public var metadata: [String: String] = [:]

  public init() {}

  /// Adds a program of one function. Throws for a name that there is.
  public func model(
    _ name: String,
    _ program: ProgramBuilder,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) {
    try add(CoreMLPart(name, try program.program((file, line))), CallSite(file: file, line: line))
  }

  /// Adds a Core ML model, a package or a lone `.mlmodel`; what no ML Program says, such as trees, as it is. Throws for
  /// a name that there is, and for what cannot be read.
  public func model(
    _ name: String,
    contentsOf path: String,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) {
    let call = CallSite(file: file, line: line)
    let part: CoreMLPart
    do throws(Diagnostic) {
      if let kept = try KeptModel(path) {
        part = CoreMLPart(name, kept)
      } else {
        part = CoreMLPart(name, try CoreMLPackage.read(path))
      }
    } catch { throw BuildError(error, call) }
    try add(part, call)
  }

  /// Writes a package, whole or not at all. What Apple's loader would refuse, a sentence each, is the result; mlc reads
  /// such a package all the same.
  @discardableResult
  public func write(
    to path: String,
    minimumDeploymentTarget target: ProgramBuilder.DeploymentTarget? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> [String] {
    let call = CallSite(file: file, line: line)
    guard var first = parts.first else { throw call.problem("coreml.pipeline", "the pipeline has no model") }
    if !metadata.isEmpty { first.metadata = metadata.sorted { $0.key < $1.key }.map { (key: $0.key, value: $0.value) } }
    let options = CoreMLWriteOptions(minimumDeploymentTarget: target.flatMap { .init($0.rawValue) })
    do throws(Diagnostic) {
      return try CoreMLPackage.write(pipeline: [first] + parts.dropFirst(), to: path, options: options).sentences
    } catch { throw BuildError(error, call) }
  }

  private func add(_ part: CoreMLPart, _ call: CallSite) throws(BuildError) {
    guard !part.name.isEmpty, !parts.contains(where: { $0.name == part.name }) else {
      throw call.problem("graph.repeated-name", "two models are called '\(part.name)', or one has no name")
    }
    parts.append(part)
  }
}

extension CoreMLReport {
  /// What Apple's loader would refuse, a sentence each.
  var sentences: [String] {
    refusals.map { "\($0.op) (\($0.nodes.joined(separator: ", "))): \($0.reason); \($0.advice)" }
  }
}

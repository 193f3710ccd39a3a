import MLCCore
import MLCFormatCoreML
import MLCGraph

/// An ML Program, built in Swift.
///
/// ```swift
/// let program = ProgramBuilder()
/// try program.function { f in
///   let x = try f.input("x", shape: [1, 3, 32, 32])
///   let y = try f.relu(x: f.conv(x: x, weight: weights, strides: [2, 2], pad_type: "same"))
///   try f.output("y", y)
/// }
/// try program.write(to: path)
/// ```
public final class ProgramBuilder {
  package private(set) var functions: [Function] = []
  /// Author, description, license, version, and keys of your own.
  public var metadata: [String: String] = [:]

  /// The oldest system that shall load a package.
  public enum DeploymentTarget: String, Sendable, CaseIterable { case iOS15, iOS16, iOS17, iOS18 }

  public init() {}

  /// Adds a function; the first one is the main one. Throws a `BuildError` of the call that is wrong.
  public func function(
    _ name: String = "main",
    file: String = #filePath,
    line: Int = #line,
    _ body: (FunctionBuilder) throws -> Void
  ) throws {
    let call = CallSite(file: file, line: line)
    guard !name.isEmpty, !functions.contains(where: { $0.name == name }) else {
      throw call.problem("graph.repeated-name", "two functions are called '\(name)', or one has no name")
    }
    let builder = FunctionBuilder(name, call)
    try body(builder)
    functions.append(try builder.finish(call))
  }

  /// The program so far. Throws where there is no function.
  package func program(_ call: (file: String, line: Int)) throws(BuildError) -> Program {
    guard !functions.isEmpty else {
      throw CallSite(file: call.file, line: call.line).problem("coreml.function", "the program has no function")
    }
    var program = Program(functions)
    program.metadata = metadata.sorted { $0.key < $1.key }.map { (key: $0.key, value: $0.value) }
    return program
  }

  /// Writes a package, whole or not at all. What Apple's loader would refuse, a sentence each, is the result; mlc reads
  /// such a package all the same.
  @discardableResult
  public func write(
    to path: String,
    minimumDeploymentTarget target: DeploymentTarget? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> [String] {
    let program = try program((file, line))
    let options = CoreMLWriteOptions(minimumDeploymentTarget: target.flatMap { .init($0.rawValue) })
    do throws(Diagnostic) {
      return try CoreMLPackage.write(program, to: path, options: options).sentences
    } catch { throw BuildError(error, CallSite(file: file, line: line)) }
  }
}

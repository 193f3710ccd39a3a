import Foundation
import Testing

/// One run of the built command. A signal that ended it counts as 128 and more.
struct MLCProcess {
  let status: Int32, output: String, errors: String
  /// Whether a signal ended it.
  let crashed: Bool

  /// The command beside the tests' own products.
  static let executable: URL = {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    #if DEBUG
      return root.appending(path: ".build/debug/mlc")
    #else
      return root.appending(path: ".build/release/mlc")
    #endif
  }()

  /// The folder of the sources.
  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  static let fixtures = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")

  static func fixture(_ name: String) -> String { fixtures.appending(path: name).path() }
  /// A file that coremltools wrote.
  static func coreMLFixture(_ name: String) -> String {
    fixtures.appending(path: "../../MLCFormatCoreMLTests/Fixtures/\(name)").standardized.path()
  }

  init(_ arguments: String..., environment: [String: String] = [:]) throws {
    try self.init(arguments: arguments, environment: environment)
  }

  /// The command as "$@" of a script that bash runs.
  init(script: String, _ arguments: [String], environment: [String: String] = [:]) throws {
    try self.init(
      program: URL(filePath: "/bin/bash"),
      ["-c", script, "bash", MLCProcess.executable.path()] + arguments,
      environment
    )
  }

  init(arguments: [String], environment: [String: String] = [:]) throws {
    try self.init(program: MLCProcess.executable, arguments, environment)
  }

  private init(program: URL, _ arguments: [String], _ environment: [String: String]) throws {
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    // Files, not pipes: a full pipe would stop the child while nobody reads.
    let folder = FileManager.default.temporaryDirectory.appending(path: "mlc-run-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    // What the command remembers goes with the run, too.
    var variables = ProcessInfo.processInfo.environment
    variables["MLC_CACHE"] = folder.appending(path: "cache").path()
    process.environment = variables.merging(environment) { _, new in new }
    let (out, err) = (folder.appending(path: "out"), folder.appending(path: "err"))
    for file in [out, err] { try Data().write(to: file) }
    process.standardOutput = try FileHandle(forWritingTo: out)
    process.standardError = try FileHandle(forWritingTo: err)
    try process.run()
    process.waitUntilExit()
    crashed = process.terminationReason == .uncaughtSignal
    status = crashed ? 128 + process.terminationStatus : process.terminationStatus
    output = String(decoding: try Data(contentsOf: out), as: UTF8.self)
    errors = String(decoding: try Data(contentsOf: err), as: UTF8.self)
  }

  /// The JSON object on the last line of standard output.
  func json() throws -> [String: Any] {
    let line = try #require(output.split(separator: "\n").last)
    return try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
  }

  /// What `report` has at `key`, spelled in one way. Fails the test that asks where it has nothing there.
  static func part(
    _ report: [String: Any],
    _ key: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> String {
    let part = try #require(report[key], "the report has no '\(key)'", sourceLocation: sourceLocation)
    let options: JSONSerialization.WritingOptions = [.sortedKeys, .fragmentsAllowed]
    return String(decoding: try JSONSerialization.data(withJSONObject: part, options: options), as: UTF8.self)
  }
}

/// A folder that goes with the test.
final class Workspace {
  let url = FileManager.default.temporaryDirectory.appending(path: "mlc-test-\(UUID().uuidString)")

  init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }
  deinit { try? FileManager.default.removeItem(at: url) }

  func path(_ name: String) -> String { url.appending(path: name).path() }

  /// The fixture `name`, copied here.
  func copy(_ name: String) throws -> String {
    try FileManager.default.copyItem(at: MLCProcess.fixtures.appending(path: name), to: url.appending(path: name))
    return path(name)
  }
  var contents: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: url.path())) ?? []).sorted() }
}

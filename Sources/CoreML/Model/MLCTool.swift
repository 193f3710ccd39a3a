import Foundation

/// The command `mlc`, which compiles models for applications: they link no compiler.
struct MLCTool {
  let path: String

  /// What `MLC` in the environment names, else `mlc` beside the program, else on `PATH`.
  static func find() -> MLCTool? {
    let environment = ProcessInfo.processInfo.environment
    if let named = environment["MLC"], !named.isEmpty {
      return FileManager.default.isExecutableFile(atPath: named) ? MLCTool(path: named) : nil
    }
    var folders: [String] = []
    if let program = Bundle.main.executableURL { folders.append(program.deletingLastPathComponent().path) }
    folders += (environment["PATH"] ?? "").split(separator: ":").map { String($0) }
    return folders.map { "\($0)/mlc" }.first { FileManager.default.isExecutableFile(atPath: $0) }
      .map { MLCTool(path: $0) }
  }

  /// Runs it; the messages when it does not end with 0.
  func run(_ arguments: [String]) throws -> (status: Int32, messages: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    let pipe = Pipe()
    process.standardError = pipe
    try process.run()
    let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, text)
  }
}

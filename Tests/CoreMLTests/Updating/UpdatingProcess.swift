import Foundation

/// `coreml-bench update`: an application that updates a model, then writes it again and again.
final class UpdatingProcess {
  private let process = Process()
  private let output = Pipe()

  init(_ compiled: URL, to target: URL, times: Int, environment: [String: String] = [:]) throws {
    process.executableURL = Sources.benchmark
    process.arguments = ["update", compiled.path(), target.path(), "\(times)"]
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardOutput = output
    try process.run()
  }

  /// Waits until the model has learnt and is written from now on; `false` when the application ended without.
  func waitUntilItWrites() -> Bool { !output.fileHandleForReading.availableData.isEmpty }

  func kill() { Foundation.kill(process.processIdentifier, SIGKILL) }

  /// How it ended.
  func end() -> (reason: Process.TerminationReason, status: Int32) {
    process.waitUntilExit()
    return (process.terminationReason, process.terminationStatus)
  }
}

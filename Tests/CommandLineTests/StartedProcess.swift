import Foundation
import TestSupport

/// A run of a program that may be ended from outside. Signals have their ordinary meaning for it, whatever started the
/// tests.
final class StartedProcess {
  private let process = Process()

  init(_ arguments: [String], environment: [String: String] = [:]) throws {
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["--default-signal=INT,TERM,HUP", MLCProcess.executable.path()] + arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
  }

  func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

  /// How it ended: an exit code, or a signal as 128 and more.
  func end() -> Int32 {
    process.waitUntilExit()
    return process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
  }

  /// Waits until `condition` holds; false when it does not within a minute, which is longer than anything here takes.
  static func wait(until condition: () -> Bool) -> Bool {
    for _ in 0..<6000 {
      if condition() { return true }
      usleep(10_000)
    }
    return condition()
  }

  /// How many processes have `word` in one of their arguments.
  static func count(of word: String) -> Int {
    let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return processes.count { process in
      guard Int(process) != nil, let line = FileManager.default.contents(atPath: "/proc/\(process)/cmdline") else {
        return false
      }
      return String(decoding: line, as: UTF8.self).contains(word)
    }
  }

  static func isRunning(_ word: String) -> Bool { count(of: word) > 0 }
}

extension Workspace {
  /// An executable script.
  func script(_ name: String, _ text: String) throws -> String {
    let file = path(name)
    try Data("#!/bin/sh\n\(text)\n".utf8).write(to: URL(filePath: file))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file)
    return file
  }

  /// Every file below `name` with its bytes; `nil` when there is nothing.
  func tree(_ name: String) -> [String: Data]? { fileTree(path(name)) }

  /// Hidden names in the workspace, and in the folder of a cache in it.
  var leftovers: [String] {
    let cached = (try? FileManager.default.contentsOfDirectory(atPath: path("cache"))) ?? []
    return (contents + cached).filter { $0.hasPrefix(".") }
  }
}

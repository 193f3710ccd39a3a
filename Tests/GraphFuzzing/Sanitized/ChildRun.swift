import Foundation

/// A command that ran to its end or to its time limit.
struct ChildRun {
  /// The exit status; minus the signal for a child that a signal ended.
  let status: Int32
  let isLate: Bool
  /// What it said on standard error.
  let text: String

  /// Runs `command` in `folder` for at most `seconds`.
  init(_ command: [String], in folder: String, seconds: Int) {
    let start = ContinuousClock.now
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/timeout")
    process.arguments = ["-s", "KILL", "\(seconds)"] + command
    process.currentDirectoryURL = URL(filePath: folder)
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["ASAN_OPTIONS": "detect_leaks=0:exitcode=99", "UBSAN_OPTIONS": "print_stacktrace=1"]
    ) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    let messages = Pipe()
    process.standardError = messages
    do { try process.run() } catch {
      (status, isLate, text) = (-1, false, "\(error)")
      return
    }
    text = String(decoding: messages.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    status = process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
    isLate = status != 0 && ContinuousClock.now - start >= .seconds(seconds)
  }

  /// The lines that say what a sanitizer found and where.
  var summary: String {
    let lines = text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    let marks = ["ERROR: ", "runtime error: ", "SUMMARY: ", "host: ", "#0 ", "#1 ", "READ of", "WRITE of"]
    let telling = lines.filter { line in marks.contains { line.contains($0) } }
    return "status \(status): " + telling.prefix(7).joined(separator: " | ")
  }
}

import Foundation

/// The processor that this command runs on.
enum Processor {
  /// What it calls itself, as Linux says, which lets measurements of another machine be told; empty where that is not
  /// said.
  static let name: String = {
    // The file says again for each core what the first 4 KiB say.
    guard let file = FileHandle(forReadingAtPath: "/proc/cpuinfo"), let head = try? file.read(upToCount: 4096) else {
      return ""
    }
    let line = String(decoding: head, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("model name") }
    return line?.split(separator: ":", maxSplits: 1).last.map { $0.trimmingCharacters(in: .whitespaces) } ?? ""
  }()
}

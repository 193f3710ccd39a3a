import Foundation
import GraphFuzzing

/// What a worker tells.
enum Line: Codable {
  /// The graph that it plays next: its number and text.
  case begin(Int, String)
  case entry(Entry)

  func print() {
    guard var data = try? JSONEncoder().encode(self) else { return }
    data.append(UInt8(ascii: "\n"))
    try? FileHandle.standardOutput.write(contentsOf: data)
  }
}

/// Worker processes that share a range of graphs, and a folder for their files that goes with them. A worker that ends
/// by a signal is a finding; another goes on behind the graph that ended it.
struct Team {
  let arguments: [String]
  let jobs: Int
  let seconds: Int?

  func run(_ numbers: Range<Int>) throws -> CampaignReport {
    let folder = FileManager.default.temporaryDirectory.appending(path: "fuzz-graphs-\(UUID().uuidString)").path()
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let tally = Tally()
    let end = seconds.map { Date.now.addingTimeInterval(Double($0)) } ?? .distantFuture
    DispatchQueue.concurrentPerform(iterations: jobs) { index in
      var next: Int? = numbers.lowerBound + index
      while let first = next, first < numbers.upperBound, Date.now < end {
        next = work(first..<numbers.upperBound, folder, tally, until: end)
      }
    }
    return tally.report
  }

  /// One worker's life. Answers the number to go on with when a signal cut it short.
  private func work(_ numbers: Range<Int>, _ folder: String, _ tally: Tally, until end: Date) -> Int? {
    let process = Process()
    process.executableURL = URL(filePath: CommandLine.arguments[0])
    let range = ["--first", "\(numbers.lowerBound)", "--end", "\(numbers.upperBound)", "--stride", "\(jobs)"]
    process.arguments = ["worker"] + arguments + range + ["--until", "\(end.timeIntervalSince1970)"]
    process.environment = ProcessInfo.processInfo.environment.merging(["TMPDIR": folder]) { $1 }
    let output = Pipe()
    process.standardOutput = output
    guard (try? process.run()) != nil else { return nil }
    var current = (number: numbers.lowerBound, text: "")
    var rest = Data()
    while let data = try? output.fileHandleForReading.read(upToCount: 1 << 16), !data.isEmpty {
      rest.append(data)
      while let newline = rest.firstIndex(of: UInt8(ascii: "\n")) {
        let line = try? JSONDecoder().decode(Line.self, from: rest[rest.startIndex..<newline])
        rest = Data(rest[(newline + 1)...])
        switch line {
        case .begin(let number, let text)?: current = (number, text)
        case .entry(let entry)?: tally.add(entry)
        case nil: break
        }
      }
    }
    process.waitUntilExit()
    if process.terminationReason == .exit, process.terminationStatus == 0 { return nil }
    let trap = "the worker ended with \(process.terminationStatus)\n\(current.text)"
    tally.add(Entry("graph \(current.number)", device: "any", trap: trap))
    return process.terminationReason == .uncaughtSignal ? current.number + jobs : nil
  }
}

/// A report that many threads add to.
///
/// `@unchecked Sendable`: every access holds the lock.
private final class Tally: @unchecked Sendable {  // every access holds the lock
  private let lock = NSLock()
  private var entries = CampaignReport()

  var report: CampaignReport { lock.withLock { entries } }

  func add(_ entry: Entry) {
    lock.withLock {
      entries.add(entry)
      if entries.played.isMultiple(of: 100) {
        FileHandle.standardError.write(Data((entries.summary + "\n").utf8))
      }
    }
  }
}

extension CampaignReport {
  var json: String {
    let wrong = self.wrong.map { ["label": $0.label, "device": $0.device, "report": $0.report] }
    let object: [String: Any] = [
      "played": played, "agree": count(.agrees), "wrong": wrong, "summary": summary,
      "kinds": kinds.mapValues { ["played": $0.played, "agree": $0.agree] },
    ]
    guard let data = try? JSONSerialization.data(withJSONObject: object, options: .sortedKeys) else { return "{}" }
    return String(decoding: data, as: UTF8.self)
  }
}

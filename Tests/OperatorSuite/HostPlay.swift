import Foundation
import GraphFuzzing
import MLCCore
import MLCKernels

/// Cases played in the small host of `GraphFuzzing`, twenty in one function.
struct HostPlay {
  let devices: [DeviceDescription]

  /// Cases that the judge of graphs does not take, each with the reason.
  private static let reasons = ["matmul.cancels": "its tolerance does not follow the magnitude of a sum's terms"]

  /// All cases that generated code plays, but those that work on texts: the runtime does, and the small host has none.
  private static var whole: [OperatorCase] {
    OperatorCase.all.filter { CompiledExceptions.reason($0) == nil && !PlayedCase($0).worksOnTexts }
  }

  /// The cases as they are, in float16 and of open sizes.
  static var everyCase: [PlayedCase] {
    let open = whole.filter { SymbolicExceptions.reason($0) == nil }.compactMap { PlayedCase(symbolic: $0) }
    return whole.map { PlayedCase($0) } + whole.compactMap { PlayedCase($0, as: .float16) } + open
  }

  /// One in `step` of the cases as they are.
  static func sample(oneIn step: Int) -> [PlayedCase] {
    let whole = whole
    return stride(from: 0, to: whole.count, by: step).map { PlayedCase(whole[$0]) }
  }

  /// What is wrong, a text for each case and device.
  func problems(_ items: [PlayedCase]) throws -> [String] {
    let items = items.filter { item in !HostPlay.reasons.keys.contains { item.label.hasPrefix($0) } }
    let campaign = Campaign(GraphJudge(try HostRunner(seconds: 600)), devices: devices)
    let batches = stride(from: 0, to: items.count, by: 20).map { Array(items[$0..<min($0 + 20, items.count)]) }
    let problems = Problems()
    DispatchQueue.concurrentPerform(iterations: batches.count) { index in
      problems.add(play(batches[index], campaign))
    }
    return problems.texts
  }

  /// What is wrong with cases side by side in one function; its halves are played when something is.
  private func play(_ items: [PlayedCase], _ campaign: Campaign) -> [String] {
    guard let batch = try? CaseBatch(items) else { return ["\(items.map { $0.label }) do not go into one function"] }
    let label = items.map { $0.label }.joined(separator: ", ")
    let entries = campaign.play(GraphCase(label, batch.function, batch.runs))
    let wrong = entries.filter { $0.outcome != .agrees }
    if wrong.isEmpty { return [] }
    if items.count == 1 { return wrong.map { "\($0.outcome) \($0.report)" } }
    let middle = items.count / 2
    return play(Array(items[..<middle]), campaign) + play(Array(items[middle...]), campaign)
  }

  /// A list that many threads add to.
  ///
  /// `@unchecked Sendable`: every access holds the lock.
  private final class Problems: @unchecked Sendable {  // every access holds the lock
    private let lock = NSLock()
    private var list: [String] = []
    var texts: [String] { lock.withLock { list } }
    func add(_ more: [String]) { lock.withLock { list += more } }
  }
}

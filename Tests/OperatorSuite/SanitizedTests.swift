import Foundation
import GraphFuzzing
import MLCCompiler
import MLCCore
import Testing

/// The cases as code built with AddressSanitizer and UndefinedBehaviorSanitizer, on every device that this CPU can be.
@Suite(.serialized) struct SanitizedTests {
  private static let isWanted = ProcessInfo.processInfo.environment["MLC_SANITIZE"] != nil

  /// All of them, as they are, in float16 and of open sizes.
  @Test(.enabled(if: isWanted, "takes minutes: run 'make sanitize'"))
  func everyCase() throws {
    let whole = OperatorCase.all.filter { CompiledExceptions.reason($0) == nil }
    let open = whole.filter { SymbolicExceptions.reason($0) == nil }.compactMap { PlayedCase(symbolic: $0) }
    let problems = try problems(whole.map { PlayedCase($0) } + whole.compactMap { PlayedCase(half: $0) } + open)
    #expect(problems.isEmpty, "\(problems.joined(separator: "\n"))")
  }

  /// One case in forty, on the plainest device.
  @Test func someCases() throws {
    let whole = OperatorCase.all.filter { CompiledExceptions.reason($0) == nil }
    let some = stride(from: 0, to: whole.count, by: 40).map { PlayedCase(whole[$0]) }
    let problems = try problems(some, devices: 1)
    #expect(problems.isEmpty, "\(problems.joined(separator: "\n"))")
  }

  private func problems(_ items: [PlayedCase], devices: Int = .max) throws -> [String] {
    let judge = GraphJudge(try SanitizedRunner(seconds: 600))
    let campaign = Campaign(judge, devices: Array(Campaign.hosts.prefix(devices)))
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

import Foundation
import GraphFuzzing

/// A report that many threads add to.
///
/// `@unchecked Sendable`: every access holds the lock.
final class SharedReport: @unchecked Sendable {  // every access holds the lock
  private let lock = NSLock()
  private var entries = CampaignReport()
  var report: CampaignReport { lock.withLock { entries } }
  func add(_ entry: Entry) { lock.withLock { entries.add(entry) } }
}

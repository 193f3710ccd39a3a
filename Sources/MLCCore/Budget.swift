import Synchronization

/// What one command may use of memory and time as it reads, optimises, tries out and compiles a model.
///
/// Constants that are made from constants may take 64 MiB or 16 times the model, whichever is more; what would go
/// beyond stays computed where it can, and is refused where its value is needed. Tensors of a trial run may take 4 GiB
/// at once, or 32 times the model, and never more than `memory` when that is given, which bounds the constants too. The
/// whole may take half an hour and a minute for each MiB of the model, or `time`. Copies of the reference share one
/// count.
package final class Budget: Sendable {
  fileprivate struct State {
    var modelBytes: Int
    var constantBytes = 0
    /// In the order in which they came.
    var declined: [Location] = []
    var seen: Set<Location> = []

    mutating func decline(_ node: Location) { if seen.insert(node).inserted { declined.append(node) } }
  }
  private let state: Mutex<State>
  private let givenMemory: Int?, givenTime: Duration?
  private let isLimited: Bool
  private let start = ContinuousClock.now

  /// For a model of `modelBytes`, as far as its size is known.
  package init(modelBytes: Int, memory: Int? = nil, time: Duration? = nil) {
    state = Mutex(State(modelBytes: modelBytes))
    (givenMemory, givenTime, isLimited) = (memory, time, true)
  }

  /// Bounds nothing.
  package init() {
    state = Mutex(State(modelBytes: 0))
    (givenMemory, givenTime, isLimited) = (nil, nil, false)
  }

  /// The model turned out to be this large: files beside it count.
  package func found(modelBytes: Int) { state.withLock { $0.modelBytes = max($0.modelBytes, modelBytes) } }

  private var modelBytes: Int { state.withLock { $0.modelBytes } }

  // MARK: Memory

  /// Bytes that the tensors of one run of the interpreter may take at once, those of the model not counted.
  package var memory: Int {
    guard isLimited else { return .max }
    return givenMemory ?? max(4 << 30, modelBytes.saturatingProduct(32))
  }

  /// Bytes that all constants made from constants may take.
  package var constantLimit: Int {
    guard isLimited else { return .max }
    return min(givenMemory ?? .max, max(64 << 20, modelBytes.saturatingProduct(16)))
  }

  /// Bytes of constants made so far.
  package var constantBytes: Int { state.withLock { $0.constantBytes } }
  /// Bytes that further constants may take.
  package var constantLeft: Int { constantLimit - constantBytes }

  /// Constants up to this size are free: there are not more of them than nodes.
  package static let smallConstant = 4096

  /// Whether a constant of `bytes` may be made; if so, it is counted. Otherwise `node` is noted as one that stays
  /// computed.
  package func takeConstant(_ bytes: Int, for node: Location) -> Bool {
    if bytes <= Budget.smallConstant { return true }
    let limit = constantLimit
    return state.withLock { state in
      if bytes <= limit - state.constantBytes {
        state.constantBytes += bytes
        return true
      }
      state.decline(node)
      return false
    }
  }

  /// Notes that what `node` makes of constants stays computed.
  package func decline(_ node: Location) { state.withLock { $0.decline(node) } }

  /// Nodes that stay computed because their results are too large for constants.
  package var declined: [Location] { state.withLock { $0.declined } }

  /// Throws `budget.memory` when `bytes` at once are too many. `what` takes them.
  package func check(memory bytes: Int, for what: @autoclosure () -> String) throws(Diagnostic) {
    let limit = memory
    guard bytes > limit else { return }
    throw Diagnostic(
      "budget.memory",
      "\(what()) would take \(bytes.spelledBytes), the limit is \(limit.spelledBytes); --limit-memory changes it"
    )
  }

  // MARK: Time

  /// `nil` where time is not bounded.
  package var time: Duration? {
    isLimited ? givenTime ?? .seconds(1800 + (modelBytes >> 20).saturatingProduct(60)) : nil
  }

  /// What is left of the time; `nil` where it is not bounded.
  package var remaining: Duration? { time.map { max(.zero, $0 - (ContinuousClock.now - start)) } }

  /// Throws `budget.time` when the time is over.
  package func checkTime() throws(Diagnostic) {
    guard let time, ContinuousClock.now - start > time else { return }
    throw Diagnostic("budget.time", "this takes longer than \(time.spelledSeconds) s; --limit-time changes the limit")
  }
}

extension Int {
  /// The product, or the greatest number when it is beyond that. Both factors are not negative.
  package func saturatingProduct(_ other: Int) -> Int {
    let (product, overflow) = multipliedReportingOverflow(by: other)
    return overflow ? .max : product
  }

  /// `512 MB`, in thousands.
  fileprivate var spelledBytes: String {
    let units = ["bytes", "kB", "MB", "GB", "TB", "PB", "EB"]
    var (number, unit) = (Double(self), 0)
    while number >= 1000, unit < units.count - 1 { (number, unit) = (number / 1000, unit + 1) }
    let tenths = (number * 10).rounded() / 10
    return "\(tenths == tenths.rounded() ? "\(Int(tenths))" : "\(tenths)") \(units[unit])"
  }
}

extension Duration {
  fileprivate var spelledSeconds: String {
    let seconds = self / .seconds(1)
    return seconds == seconds.rounded() ? "\(Int(seconds))" : "\(seconds)"
  }
}

import MLCCore

/// What each step of this command gave, and what it took: its batch put together, and its code run.
struct StepLog {
  private(set) var losses: [Double] = [], milliseconds: [Double] = [], cpuMilliseconds: [Double] = []
  private var begin = ContinuousClock.now, cpuBegin = ProcessUsage.cpuMilliseconds

  /// The next step begins now.
  mutating func start() { (begin, cpuBegin) = (.now, ProcessUsage.cpuMilliseconds) }

  /// The step ends now with this loss, and the next one begins.
  mutating func end(loss: Double) {
    losses.append(loss)
    milliseconds.append((ContinuousClock.now - begin) / .milliseconds(1))
    cpuMilliseconds.append(ProcessUsage.cpuMilliseconds - cpuBegin)
    start()
  }

  /// A list for each, by step.
  var json: JSON {
    .object([
      "loss": .array(losses.map { .number($0) }), "ms": .array(milliseconds.map { .rounded($0, 6) }),
      "cpu_ms": .array(cpuMilliseconds.map { .rounded($0, 6) }),
    ])
  }
}

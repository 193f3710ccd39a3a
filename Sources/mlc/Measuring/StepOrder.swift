import ArgumentParser

/// How reports order the steps of a function.
enum StepOrder: String, CaseIterable, ExpressibleByArgument {
  /// The slowest first.
  case time
  case execution
}

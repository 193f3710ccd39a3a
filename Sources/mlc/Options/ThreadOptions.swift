import ArgumentParser
import MLCCore
import MLCRuntime

/// How many threads predict.
struct ThreadOptions: ParsableArguments {
  @Option(
    name: .customLong("threads"),
    help: ArgumentHelp("Threads; MLC_THREADS, or all cores, if not given.", valueName: "N")
  )
  var threads: Int?

  /// `nil` for all cores. Throws `threads.count`.
  func count() throws(Diagnostic) -> Int? { try ThreadCount.wanted(threads) }
}

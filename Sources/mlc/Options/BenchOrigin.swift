import ArgumentParser

/// What a process that measures a package is told by the one that compiled it of a source model.
struct BenchOrigin: ParsableArguments {
  @Option(name: .customLong("origin"), help: .private) var source: String?
  @Option(name: .customLong("origin-ms"), help: .private) var compileMilliseconds: Double?

  /// For the package that was made of `source`, now in `time` or earlier.
  static func arguments(_ source: String, _ time: Duration?) -> [String] {
    ["--origin=\(source)"] + (time.map { ["--origin-ms=\($0.milliseconds)"] } ?? [])
  }
}

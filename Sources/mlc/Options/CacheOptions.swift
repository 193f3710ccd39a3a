import ArgumentParser
import MLCRuntime

/// Whether what is compiled to run a source model is kept.
struct CacheOptions: ParsableArguments {
  @Flag(name: .customLong("no-cache"), help: "Compile a source model anew, and keep nothing: see 'mlc cache'.")
  var isOff = false

  /// `nil` where nothing is kept.
  var cache: PackageCache? { isOff ? nil : .standard }
}

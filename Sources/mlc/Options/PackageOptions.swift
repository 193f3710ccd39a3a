import ArgumentParser
import MLCCore
import MLCPackage
import MLCRuntime

/// What a compiled package must be to be loaded.
struct PackageOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Take no other package than the one with this digest, as 'mlc compile', 'inspect' and 'package' print it.",
      valueName: "HEX"
    )
  )
  var expectDigest: PackageDigest?
  @Flag(help: "Compare every file with its digest, those too that were when the package was loaded before.")
  var checkFiles = false

  var demands: PackageDemands { PackageDemands(digest: expectDigest?.hexDigits, checksFiles: checkFiles) }
}

/// A digest as the user spells it, 64 hexadecimal digits.
struct PackageDigest: ExpressibleByArgument {
  let hexDigits: String

  init?(argument: String) {
    hexDigits = argument.lowercased()
    if hexDigits.digestBytes == nil { return nil }
  }
}

/// `PackageOptions` as values.
struct PackageDemands: Sendable {
  /// In lower case; any when `nil`.
  var digest: String?
  var checksFiles = false

  func apply(to options: inout Model.Options) {
    (options.expectedDigest, options.verifiesDigests, options.memory) = (digest, checksFiles, PackageCache.memory)
  }

  /// Throws `package.not-compiled` when anything is demanded of `path`, which is no compiled package.
  func refuse(_ path: String) throws(Diagnostic) {
    guard digest != nil || checksFiles else { return }
    throw Diagnostic(
      "package.not-compiled",
      "--expect-digest and --check-files are for compiled packages, which '\(path)' is not",
      kind: .usage
    )
  }
}

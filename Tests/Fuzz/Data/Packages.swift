import FuzzSupport
import MLCCore
import MLCPackage

extension FuzzTarget {
  static let packageManifest = FuzzTarget(
    "package-manifest",
    JSONMutator(),
    seeds: [SamplePackage.file("manifest.json")]
  ) { (bytes) throws(Diagnostic) in
    // Past its digest, where there is one to set right.
    do { SamplePackage.writeManifest(try JSON(parsing: bytes)) } catch {
      Scratch.write(bytes, to: "\(SamplePackage.path)/manifest.json")
    }
    try readPackage()
  }

  static let packageInterface = signed("package-interface", JSONMutator()) { $0.interface }
  static let packagePlan = signed("package-plan", JSONMutator()) { $0.targets[0].code[0].segments[0].plan }
  static let packageProgram = signed("package-program", WordMutator()) { $0.program! }

  /// A package of which one file is the input, and the manifest vouches for it.
  private static func signed(
    _ name: String,
    _ mutator: any Mutator,
    _ file: @escaping @Sendable (Manifest) -> Manifest.File
  ) -> FuzzTarget {
    FuzzTarget(name, mutator, seeds: [SamplePackage.file(file(SamplePackage.manifest).path)]) {
      (bytes) throws(Diagnostic) in
      SamplePackage.replace(file(SamplePackage.manifest), with: bytes)
      try readPackage()
    }
  }

  /// Everything that a package is read for, but for compiling its program and running its code.
  private static func readPackage() throws(Diagnostic) {
    let package = try PackageReader(path: SamplePackage.path)
    for function in package.functions { precondition(function.inconsistency == nil) }
    try package.verifyDigests()
    for code in package.manifest.targets.flatMap({ $0.code }) {
      for segment in code.segments { _ = try package.plan(segment) }
    }
    _ = try package.constants()
    _ = try package.program()
  }
}

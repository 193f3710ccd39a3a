import MLCCore
import MLCGraph
import MLCOps
import MLCPackage

extension FuzzTarget {
  /// The text of a program, and what a compiler makes of it.
  static let text = FuzzTarget("text", WordMutator(dictionary: ["const", "if", "fp32", "->", "@blob(0)", "{", "}"])) {
    (bytes) throws(Diagnostic) in
    let text = ProgramText(text: String(decoding: bytes, as: UTF8.self), blobs: SamplePackage.blobs)
    try Exercise.run(try text.program { OperatorSet.named($0) }, of: bytes)
  }

  static let packageManifest = FuzzTarget("package-manifest", JSONMutator()) { (bytes) throws(Diagnostic) in
    Scratch.write(bytes, to: "\(SamplePackage.path)/manifest.json")
    try readPackage(bytes)
  }

  static let packageInterface = FuzzTarget("package-interface", JSONMutator()) { (bytes) throws(Diagnostic) in
    SamplePackage.replace(SamplePackage.manifest.interface, with: bytes)
    try readPackage(bytes)
  }

  static let packagePlan = FuzzTarget("package-plan", JSONMutator()) { (bytes) throws(Diagnostic) in
    SamplePackage.replace(SamplePackage.manifest.targets[0].code[0].plan, with: bytes)
    try readPackage(bytes)
  }

  static let packageProgram = FuzzTarget("package-program", WordMutator()) { (bytes) throws(Diagnostic) in
    SamplePackage.replace(SamplePackage.manifest.program!, with: bytes)
    try readPackage(bytes)
  }

  /// Everything that a package is read for, but for running its code.
  private static func readPackage(_ input: UnsafeRawBufferPointer) throws(Diagnostic) {
    let package = try PackageReader(path: SamplePackage.path)
    for function in package.functions { precondition(function.inconsistency == nil) }
    try package.verifyDigests()
    for target in package.manifest.targets { for code in target.code { _ = try package.plan(code) } }
    let constants = try package.constants()
    guard let text = try package.program() else { return }
    try Exercise.run(try ProgramText(text: text, blobs: constants).program { OperatorSet.named($0) }, of: input)
  }
}

import ArgumentParser
import MLCCore
import MLCPackage

struct PackageCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "package",
    abstract: "Lists what a compiled package is made of, or checks all of it.",
    discussion: """
      Examples:
        mlc package list model.mlmodelc
        mlc package verify model.mlmodelc
        mlc package verify model.mlmodelc --expect-digest 6e34... --json

      The digest of a package stands for every byte in it: what 'mlc compile' printed can be demanded wherever the \
      package is loaded.
      """,
    subcommands: [PackageList.self, PackageVerify.self]
  )
}

struct PackageList: Command {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "Lists the files of a compiled package, their sizes and digests, and its targets."
  )

  @Argument(help: "A compiled package.", completion: .directory) var path: String
  @OptionGroup var output: OutputOptions

  func perform() throws(Diagnostic) -> Int32 {
    let package = try PackageReader(path: path)
    let listing = PackageListing(package)
    Console.result(output.json ? listing.json.line : listing.text)
    return 0
  }
}

struct PackageVerify: Command {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Compares every file of a compiled package with its digest, and what the files say of each other.",
    discussion: """
      Nothing of the package is run. Exit code 3 says that a file is damaged, missing or contradicts another one, or \
      that the package is another one than --expect-digest says. Files that the package does not name are reported; \
      nothing reads them.
      """
  )

  @Argument(help: "A compiled package.", completion: .directory) var path: String
  @Option(help: ArgumentHelp("The digest that the package must have.", valueName: "HEX"))
  var expectDigest: PackageDigest?
  @OptionGroup var output: OutputOptions

  func perform() throws(Diagnostic) -> Int32 {
    let package = try PackageReader(path: path)
    if let expectDigest { try package.require(digest: expectDigest.hexDigits) }
    let problems = package.damages() + package.contradictions()
    for problem in problems { Console.report(problem, json: false) }
    let (files, unlisted) = (package.manifest.files, package.unlisted)
    if output.json {
      let report: [String: JSON] = [
        "package": .string(path), "digest": .string(package.manifest.digest), "files": .integer(files.count),
        "bytes": .integer(files.reduce(0) { $0 + $1.size }), "problems": .array(problems.map { $0.json }),
        "unlisted": .array(unlisted.map { .string($0) }),
      ]
      Console.result(JSON.object(report).line)
    } else {
      for file in unlisted { Console.note("'\(file)' is no part of the package") }
      let state = problems.isEmpty ? "sound" : problems.count.of("problem")
      Console.result("\(files.count.of("file")), \(state)\ndigest \(package.manifest.digest)")
    }
    return problems.isEmpty ? 0 : Diagnostic.Kind.badModel.rawValue
  }
}

import Foundation
import TestSupport
import Testing

/// `mlc package`, and what other commands demand of packages.
@Suite struct PackageTests {
  private let work: Workspace
  private let package: String
  private let digest: String
  private static let classifier = MLCProcess.fixture("classifier.onnx")
  private static let inputs = MLCProcess.fixture("classifier.npz")

  init() throws {
    work = try Workspace()
    package = work.path("c.mlmodelc")
    let made = try PackageTests.compile(to: package, "--json")
    try #require(made.status == 0, "\(made.errors)")
    digest = try #require(try made.json()["digest"] as? String)
  }

  private static func compile(to path: String, _ options: String...) throws -> MLCProcess {
    try MLCProcess(arguments: ["compile", classifier, "-o", path, "--target", "x86-64-v2", "--portable"] + options)
  }

  private func predict(_ options: String...) throws -> MLCProcess {
    let command = ["predict", package, "--inputs", Self.inputs, "--target", "x86-64-v2", "--json"]
    return try MLCProcess(arguments: command + options)
  }

  @Test func printsOneDigestEverywhere() throws {
    let again = try PackageTests.compile(to: work.path("d.mlmodelc"))
    #expect(again.output.contains("\ndigest \(digest)\n") && again.output.hasSuffix("d.mlmodelc\n"))
    for arguments in [["inspect", package], ["package", "list", package], ["package", "verify", package]] {
      let (text, json) = (try MLCProcess(arguments: arguments), try MLCProcess(arguments: arguments + ["--json"]))
      #expect(text.status == 0 && text.output.contains("digest \(digest)\n"), "\(arguments)")
      #expect(try json.status == 0 && json.json()["digest"] as? String == digest, "\(arguments)")
    }
  }

  @Test func listsFilesAndTargets() throws {
    let list = try MLCProcess("package", "list", package, "--json").json()
    let files = try #require(list["files"] as? [[String: Any]])
    for name in ["program.txt", "structure.json"] { #expect(files.contains { $0["path"] as? String == name }) }
    #expect(files.count == 7)
    for file in files {
      let path = try #require(file["path"] as? String)
      #expect(FileManager.default.contents(atPath: "\(package)/\(path)")?.count == file["bytes"] as? Int)
      #expect((file["sha256"] as? String)?.utf8.count == 64)
    }
    let targets = try #require(list["targets"] as? [[String: Any]])
    #expect(targets.count == 1 && targets[0]["name"] as? String == "x86-64-v2")
  }

  @Test func demandsTheDigestWhereverPackagesAreTaken() throws {
    let other = String(repeating: "0", count: 64)
    let commands = [
      ["predict", package, "--inputs", Self.inputs], ["bench", package, "--iterations", "1"],
      ["verify", Self.classifier, package], ["compile", package, "-o", work.path("e.mlmodelc")],
      ["package", "verify", package],
    ]
    for command in commands {
      #expect(try MLCProcess(arguments: command + ["--expect-digest", digest.uppercased()]).status == 0, "\(command)")
      let refused = try MLCProcess(arguments: command + ["--expect-digest", other])
      #expect(refused.status == 3 && refused.errors.contains("[package.expected-digest]"), "\(command)")
      #expect(try MLCProcess(arguments: command + ["--expect-digest", "0123"]).status == 2, "\(command)")
    }
    for command in ["predict", "bench", "verify", "compile"] {
      for option in [["--expect-digest", digest], ["--check-files"]] {
        let refused = try MLCProcess(arguments: [command, Self.classifier] + option)
        #expect(refused.status == 2 && refused.errors.contains("[package.not-compiled]"), "\(command) \(option)")
      }
    }
  }

  @Test func reportsEveryDamagedFileAndWhatIsNoPart() throws {
    try Data("x".utf8).write(to: URL(filePath: "\(package)/stray"))
    let sound = try MLCProcess("package", "verify", package, "--json")
    #expect(try sound.status == 0 && sound.json()["unlisted"] as? [String] == ["stray"])
    let names = ["program.txt", "targets/x86-64-v2/main/kernels.so", "targets/x86-64-v2/main/plan.json"]
    for name in names {
      let url = URL(filePath: "\(package)/\(name)")
      var data = try Data(contentsOf: url)
      data[data.count / 2] ^= 1
      try data.write(to: url)
    }
    let run = try MLCProcess("package", "verify", package, "--json")
    let problems = try #require(try run.json()["problems"] as? [[String: Any]])
    #expect(run.status == 3 && problems.count == names.count)
    #expect(problems.allSatisfy { $0["id"] as? String == "package.digest" })
    for name in names { #expect(run.errors.contains("'\(name)' is damaged"), "\(name)") }
    #expect(try predict().status == 3)
  }

  /// What targets add is together what their code and weights take on disk, in `compile` and `inspect` alike.
  @Test func targetsAddWhatTheyStore() throws {
    let package = work.path("fat.mlmodelc")
    let devices = "x86-64-v2,x86-64-v3,x86-64-v4"
    let compiled = try MLCProcess("compile", Self.classifier, "-o", package, "--target", devices, "--json").json()
    let inspected = try MLCProcess("inspect", package, "--json").json()
    for report in [compiled, inspected] {
      let targets = try #require(report["targets"] as? [[String: Any]])
      let added = targets.compactMap { $0["added_bytes"] as? Int }
      let whole = targets.compactMap { ($0["code_bytes"] as? Int ?? 0) + ($0["weight_bytes"] as? Int ?? 0) }
      try #require(added.count == 3 && whole.count == 3)
      #expect(added[0] == whole[0] && zip(added, whole).allSatisfy { $0 <= $1 })
      #expect(added.reduce(0, +) == (try bytes(of: package)), "\(added)")
    }
  }

  /// Of the files of code and weights.
  private func bytes(of package: String) throws -> Int {
    let names = try #require(FileManager.default.enumerator(atPath: package)).compactMap { $0 as? String }
    return try names.filter { $0.hasSuffix(".so") || $0.hasSuffix(".bin") }
      .reduce(0) { sum, name in
        let attributes = try FileManager.default.attributesOfItem(atPath: "\(package)/\(name)")
        return sum + (attributes[.size] as? Int ?? 0)
      }
  }

  /// A damaged program has no effect on the code that runs, unless everything is to be checked.
  @Test func checksFilesThatNothingReadsOnDemand() throws {
    try Data("main() {}".utf8).write(to: URL(filePath: "\(package)/program.txt"))
    #expect(try predict().errors.contains("[package.size]"))
    try PackageSealing.reseal(package)
    #expect(try predict("--check-files").status == 0)
    let file = URL(filePath: "\(package)/program.txt")
    try Data("main() [}".utf8).write(to: file)
    #expect(try predict().status == 0)
    let refused = try predict("--check-files")
    #expect(refused.status == 3 && refused.errors.contains("'program.txt' is damaged"))
  }

  /// The change of one digit that ended in a corrupted heap, with and without digests that fit.
  @Test func oneDigitOfTheInterfaceIsRefused() throws {
    let url = URL(filePath: "\(package)/interface.json")
    let text = try String(contentsOf: url, encoding: .utf8)
    for (old, new) in [("\"batch\", \"3\"", "\"batch\", \"1\""), ("\"batch\", \"4\"", "\"batch\", \"1\"")] {
      try text.replacing(old, with: new).write(to: url, atomically: true, encoding: .utf8)
      let bench = ["bench", package, "--size", "batch=100000", "--target", "x86-64-v2"]
      for id in ["package.digest", "package.contradiction"] {
        for command in [bench, ["package", "verify", package]] {
          let run = try MLCProcess(arguments: command)
          #expect(run.status == 3 && !run.crashed && run.errors.contains("[\(id)]"), "\(new): \(run.errors)")
        }
        try PackageSealing.reseal(package)
      }
    }
  }
}

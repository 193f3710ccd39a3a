import Foundation
import Testing

/// Every command where something runs out: it is done, or ends with 5 and says why. It is never ended by a signal.
@Suite struct ResourceLimitTests {
  private static func commands(_ work: Workspace) -> [[String]] {
    let (model, inputs) = (MLCProcess.fixture("classifier.onnx"), MLCProcess.fixture("classifier.npz"))
    return [
      ["inspect", model], ["inspect", MLCProcess.fixture("dense.h5")], ["inspect", inputs, "--json"],
      ["convert", model, "-o", work.path("out.mlpackage")],
      ["compress", model, "-o", work.path("out.mlpackage"), "--palettize", "4", "--min-elements", "0"],
      ["compile", model, "-o", work.path("out.mlmodelc")], ["verify", model, "--json"],
      ["predict", model, "--inputs", inputs, "-o", work.path("out.npz")],
      ["predict", model, "--inputs", inputs, "--reference", "-o", work.path("out.json")],
      ["bench", work.path("model.mlmodelc"), "--iterations", "1"], ["bench", model, "--iterations", "1"],
      ["generate", model, "-o", work.url.path()], ["build", work.path("classifier.onnx")], ["devices"],
      ["explain", "list"], ["convert", MLCProcess.fixture("lstm.keras"), "-o", work.path("keras.mlpackage")],
      ["--help"],
    ]
  }

  private func workspace() throws -> Workspace {
    let work = try Workspace()
    _ = try work.copy("classifier.onnx")
    let made = try MLCProcess("compile", work.path("classifier.onnx"), "-o", work.path("model.mlmodelc"))
    try #require(made.status == 0, "\(made.errors)")
    return work
  }

  /// Runs the command after `limit`, which does not hold for who takes down what it says.
  private static func script(_ limit: String) -> String {
    "{ \(limit) timeout -k 1 200 \"$@\"; } 2>&1 | cat >&2; exit ${PIPESTATUS[0]}"
  }

  private func expectDiagnostics(under limit: String, _ work: Workspace, environment: [String: String] = [:]) throws {
    for arguments in Self.commands(work) {
      // What waits is stopped, and counts as a failure.
      let run = try MLCProcess(script: Self.script(limit), arguments, environment: environment)
      // The dynamic linker says so before there is a command.
      let isUnloaded = run.status == 127 && run.errors.contains("while loading shared libraries")
      let isRefused = run.status == 5 && run.errors.contains("[")
      #expect(run.status == 0 || isRefused || isUnloaded, "\(limit) \(arguments): \(run.status)\n\(run.errors)")
      #expect(work.leftovers.isEmpty)
    }
  }

  @Test(arguments: [4, 5, 6, 7, 8, 9, 10, 12, 16, 24]) func openFiles(_ count: Int) throws {
    try expectDiagnostics(under: "ulimit -n \(count); exec", try workspace())
  }

  /// In blocks of 1024 bytes.
  @Test(arguments: [0, 1, 8, 64]) func longFiles(_ blocks: Int) throws {
    try expectDiagnostics(under: "ulimit -f \(blocks); exec", try workspace())
  }

  /// Kilobytes of addresses that the command takes to begin. With fewer the dynamic linker gives up, or Swift's runtime
  /// where few are missing, before the command has any say.
  private static let least: Int = {
    var (low, high) = (40_000, 1_000_000)
    while high - low > 500 {
      let middle = (low + high) / 2
      let begins = (try? MLCProcess(script: script("ulimit -v \(middle); exec"), ["--version"]).status) == 0
      (low, high) = begins ? (low, middle) : (middle, high)
    }
    return high
  }()

  /// In kilobytes beyond what the command takes to begin.
  @Test(arguments: [500, 5000, 20_000, 70_000, 170_000, 870_000]) func memory(_ more: Int) throws {
    let work = try workspace()
    let limit = "ulimit -v \(Self.least + more); exec"
    for arguments in Self.commands(work) {
      let run = try MLCProcess(script: Self.script(limit), arguments)
      let isRefused = run.status == 5 && run.errors.contains("[")
      #expect(run.status == 0 || isRefused, "\(limit) \(arguments): \(run.status)\n\(run.errors)")
    }
  }

  @Test func memoryForLessThanTheCommand() throws {
    let run = try MLCProcess(script: Self.script("ulimit -v \(Self.least / 2); exec"), ["--version"])
    #expect(run.status == 127 && run.errors.contains("while loading shared libraries"), "\(run.errors)")
  }

  /// A tensor of the other byte order is copied, and there is no room for the copy.
  @Test func memoryForOneTensor() throws {
    let work = try Workspace()
    let file = URL(filePath: work.path("x.npy"))
    let header = "{'descr': '>f4', 'fortran_order': False, 'shape': (60000000,), }"
    let padded = header.padding(toLength: 117, withPad: " ", startingAt: 0) + "\n"
    try (Data([0x93]) + Data("NUMPY".utf8) + Data([1, 0, 118, 0]) + Data(padded.utf8)).write(to: file)
    // The elements are a hole, which takes no room.
    try FileHandle(forWritingTo: file).truncate(atOffset: 128 + 240_000_000)
    let run = try MLCProcess(script: Self.script("ulimit -v 500000; exec"), ["inspect", file.path()])
    #expect(run.status == 5 && run.errors.contains("[memory.exhausted]"), "\(run.status)\n\(run.errors)")
  }

  private static let mayBeAnother = geteuid() == 0 && FileManager.default.fileExists(atPath: "/usr/bin/setpriv")

  /// Threads and processes, of a user who has none yet: limits of their number do not hold for root.
  @Test(
    .enabled(if: mayBeAnother, "needs root and setpriv, to become a user without processes"),
    arguments: [1, 2, 3, 8]
  )
  func threads(_ count: Int) throws {
    let work = try workspace()
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: work.url.path())
    let limit = "exec setpriv --reuid=\(61_000 + count) --clear-groups prlimit --nproc=\(count)"
    let check = try MLCProcess(script: "\(limit) \"$@\"", ["devices"])
    guard check.status != 126, check.status != 127 else { return }  // the build's folder is closed to other users
    for arguments in Self.commands(work) {
      let run = try MLCProcess(script: "\(limit) \"$@\"", arguments, environment: ["TMPDIR": work.url.path()])
      let isRefused = run.status == 5 && run.errors.contains("[")
      #expect(run.status == 0 || isRefused, "\(count) threads, \(arguments): \(run.status)\n\(run.errors)")
      for name in ["out.mlpackage", "out.mlmodelc"] { try? FileManager.default.removeItem(atPath: work.path(name)) }
    }
  }

  // MARK: Output

  private static func speaking(_ work: Workspace) -> [[String]] {
    // `build` has nothing to say but with --json.
    commands(work).map { $0[0] == "build" ? $0 + ["--json"] : $0 } + [
      ["--version"], ["completion", "bash"], ["--generate-completion-script", "zsh"], ["compile", "--help"],
      ["explain", "conv"], ["cache", "list"], ["cache", "clear", "--json"],
    ]
  }

  @Test func outputThatIsFullOrClosed() throws {
    let work = try workspace()
    let cache = ["MLC_CACHE": work.path("cache")]
    for redirection in ["> /dev/full", ">&-"] {
      for arguments in Self.speaking(work) {
        let run = try MLCProcess(script: "exec \"$@\" \(redirection)", arguments, environment: cache)
        let isTold =
          run.status == 5 && run.errors.contains("cannot write the result") && run.errors.contains("[output.write]")
        #expect(isTold, "\(arguments) \(redirection): \(run.status)\n\(run.errors)")
      }
    }
    // Errors that nobody hears change nothing.
    #expect(try MLCProcess(script: "exec \"$@\" 2> /dev/full", ["compile", "/nonexistent.onnx"]).status == 3)
    #expect(try MLCProcess(script: "exec \"$@\" 2>&-", ["compile", "/nonexistent.onnx"]).status == 3)
  }

  /// As other commands do: quietly, by SIGPIPE.
  @Test func outputThatNobodyReads() throws {
    let script = "{ sleep 0.5; exec \"$@\"; } | true; exit ${PIPESTATUS[0]}"
    for arguments in [["explain", "list"], ["--help"], ["devices", "--json"]] {
      let run = try MLCProcess(script: script, arguments)
      #expect(run.status == 128 + SIGPIPE && run.errors.isEmpty, "\(arguments): \(run.status) \(run.errors)")
    }
  }

  /// No file takes the place of a closed descriptor, and is written to.
  @Test func closedDescriptorsStayUnused() throws {
    let work = try workspace()
    let out = work.path("out.npz")
    let arguments = [
      "predict", work.path("model.mlmodelc"), "--inputs", MLCProcess.fixture("classifier.npz"), "-o", out,
    ]
    try #require(try MLCProcess(arguments: arguments).status == 0)
    let before = try Data(contentsOf: URL(filePath: out))
    #expect(try MLCProcess(script: "exec \"$@\" <&- >&- 2>&-", arguments).status == 5)
    #expect(try Data(contentsOf: URL(filePath: out)) == before)
  }
}

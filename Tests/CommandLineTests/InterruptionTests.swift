import Foundation
import Testing

/// Commands that are ended before they are done: what they write is absent, old or new, and whole; nothing else stays.
@Suite(.serialized) struct InterruptionTests {
  /// A command, and the results that it writes into its workspace.
  private struct Case: Sendable {
    var name: String, results: [String]
    var arguments: @Sendable (Workspace) -> [String]

    init(_ name: String, _ results: [String], _ arguments: @escaping @Sendable (Workspace) -> [String]) {
      (self.name, self.results, self.arguments) = (name, results, arguments)
    }
  }

  private static let cases: [Case] = [
    Case("convert", ["out.mlpackage"]) { ["convert", $0.path("classifier.onnx"), "-o", $0.path("out.mlpackage")] },
    Case("compress", ["out.mlpackage"]) {
      [
        "compress", $0.path("classifier.onnx"), "--quantize", "int8", "--min-elements", "0", "-o",
        $0.path("out.mlpackage"),
      ]
    },
    Case("compile", ["out.mlmodelc"]) {
      ["compile", $0.path("classifier.onnx"), "-o", $0.path("out.mlmodelc"), "--target", "x86-64-v2,x86-64-v3"]
    },
    Case("update", ["out.mlpackage"]) {
      [
        "update", $0.path("classifier.onnx"), "--data", MLCProcess.fixture("examples.json"), "--loss", "cross-entropy",
        "--epochs", "2", "-o", $0.path("out.mlpackage"),
      ]
    },
    Case("build", ["out.mlmodelc", "out.swift"]) {
      ["build", $0.path("classifier.onnx"), "--package", $0.path("out.mlmodelc"), "--code", $0.path("out.swift")]
    },
    Case("predict", ["out.npz"]) {
      [
        "predict", $0.path("classifier.onnx"), "--inputs", MLCProcess.fixture("classifier.npz"), "-o",
        $0.path("out.npz"),
      ]
    },
    // Compiles into the cache where this machine is more than what the package has code for.
    Case("bench", ["cache"]) { ["bench", $0.path("portable.mlmodelc"), "--iterations", "1"] },
  ]

  /// Moments for each command and signal. More are tried with MLC_TEST_INTERRUPTIONS.
  private static let moments =
    ProcessInfo.processInfo.environment["MLC_TEST_INTERRUPTIONS"].flatMap { Int($0) } ?? 3

  private func environment(_ work: Workspace) -> [String: String] {
    [
      "MLC_CACHE": work.path("cache"), "MLC": MLCProcess.executable.path(), "TMPDIR": work.path("temporary"),
    ]
  }

  private func workspace() throws -> Workspace {
    let work = try Workspace()
    _ = try work.copy("classifier.onnx")
    for folder in ["cache", "temporary"] {
      try FileManager.default.createDirectory(atPath: work.path(folder), withIntermediateDirectories: false)
    }
    return work
  }

  /// What the command leaves when nobody interrupts it, and how long it takes, in microseconds.
  private func reference(_ row: Case, _ work: Workspace) throws -> (trees: [[String: Data]?], duration: UInt64) {
    let start = ContinuousClock.now
    let run = try MLCProcess(arguments: row.arguments(work), environment: environment(work))
    try #require(run.status == 0, "\(row.name): \(run.errors)")
    let duration = UInt64((ContinuousClock.now - start) / .microseconds(1))
    return (row.results.map { packages(work, $0) }, duration)
  }

  /// The result without what a cache has beside its packages, and what a build's times are in.
  private func packages(_ work: Workspace, _ result: String) -> [String: Data]? {
    work.tree(result)?.filter { !$0.key.hasSuffix(".lock") }
  }

  private func remove(_ row: Case, _ work: Workspace) throws {
    for name in row.results + ["out.mlmodelc.stamp"] { try? FileManager.default.removeItem(atPath: work.path(name)) }
    try FileManager.default.createDirectory(atPath: work.path("cache"), withIntermediateDirectories: true)
  }

  /// Results of an earlier run, with other bytes than this one's.
  private func makeOld(_ row: Case, _ work: Workspace) throws -> [[String: Data]?] {
    try remove(row, work)
    _ = try reference(row, work)
    for result in row.results where result != "cache" {
      let path = work.path(result)
      let package = ["Manifest.json", "manifest.json"].first { FileManager.default.fileExists(atPath: "\(path)/\($0)") }
      let extra = package == nil ? path : "\(path)/old"
      try Data("old".utf8).write(to: URL(filePath: extra))
    }
    try? FileManager.default.removeItem(atPath: work.path("out.mlmodelc.stamp"))
    return row.results.map { packages(work, $0) }
  }

  @Test func leaveOldOrNewAndWhole() throws {
    var random = SystemRandomNumberGenerator()
    var count = 0
    for row in Self.cases {
      let work = try workspace()
      if row.name == "bench" {
        let arguments = ["compile", work.path("classifier.onnx"), "--portable", "--target", "x86-64-v2"]
        try #require(try MLCProcess(arguments: arguments + ["-o", work.path("portable.mlmodelc")]).status == 0)
      }
      let (new, duration) = try reference(row, work)
      for moment in 0..<Self.moments {
        for signal in [SIGKILL, SIGTERM, SIGINT] {
          let isFresh = moment % 2 == 0
          if isFresh { try remove(row, work) }
          let old = isFresh ? row.results.map { $0 == "cache" ? [:] : nil } : try makeOld(row, work)
          let process = try StartedProcess(row.arguments(work), environment: environment(work))
          usleep(UInt32(UInt64.random(in: 0...duration * 11 / 10, using: &random)))
          process.send(signal)
          let status = process.end()
          count += 1
          #expect([0, 128 + signal].contains(status), "\(row.name), signal \(signal): \(status)")
          // Where the command is killed, what it started ends on its own.
          let isQuiet = StartedProcess.wait { !StartedProcess.isRunning(work.url.lastPathComponent) }
          #expect(isQuiet, "\(row.name): something runs on")
          for (place, result) in row.results.enumerated() {
            let found = packages(work, result)
              .map { $0.filter { !$0.key.contains(".mlc-") } }
            #expect([old[place], new[place]].contains(found), "\(row.name), signal \(signal): \(result) is damaged")
          }
          if signal != SIGKILL {
            #expect(work.leftovers.isEmpty, "\(row.name), signal \(signal): \(work.leftovers)")
          } else {
            try remove(row, work)
            let again = try reference(row, work)
            #expect(again.trees == new && work.leftovers.isEmpty, "\(row.name) after SIGKILL: \(work.leftovers)")
          }
          let temporary = try FileManager.default.contentsOfDirectory(atPath: work.path("temporary"))
          #expect(temporary.isEmpty, "\(row.name), signal \(signal): \(temporary)")
        }
      }
    }
    print("\(count) interruptions")
  }

  /// A C compiler that never ends, with a child that never ends.
  private func hang(_ work: Workspace) throws -> (environment: [String: String], word: String) {
    let word = "\(1000 + Int.random(in: 0..<1 << 30)).5"
    let started = work.path("started")
    let compiler = try work.script("cc", "(sleep \(word) &)\n> \(started)\nexec sleep \(word)")
    return (environment(work).merging(["MLC_CC": compiler]) { $1 }, word)
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP, SIGKILL]) func endTheCompilerToo(_ signal: Int32) throws {
    let commands: [@Sendable (Workspace) -> [String]] = [
      { ["compile", $0.path("classifier.onnx"), "-o", $0.path("out.mlmodelc")] },
      { ["predict", $0.path("classifier.onnx"), "--inputs", MLCProcess.fixture("classifier.npz")] },
      { ["bench", $0.path("classifier.onnx")] }, { ["verify", $0.path("classifier.onnx")] },
      { ["build", $0.path("classifier.onnx")] },
    ]
    for arguments in commands {
      let work = try workspace()
      let before = work.contents
      let (environment, word) = try hang(work)
      let process = try StartedProcess(arguments(work), environment: environment)
      let started = work.path("started")
      try #require(
        StartedProcess.wait {
          FileManager.default.fileExists(atPath: started) && StartedProcess.count(of: word) >= 2
        }
      )
      process.send(signal)
      #expect(process.end() == 128 + signal)
      #expect(StartedProcess.wait { !StartedProcess.isRunning(word) })
      if signal == SIGKILL {
        // The next run tidies up, and does its work.
        #expect(try MLCProcess(arguments: arguments(work), environment: self.environment(work)).status == 0)
      } else {
        #expect(work.contents == (before + ["cc", "started"]).sorted())
      }
      #expect(work.leftovers.isEmpty)
      #expect(try FileManager.default.contentsOfDirectory(atPath: work.path("temporary")).isEmpty)
    }
  }

  /// Signals that a command was started to ignore, as nohup does, are ignored.
  @Test func ignoreWhatTheyShallIgnore() throws {
    let work = try workspace()
    let compiler = try work.script("cc", "> \(work.path("started"))\nsleep 1\nexec clang \"$@\"")
    let script =
      "trap '' HUP; \"$0\" \"$@\" & "
      + "while [ ! -e \(work.path("started")) ]; do sleep 0.05; done; kill -HUP $!; wait $!"
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments =
      [
        "-c", script, MLCProcess.executable.path(), "compile", work.path("classifier.onnx"), "-o",
        work.path("out.mlmodelc"),
      ]
    process.environment = ProcessInfo.processInfo.environment.merging(["MLC_CC": compiler]) { $1 }
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationReason == .exit && process.terminationStatus == 0)
  }

  /// Two runs at once leave each other's temporary folders alone.
  @Test func doNotDisturbEachOther() throws {
    let work = try workspace()
    let runs = try (0..<4).map { number in
      try StartedProcess(["compile", work.path("classifier.onnx"), "-o", work.path("out\(number).mlmodelc")])
    }
    #expect(runs.map { $0.end() } == [0, 0, 0, 0])
    #expect(work.tree("out0.mlmodelc") == work.tree("out3.mlmodelc") && work.leftovers.isEmpty)
  }
}

import Foundation
import Testing

/// C compilers that are none: the environment is to blame, and neither the model nor mlc.
@Suite struct CompilerFaultTests {
  private let work: Workspace

  init() throws { work = try Workspace() }

  private func compile(_ compiler: String) throws -> MLCProcess {
    try MLCProcess(
      "compile",
      MLCProcess.fixture("classifier.onnx"),
      "-o",
      work.path("out.mlmodelc"),
      environment: ["MLC_CC": compiler]
    )
  }

  /// A script that finds the file behind -o in `$out`.
  private func script(_ name: String, _ text: String) throws -> String {
    try work.script(name, "for word; do [ \"$before\" = -o ] && out=$word; before=$word; done\n\(text)")
  }

  @Test func thatDoNothingOrFail() throws {
    var compilers = ["/bin/true", "/bin/false"]
    compilers.append(try script("fails", "exit 1"))
    compilers.append(try script("speaks", "echo nonsense >&2; exit 1"))
    compilers.append(try script("garbage", "echo garbage > $out"))
    compilers.append(try script("empty", "> $out"))
    compilers.append(try script("elf", "printf '\\177ELF' > $out"))
    compilers.append(try script("objects", "[ $1 = -shared ] && exit 0; exec clang \"$@\""))
    compilers.append(try script("pipes", "mkfifo $out"))
    compilers.append(try script("killed", "kill -SEGV $$"))
    for compiler in compilers {
      let run = try compile(compiler)
      let isRight = run.status == 5 && run.errors.contains("[compiler.unusable]") && run.output.isEmpty
      #expect(isRight, "\(compiler): \(run.status)\n\(run.errors)")
    }
    #expect(work.leftovers.isEmpty && !work.contents.contains("out.mlmodelc"))
  }

  @Test func thatRunOutOfSomething() throws {
    let faults = [
      "echo 'cc: error: No space left on device' >&2; exit 1", "echo 'LLVM ERROR: out of memory' >&2; kill -ABRT $$",
      "kill -XCPU $$", "kill -KILL $$",
    ]
    for (number, fault) in faults.enumerated() {
      let run = try compile(try script("cc\(number)", fault))
      #expect(run.status == 5 && run.errors.contains("[compiler.limit]"), "\(fault): \(run.status)\n\(run.errors)")
    }
    #expect(work.leftovers.isEmpty)
  }

  /// The compiler has no more time than the whole command.
  @Test func thatNeverEnd() throws {
    let word = "\(1000 + Int.random(in: 0..<1 << 30)).5"
    let compiler = try work.script("cc", "(sleep \(word) &)\nexec sleep \(word)")
    let run = try MLCProcess(
      "compile",
      MLCProcess.fixture("classifier.onnx"),
      "-o",
      work.path("out.mlmodelc"),
      "--limit-time",
      "3s",
      environment: ["MLC_CC": compiler]
    )
    #expect(run.status == 5 && run.errors.contains("ran longer than"), "\(run.status)\n\(run.errors)")
    #expect(run.errors.contains("[compiler.limit]") && !StartedProcess.isRunning(word) && work.leftovers.isEmpty)
  }

  @Test func thatAreNoPrograms() throws {
    let text = work.path("text")
    try Data("no program".utf8).write(to: URL(filePath: text))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: text)
    let run = try compile(text)
    #expect(run.status == 5 && run.errors.contains("[process.start]"), "\(run.status)\n\(run.errors)")
  }

  /// It sees a folder of its own, PATH and no other variables, and has limits.
  @Test func areConfined() throws {
    let seen = work.path("seen")
    let compiler = try script("cc", "{ env; pwd; ulimit -c; ulimit -t; ulimit -n; ulimit -v; } > \(seen)\nexit 1")
    let run = try MLCProcess(
      "compile",
      MLCProcess.fixture("classifier.onnx"),
      "-o",
      work.path("out.mlmodelc"),
      environment: ["MLC_CC": compiler, "SECRET": "secret", "CPATH": "/nowhere", "http_proxy": "x"]
    )
    #expect(run.status == 5)
    let lines = try String(contentsOfFile: seen, encoding: .utf8).split(separator: "\n").map(String.init)
    let variables = Dictionary(
      lines.compactMap { $0.firstIndex(of: "=") == nil ? nil : $0 }.map { line in
        (String(line.prefix { $0 != "=" }), String(line.drop { $0 != "=" }.dropFirst()))
      }
    ) { first, _ in first }
    let allowed: Set = ["PATH", "HOME", "TMPDIR", "LC_ALL", "LD_LIBRARY_PATH", "PWD", "OLDPWD", "SHLVL", "_"]
    #expect(Set(variables.keys).isSubset(of: allowed), "\(variables.keys.sorted())")
    #expect(variables["HOME"] == variables["TMPDIR"] && variables["HOME"]?.contains("/.mlc-") == true)
    let rest = lines.filter { !$0.contains("=") }
    #expect(rest.count == 5 && rest[0] == variables["HOME"] && rest[1] == "0" && rest[2] == "600" && rest[3] == "256")
    #expect(Int(rest[4]) != nil)
  }
}

import Foundation
import MLCCore
import Testing

@Suite struct ChildProgramTests {
  private func shell(_ script: String, _ change: (inout ChildProgram) -> Void = { _ in }) -> ChildProgram {
    let environment = ChildProgram.environment(keeping: ["PATH"])
    var program = ChildProgram("/bin/sh", ["-c", script], environment: environment, limits: ChildLimits())
    change(&program)
    return program
  }

  @Test func answersStatusAndMessages() throws {
    let end = try shell("echo out; echo problem >&2; exit 3").run()
    #expect(end.kind == .exited(3) && end.status == 3 && end.messages == "problem\n")
    let killed = try shell("kill -9 $$").run()
    #expect(killed.kind == .signalled(9) && killed.status == 128 + 9)
    // More than a pipe holds, of which the first part is kept.
    let long = try shell("head -c 1000000 /dev/zero | tr '\\0' x >&2").run()
    #expect(long.status == 0 && (1 << 16..<1 << 17).contains(long.messages.utf8.count))
  }

  @Test func saysWhatCannotBeRun() {
    let program = ChildProgram("/nowhere/program", [], environment: [:], limits: ChildLimits())
    #expect { try program.run() } throws: {
      ($0 as? Diagnostic)?.id == "process.start" && ($0 as? Diagnostic)?.kind == .environment
    }
    #expect { try shell("") { $0.folder = "/nowhere" }.run() } throws: { ($0 as? Diagnostic)?.id == "process.start" }
  }

  @Test func runsSeveralAtOnceAndKeepsTheirOrder() throws {
    let programs = (0..<9).map { shell("echo \($0) >&2") }
    #expect(try ChildProgram.run(programs, atOnce: 3).map { $0.messages } == (0..<9).map { "\($0)\n" })
    // None begins after one that fails.
    let failing = [shell(""), shell("exit 3"), shell("")]
    #expect(try ChildProgram.run(failing, atOnce: 1).map { $0.status } == [0, 3])
    #expect(throws: Diagnostic.self) {
      let missing = ChildProgram("/nowhere", [], environment: [:], limits: ChildLimits())
      _ = try ChildProgram.run(programs + [missing], atOnce: 3)
    }
  }

  @Test func hasOnlyWhatItIsGiven() throws {
    setenv("MLC_TEST_SECRET", "secret", 1)
    let environment = try shell("env >&2").run().messages.split(separator: "\n").map { $0.prefix { $0 != "=" } }
    #expect(Set(environment).isSubset(of: ["PATH", "LC_ALL", "LD_LIBRARY_PATH", "PWD", "SHLVL", "OLDPWD", "_"]))
    // Standard descriptors, the one that lists them, and the one that is given.
    let null = try OpenFile(reading: "/proc/self/cmdline")
    let open = try shell("ls /proc/self/fd >&2") { $0.files = [null.descriptor] }.run().messages
    #expect(open == "0\n1\n2\n3\n4\n")
    #expect(try shell("cat; cat <&3 >&2") { $0.files = [null.descriptor] }.run().messages.isEmpty == false)
    #expect(try shell("ps -o pgid= $$ | tr -d ' ' >&2; echo $$ >&2").run().groupIsItsOwn)
  }

  @Test func isLimited() throws {
    let limited = shell("ulimit -t >&2; ulimit -v >&2; ulimit -d >&2; ulimit -f >&2; ulimit -n >&2; ulimit -c >&2") {
      ($0.limits.cpuSeconds, $0.limits.addressBytes, $0.limits.memoryBytes) = (7, 1 << 31, 1 << 30)
      ($0.limits.fileBytes, $0.limits.descriptors) = (1 << 20, 32)
    }
    #expect(try limited.run().messages == "7\n\(1 << 21)\n\(1 << 20)\n2048\n32\n0\n")
    // This process has no file limit; a program that meets its own is ended by the signal that says so.
    let file = FileManager.default.temporaryDirectory.appending(path: "mlc-child-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    let writer = ChildProgram(
      "/bin/dd",
      ["if=/dev/zero", "of=\(file.path())", "bs=4096", "count=2"],
      environment: [:],
      limits: ChildLimits()
    )
    var small = writer
    small.limits.fileBytes = 4096
    #expect(try writer.run().status == 0)
    #expect(try small.run().kind == .signalled(SIGXFSZ))
    let busy = try shell("while :; do :; done") { $0.limits.cpuSeconds = 1 }.run()
    #expect(busy.kind == .signalled(SIGXCPU))
  }

  @Test func isStoppedWithAllThatItStarted() throws {
    let word = "\(300 + Int.random(in: 0..<1 << 20)).5"
    let scripts = [
      "sleep \(word)", "trap '' TERM; sleep \(word)", "(setsid sleep \(word) &); (sleep \(word) &); sleep \(word)",
      "(setsid sh -c \"trap '' TERM; sleep \(word)\" &); exec sleep \(word)",
    ]
    for script in scripts {
      #expect(try shell(script) { $0.limits.wallSeconds = 1 }.run().kind == .tooLong)
      #expect(!Self.isRunning(word), "\(script)")
    }
    // What it leaves behind when it ends by itself goes too.
    #expect(try shell("(setsid sleep \(word) &); (sleep \(word) &)").run().status == 0)
    #expect(!Self.isRunning(word))
  }

  @Test(.enabled(if: ChildProgram.canIsolate, "this system has no filters of system calls"))
  func hasNoNetwork() throws {
    let script = "exec 3<>/dev/tcp/127.0.0.1/9"
    var program = ChildProgram("/bin/bash", ["-c", script], environment: ["LC_ALL": "C"], limits: ChildLimits())
    let alone = try program.run()
    #expect(alone.status != 0 && alone.messages.contains("socket: Permission denied"), "\(alone)")
    program.limits.hasNetwork = true
    #expect(try !program.run().messages.contains("Permission denied"))
  }

  /// Whether a process has `word` among its arguments.
  static func isRunning(_ word: String) -> Bool {
    let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return processes.contains { process in
      guard Int(process) != nil, let line = FileManager.default.contents(atPath: "/proc/\(process)/cmdline") else {
        return false
      }
      return line.split(separator: 0).contains { $0.elementsEqual(word.utf8) }
    }
  }
}

extension ChildProgram.End {
  /// Whether the two lines of messages, a group and a process, are the same number.
  fileprivate var groupIsItsOwn: Bool {
    let lines = messages.split(separator: "\n")
    return lines.count == 2 && lines[0] == lines[1]
  }
}

import Foundation
import Testing

/// A command where an empty folder covers another.
private enum Hiding {
  static let script = #"exec unshare --map-root-user --mount bash -c 'mount -t tmpfs none "$0" && exec "$@"' "#

  /// Whether this machine lets its users cover folders.
  static let isPossible = (try? MLCProcess(script: script + "/dev true", []).status) == 0
}

/// Roots in which systems were not set up whole, as those of small containers: without devices, without processes.
@Suite struct BareSystemTests {
  private func run(without folder: String, _ arguments: String...) throws -> MLCProcess {
    try MLCProcess(script: Hiding.script + folder + #" "$@""#, arguments)
  }

  /// What reads HDF5 is a process of its own, whose output goes nowhere even where there is no `/dev/null`.
  @Test(.enabled(if: Hiding.isPossible)) func modelsAreReadWithoutDevices() throws {
    let run = try run(without: "/dev", "inspect", MLCProcess.fixture("dense.h5"))
    #expect(run.status == 0 && run.output.contains("input"), "\(run.errors)")
  }

  /// Without `/proc` a program has no arguments: that is said, instead of what the command is for.
  @Test(.enabled(if: Hiding.isPossible)) func missingProcessesAreNamed() throws {
    let run = try run(without: "/proc", "inspect", MLCProcess.fixture("dense.h5"))
    #expect(run.status == 5 && run.output.isEmpty)
    #expect(run.errors.contains("there is no /proc") && run.errors.contains("mount -t proc"), "\(run.errors)")
  }
}

import TestSupport
import Testing

/// ML programs that coremltools makes, on the interpreter and on a level of this CPU, against answers computed without
/// mlc and without Core ML.
@Suite(.serialized) struct ProgramTests {
  /// One or a few operators each, by its builders (`Tests/Corpora/coreml/make_programs.py`).
  @Test func built() throws { try play("programs.zip", least: 290) }

  /// Modules and functions of PyTorch, by its converter (`Tests/Corpora/coreml/make_torch_programs.py`).
  @Test func convertedFromPyTorch() throws { try play("torch_programs.zip", least: 200) }

  private func play(_ name: String, least: Int) throws {
    let archive = try ModelArchive(name, inner: "programs.zip")
    let (names, problems) = (archive.names(with: ".npz"), archive.problems())
    print("\(name): \(names.count) ML programs, \(problems.count) problems")
    #expect(problems.isEmpty, "\(problems.joined(separator: "\n"))")
    #expect(names.count >= least)
  }
}

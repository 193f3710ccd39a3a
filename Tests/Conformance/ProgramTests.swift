import Testing

/// ML programs that coremltools builds, one or a few operators each, on the interpreter and on a level of this CPU,
/// against answers computed without mlc and without Core ML (`Tests/Corpora/coreml/make_programs.py`).
@Suite(.serialized) struct ProgramTests {
  @Test func everyExecutorAgrees() throws {
    let archive = try ModelArchive("programs.zip", inner: "programs.zip")
    let (names, problems) = (archive.names, archive.problems())
    print("\(names.count) ML programs, \(problems.count) problems")
    #expect(problems.isEmpty, "\(problems.joined(separator: "\n"))")
    #expect(names.count >= 290)
  }
}

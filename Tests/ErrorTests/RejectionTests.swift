import Testing

@Suite struct RejectionTests {
  /// Each input is refused with the id of its row.
  @Test func everyInputIsRefused() {
    let problems = Rejection.all.compactMap { $0.problem }
    #expect(problems.isEmpty, "\(problems.count) of \(Rejection.all.count):\n\(problems.joined(separator: "\n"))")
  }
}

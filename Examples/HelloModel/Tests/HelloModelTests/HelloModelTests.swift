import Foundation
import Testing

@testable import HelloModel

@Suite struct HelloModelTests {
  @Test func theModelKnowsTheSine() async throws {
    let angles = (0...60).map { Float($0) / 10 }
    let answers = try await HelloModel.sines(of: angles)
    #expect(answers.count == angles.count)
    for (angle, answer) in zip(angles, answers) {
      #expect(abs(answer - sin(angle)) < 0.05, "sin \(angle)")
    }
  }
}

import CoreML
import Foundation
import Testing

@Suite struct ModelErrorTests {
  @Test func areErrorsOfFoundation() {
    let error = MLModelError(.io, userInfo: [NSLocalizedDescriptionKey: "gone", "path": "/a"])
    let object = error as NSError
    #expect(object.domain == MLModelErrorDomain && object.code == 3 && object.userInfo["path"] as? String == "/a")
    #expect(object.localizedDescription == "gone" && error.localizedDescription == "gone")
    #expect(MLModelError(_nsError: object) == error && error._nsError.code == 3)
    #expect(MLModelError(.generic).localizedDescription == "the model failed")
  }

  /// As Apple's Foundation prints the object that the error is.
  @Test func arePrinted() {
    let error: any Error = MLModelError(.io, userInfo: [NSLocalizedDescriptionKey: "there is no model"])
    let text = "Error Domain=com.apple.CoreML Code=3 \"there is no model\""
    #expect("\(error)" == text && String(reflecting: error) == text)
    #expect("\(MLModelError(.predictionCancelled))" == "Error Domain=com.apple.CoreML Code=11 \"the model failed\"")
  }

  /// A name out of a model's file stays on its line.
  @Test func namesStayOnTheirLine() throws {
    #expect {
      try MLModel(contentsOf: URL(filePath: "/no\u{1b}[31mwhere\u{7}.mlmodelc"))
    } throws: {
      !"\($0)".contains { $0 == "\u{1b}" || $0 == "\u{7}" } && "\($0)".hasPrefix("Error Domain=com.apple.CoreML")
    }
  }

  @Test func objectsAreCaughtByCode() {
    func code(_ error: any Error) -> String {
      do { throw error } catch MLModelError.io { return "io" } catch { return "other" }
    }
    #expect(code(NSError(domain: MLModelErrorDomain, code: 3)) == "io" && code(MLModelError(.io)) == "io")
    #expect(code(NSError(domain: "else", code: 3)) == "other" && code(CancellationError()) == "other")
  }
}

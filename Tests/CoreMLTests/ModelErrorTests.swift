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

  @Test func objectsAreCaughtByCode() {
    func code(_ error: any Error) -> String {
      do { throw error } catch MLModelError.io { return "io" } catch { return "other" }
    }
    #expect(code(NSError(domain: MLModelErrorDomain, code: 3)) == "io" && code(MLModelError(.io)) == "io")
    #expect(code(NSError(domain: "else", code: 3)) == "other" && code(CancellationError()) == "other")
  }
}

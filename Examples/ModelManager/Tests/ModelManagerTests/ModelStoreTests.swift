import CoreML
import Foundation
import Testing

@testable import ModelManager

@Suite struct ModelStoreTests {
  @Test(arguments: [("double.onnx", 2), ("half.mlpackage", 0.5)] as [(String, Float)])
  func aDownloadedModelIsCompiledAndAnswers(_ name: String, _ scale: Float) async throws {
    try await Samples.inFolder { folder in
      let store = try ModelStore(folder: folder, compile: Samples.compile)
      let compiled = try await store.compiled(try Samples.model(name))
      #expect(compiled.deletingLastPathComponent().path == folder.path)
      #expect(try Samples.answers(try MLModel(contentsOf: compiled)) == [1, 2, 3, 4, 5].map { scale * $0 })
      // Nothing else is left there.
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [compiled.lastPathComponent])
    }
  }

  /// The compiler waits while both ask.
  @Test func twoAskersGetOneCompilation() async throws {
    try await Samples.inFolder { folder in
      let (counter, gate) = (Counter(), Gate())
      let store = try ModelStore(folder: folder.appendingPathComponent("store")) { _ in
        await counter.add()
        await gate.pass()
        return try Self.result(in: folder)
      }
      let model = try Samples.model("double.onnx")
      // The same content under another name is the same model.
      let copy = folder.appendingPathComponent("copy.onnx")
      try FileManager.default.copyItem(at: model, to: copy)
      async let first = store.compiled(model)
      async let second = store.compiled(copy)
      while await counter.count == 0 { await Task.yield() }
      try await Task.sleep(for: .milliseconds(50))
      await gate.open()
      let (one, other) = try await (first, second)
      #expect(one == other)
      #expect(await counter.count == 1)
      // A store that is opened later finds it.
      let later = try ModelStore(folder: folder.appendingPathComponent("store")) { _ in
        throw CocoaError(.featureUnsupported)
      }
      let found = try await later.compiled(model)
      #expect(found == one)
    }
  }

  @Test func otherContentIsAnotherModel() async throws {
    let (double, treble) = (try Samples.model("double.onnx"), try Samples.model("treble.onnx"))
    #expect(try ModelContent.digest(double) != ModelContent.digest(treble))
    try await Samples.inFolder { folder in
      let half = folder.appendingPathComponent("half.mlpackage")
      try FileManager.default.copyItem(at: try Samples.model("half.mlpackage"), to: half)
      let before = try ModelContent.digest(half)
      #expect(try before == ModelContent.digest(try Samples.model("half.mlpackage")))
      let specification = half.appendingPathComponent("Data/com.apple.CoreML/model.mlmodel")
      try (try Data(contentsOf: specification) + [0]).write(to: specification)
      #expect(try before != ModelContent.digest(half))
    }
  }

  @Test func whatFailsLeavesNothingAndIsTriedAgain() async throws {
    try await Samples.inFolder { folder in
      let counter = Counter()
      let place = folder.appendingPathComponent("store")
      let store = try ModelStore(folder: place) { _ in
        await counter.add()
        if await counter.count == 1 { throw CocoaError(.fileReadCorruptFile) }
        return try Self.result(in: folder)
      }
      let model = try Samples.model("double.onnx")
      await #expect(throws: CocoaError.self) { try await store.compiled(model) }
      #expect(try FileManager.default.contentsOfDirectory(atPath: place.path).isEmpty)
      let compiled = try await store.compiled(model)
      #expect(FileManager.default.fileExists(atPath: compiled.path))
      #expect(await counter.count == 2)
    }
  }

  @Test func aFileThatIsNoModelIsRefused() async throws {
    try await Samples.inFolder { folder in
      let store = try ModelStore(folder: folder.appendingPathComponent("store"), compile: Samples.compile)
      let text = folder.appendingPathComponent("text.onnx")
      try Data("no model".utf8).write(to: text)
      await #expect(throws: MLModelError.self) { try await store.compiled(text) }
      await #expect(throws: CocoaError.self) { try await store.compiled(folder.appendingPathComponent("nothing.onnx")) }
    }
  }

  /// FIPS 180-4's examples, and a text of one block's length.
  @Test func digestsAreThoseOfTheStandard() {
    func digest(_ text: String) -> String {
      var digest = SHA256()
      digest.update(text.utf8)
      return digest.digest()
    }
    #expect(digest("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(digest("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    #expect(
      digest("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")
        == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    )
  }

  /// A folder in a folder of its own, as the compiler gives it.
  private static func result(in folder: URL) throws -> URL {
    let made = folder.appendingPathComponent("made-\(UUID().uuidString)/model.mlmodelc")
    try FileManager.default.createDirectory(at: made, withIntermediateDirectories: true)
    return made
  }
}

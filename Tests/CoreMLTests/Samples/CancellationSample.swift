import CoreML
import Foundation
import Testing

// A gallery that describes what is on the screen, and forgets what was scrolled away.

private final class Gallery: Sendable {
  private let model: MLModel

  init(model: MLModel) { self.model = model }

  /// The sum of what the model answers to a picture. `CancellationError` when the picture is no longer on the screen.
  func describe(_ picture: MLSendableFeatureValue) async throws -> Float {
    let features = try MLDictionaryFeatureProvider(dictionary: ["x": MLFeatureValue(picture)])
    let output = try await model.prediction(from: features, options: MLPredictionOptions())
    guard let y = output.featureValue(for: "y")?.shapedArrayValue(of: Float.self) else { throw MLModelError(.generic) }
    return y.scalars.reduce(0, +)
  }

  /// All of them at the same time, in their order.
  func describe(_ pictures: [MLSendableFeatureValue]) async throws -> [Float] {
    try await withThrowingTaskGroup(of: (Int, Float).self) { group in
      for (index, picture) in pictures.enumerated() {
        group.addTask { (index, try await self.describe(picture)) }
      }
      var sums = [Float](repeating: 0, count: pictures.count)
      for try await (index, sum) in group { sums[index] = sum }
      return sums
    }
  }
}

@Suite struct CancellationSample {
  private func picture(_ value: Float) -> MLSendableFeatureValue {
    MLSendableFeatureValue(MLShapedArray<Float>(repeating: value, shape: [64, 256]))
  }

  @Test func picturesAreDescribedAtTheSameTime() async throws {
    let gallery = Gallery(model: try await MLModel.load(contentsOf: Models.heavy.get()))
    let pictures = (0..<6).map { picture(Float($0) / 8) }
    let together = try await gallery.describe(pictures)
    for (index, sum) in together.enumerated() { #expect(try await gallery.describe(pictures[index]) == sum) }
    #expect(together[0] == 0)
  }

  @Test func whatIsScrolledAwayIsCancelled() async throws {
    let gallery = Gallery(model: try await MLModel.load(contentsOf: Models.heavy.get()))
    let pictures = Array(repeating: picture(1), count: 10_000)
    let scrolling = Task { try await gallery.describe(pictures) }
    scrolling.cancel()
    let result = await scrolling.result
    #expect(throws: CancellationError.self) { try result.get() }
  }
}

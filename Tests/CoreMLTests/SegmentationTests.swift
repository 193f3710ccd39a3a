import CoreML
import Foundation
import Testing

/// Post-processing of a YOLOv8 segmentation model on the flat arrays of its outputs, as applications do it.
@Suite struct SegmentationTests {
  private static let model = Sources.root.appending(path: ".cache/zoo/yolov8n_seg.onnx")

  struct Detection: Equatable {
    var label: Int
    var score: Float
    var box: [Float]
    var mask: [Float]
  }

  @Test func readsFlatArrays() async throws {
    let isThere = FileManager.default.fileExists(atPath: Self.model.path())
    try #require(isThere, "\(Self.model.path()) is absent: run 'make corpora'")
    #expect(Sources.commandIsNamed)
    let compiled = try await MLModel.compileModel(at: Self.model)
    defer { try? FileManager.default.removeItem(at: compiled.deletingLastPathComponent()) }
    let model = try MLModel(contentsOf: compiled)
    let image = try MLMultiArray(shape: [1, 3, 640, 640], dataType: .float32)
    image.withUnsafeMutableBufferPointer(ofType: Float.self) { pixels, strides in
      for channel in 0..<3 {
        for y in 0..<640 {
          for x in 0..<640 {
            pixels[channel * strides[1] + y * strides[2] + x * strides[3]] = Float((x ^ y) + 50 * channel & 255) / 255
          }
        }
      }
    }
    let output = try await model.prediction(from: MLDictionaryFeatureProvider(dictionary: ["images": image]))
    let boxes = try #require(output.featureValue(for: "output0")?.multiArrayValue)
    let prototypes = try #require(output.featureValue(for: "output1")?.multiArrayValue)
    #expect(boxes.shape == [1, 116, 8400] && prototypes.shape == [1, 32, 160, 160])
    let flat = detections(boxes, prototypes)
    #expect(!flat.isEmpty && flat.allSatisfy { $0.score.isFinite && $0.mask.allSatisfy(\.isFinite) })
    // The same through one element at a time.
    let best = flat[0]
    let column = try #require(
      (0..<8400).first { boxes[[0, 4 + best.label, $0] as [NSNumber]].floatValue == best.score }
    )
    for row in 0..<4 { #expect(boxes[[0, row, column] as [NSNumber]].floatValue == best.box[row]) }
    var corner: Float = 0
    for k in 0..<32 {
      corner +=
        boxes[[0, 84 + k, column] as [NSNumber]].floatValue * prototypes[[0, k, 0, 0] as [NSNumber]].floatValue
    }
    #expect(abs(corner - best.mask[0]) <= 1e-4 * max(1, abs(corner)))
  }

  /// The five best candidates, with their masks before the threshold.
  private func detections(_ output: MLMultiArray, _ prototypes: MLMultiArray) -> [Detection] {
    let columns = output.shape[2].intValue
    let scores = UnsafeMutablePointer<Float>(OpaquePointer(output.dataPointer))
    var candidates: [(score: Float, label: Int, column: Int)] = []
    for column in 0..<columns {
      var (label, score) = (0, -Float.infinity)
      for candidate in 0..<80 where scores[(4 + candidate) * columns + column] > score {
        (label, score) = (candidate, scores[(4 + candidate) * columns + column])
      }
      candidates.append((score, label, column))
    }
    candidates.sort { $0.score > $1.score }
    return candidates.prefix(5).map { candidate in
      let box = (0..<4).map { scores[$0 * columns + candidate.column] }
      let weights = (0..<32).map { scores[(84 + $0) * columns + candidate.column] }
      let size = prototypes.shape[2].intValue * prototypes.shape[3].intValue
      var mask = [Float](repeating: 0, count: size)
      prototypes.withUnsafeBufferPointer(ofType: Float.self) { planes in
        for (k, weight) in weights.enumerated() {
          for pixel in 0..<size { mask[pixel] += weight * planes[k * size + pixel] }
        }
      }
      return Detection(label: candidate.label, score: candidate.score, box: box, mask: mask)
    }
  }
}

import CoreML
import Foundation
import Testing

// What detectors answer, decoded in the ways that applications do: by subscripts, by pointers, by slices.

/// A box with its score: rows of `x, y, width, height, score`.
private struct Box: Equatable {
  var x: Float, y: Float, width: Float, height: Float, score: Float
}

private enum Decoder {
  /// By one `NSNumber` for each axis.
  static func bySubscripts(_ array: MLMultiArray, above threshold: Float) -> [Box] {
    var boxes: [Box] = []
    for row in 0..<array.shape[1].intValue {
      func value(_ column: Int) -> Float { array[[0, row as NSNumber, column as NSNumber]].floatValue }
      if value(4) > threshold {
        boxes.append(Box(x: value(0), y: value(1), width: value(2), height: value(3), score: value(4)))
      }
    }
    return boxes
  }

  /// By the buffer of all elements, and strides.
  static func byBuffer(_ array: MLMultiArray, above threshold: Float) throws -> [Box] {
    let elements = try UnsafeBufferPointer<Float>(array)
    let (rows, step, next) = (array.shape[1].intValue, array.strides[1].intValue, array.strides[2].intValue)
    return (0..<rows).compactMap { row in
      let values = (0..<5).map { elements[row * step + $0 * next] }
      guard values[4] > threshold else { return nil }
      return Box(x: values[0], y: values[1], width: values[2], height: values[3], score: values[4])
    }
  }

  /// By the untyped pointer, as older code does.
  static func byPointer(_ array: MLMultiArray, above threshold: Float) -> [Box] {
    let pointer = array.dataPointer.assumingMemoryBound(to: Float.self)
    let (step, next) = (array.strides[1].intValue, array.strides[2].intValue)
    return stride(from: 0, to: array.shape[1].intValue * step, by: step).compactMap { start in
      guard pointer[start + 4 * next] > threshold else { return nil }
      return Box(
        x: pointer[start],
        y: pointer[start + next],
        width: pointer[start + 2 * next],
        height: pointer[start + 3 * next],
        score: pointer[start + 4 * next]
      )
    }
  }

  /// By slices of a shaped array.
  static func bySlices(_ array: MLMultiArray, above threshold: Float) -> [Box] {
    MLShapedArray<Float>(array)[0].compactMap { row in
      guard let score = row[4].scalar, score > threshold else { return nil }
      let box = row[0..<4].scalars
      return Box(x: box[0], y: box[1], width: box[2], height: box[3], score: score)
    }
  }
}

@Suite struct PostprocessingSample {
  /// Boxes that lie densely, and with gaps and their axes exchanged in memory.
  @Test(arguments: [[30, 5, 1], [64, 8, 1], [36, 1, 7]]) func allWaysGiveTheSameBoxes(strides: [Int]) throws {
    let array = MLMultiArray(shape: [1, 6, 5], dataType: .float32, strides: strides)
    let expected = (0..<6).map { row in
      Box(x: Float(row), y: Float(row) * 2, width: 10, height: 20, score: Float(row) / 5)
    }
    for (row, box) in expected.enumerated() {
      for (column, value) in [box.x, box.y, box.width, box.height, box.score].enumerated() {
        array[[0, row, column] as [NSNumber]] = NSNumber(value: value)
      }
    }
    let kept = expected.filter { $0.score > 0.5 }
    #expect(kept.count == 3 && Decoder.bySubscripts(array, above: 0.5) == kept)
    #expect(try Decoder.byBuffer(array, above: 0.5) == kept)
    #expect(Decoder.byPointer(array, above: 0.5) == kept && Decoder.bySlices(array, above: 0.5) == kept)
  }

  /// The best class of each row of a model's answer.
  @Test func answersAreDecoded() throws {
    let model = try MLModel(contentsOf: Models.affine.get())
    let x = try MLMultiArray(shape: [2, 3], dataType: .float32)
    for (index, value) in [3, 1, 2, 0, 5, 4].enumerated() { x[index] = value as NSNumber }
    let input = try MLDictionaryFeatureProvider(dictionary: ["x": x, "ids": MLMultiArray([0, 0])])
    let y = try #require(model.prediction(from: input).featureValue(for: "y")?.multiArrayValue)
    let best = (0..<2).map { row in
      (0..<3).max { y[[row, $0] as [NSNumber]].floatValue < y[[row, $1] as [NSNumber]].floatValue }
    }
    #expect(best == [0, 1])
  }
}

import MLCCore
import MLCImage
import MLCTensorIO
import Testing

@Suite struct ImageInputTests {
  /// One row of two pixels, RGB.
  static let picture = Tensor(.uint8, [1, 2, 3], [0, 10, 20, 100, 110, 255])

  @Test func layoutsAndOrders() throws {
    let planes = try ImageInput().tensor(ImageInputTests.picture)
    #expect(planes == Tensor(.float32, [1, 3, 1, 2], [0, 100, 10, 110, 20, 255] as [Double]))
    let bgr = try ImageInput(layout: .nhwc, order: .bgr).tensor(ImageInputTests.picture)
    #expect(bgr == Tensor(.float32, [1, 1, 2, 3], [20, 10, 0, 255, 110, 100] as [Double]))
  }

  @Test func normalizesByChannel() throws {
    let input = ImageInput(mean: [100, 0, 0], deviation: [10, 1, 0.5], layout: .nhwc)
    let expected = Tensor(.float32, [1, 1, 2, 3], [-10, 10, 40, 0, 110, 510] as [Double])
    #expect(try input.tensor(ImageInputTests.picture) == expected)
  }

  @Test func integersSaturate() throws {
    let input = ImageInput(mean: [100], layout: .nhwc)
    let expected = Tensor(.int8, [1, 1, 2, 3], [-100, -90, -80, 0, 10, 127])
    #expect(try input.tensor(ImageInputTests.picture, as: .int8) == expected)
  }

  @Test func refusesListsOfOtherLengths() {
    for input in [ImageInput(mean: [1, 2]), ImageInput(deviation: []), ImageInput(deviation: [0])] {
      let id = diagnosticID { () throws(Diagnostic) in _ = try input.tensor(ImageInputTests.picture) }
      #expect(id == "image.normalization")
    }
    let scalar = Tensor(.uint8, [], [1])
    #expect(diagnosticID { () throws(Diagnostic) in _ = try ImageInput().tensor(scalar) } == "image.shape")
  }

  @Test func resizesBilinearly() throws {
    let row = Tensor(.uint8, [1, 2, 1], [0, 100])
    #expect(try ImageFile.resize(row, height: 1, width: 4) == Tensor(.uint8, [1, 4, 1], [0, 25, 75, 100]))
    #expect(try ImageFile.resize(row, height: 2, width: nil).shape == [2, 4, 1])
    #expect(try ImageFile.resize(row, height: nil, width: 1).integers == [50])
    #expect(try ImageFile.resize(row, height: nil, width: nil) == row)
    for extent in [0, -1, Int.max, 1 << 40] {
      let id = diagnosticID { () throws(Diagnostic) in _ = try ImageFile.resize(row, height: extent, width: nil) }
      #expect(id == "image.size")
    }
  }
}

@Suite struct CTCDecoderTests {
  private func scores(_ classes: [Int], of count: Int) -> Tensor {
    let values = classes.flatMap { best in (0..<count).map { $0 == best ? 0.5 : 0.1 } }
    return Tensor(.float32, [1, classes.count, count], values)
  }

  @Test func mergesRepetitionsAndDropsBlanks() throws {
    let decoder = try CTCDecoder(labels: ["a", "b"], classes: 3)
    let line = try decoder.lines(scores([0, 1, 1, 0, 1, 2, 2, 0], of: 3))[0]
    #expect(line.text == "aab" && line.confidence == 0.5)
    let nothing = try decoder.lines(scores([0, 0], of: 3))[0]
    #expect(nothing.text.isEmpty && nothing.confidence == 0)
  }

  @Test func theClassLeftOverIsTheSpace() throws {
    let decoder = try CTCDecoder(labels: ["a", "b"], classes: 4)
    #expect(try decoder.lines(scores([1, 3, 2], of: 4)).map { $0.text } == ["a b"])
  }

  @Test func decodesEachOfABatch() throws {
    let decoder = try CTCDecoder(labels: ["a"], classes: 2)
    let batch = Tensor(.float32, [2, 1, 2], [0, 1, 1, 0] as [Double])
    #expect(try decoder.lines(batch).map { $0.text } == ["a", ""])
  }

  @Test func refusesOtherShapes() throws {
    let make = { () throws(Diagnostic) in _ = try CTCDecoder(labels: ["a"], classes: 4) }
    #expect(diagnosticID(make) == "labels.count")
    let decoder = try CTCDecoder(labels: ["a"], classes: 2)
    let vector = Tensor(.float32, [2], [0, 1])
    for tensor in [vector, Tensor(.float32, [1, 3], [0, 1, 2]), Tensor(.int8, [1, 2], [0, 1])] {
      #expect(diagnosticID { () throws(Diagnostic) in _ = try decoder.lines(tensor) } == "ctc.shape")
    }
  }
}

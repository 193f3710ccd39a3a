import Foundation
import Testing

/// Inputs of another shape than the model's, and what the message proposes.
@Suite struct InputRemedyTests {
  /// Takes `fp32[1, 8, 12, 3]`.
  private static let model = MLCProcess.fixture("picture.onnx")
  private static let pictures = MLCProcess.root.appending(path: "Tests/MLCTensorIOTests/Fixtures")

  private func predict(_ arguments: String...) throws -> MLCProcess { try predict(arguments: arguments) }

  private func predict(arguments: [String]) throws -> MLCProcess {
    try MLCProcess(arguments: ["predict", "--reference"] + arguments)
  }

  /// What the message proposes, done, is enough.
  @Test func transposedPictures() throws {
    let picture = "x=" + Self.pictures.appending(path: "rgb.png").path()
    let wrong = try predict(Self.model, "--input", picture)
    #expect(wrong.status == 3 && wrong.errors.contains("[input.shape]"))
    #expect(wrong.errors.contains("--image-layout nhwc"), "\(wrong.errors)")
    let right = try predict(Self.model, "--input", picture, "--image-layout", "nhwc")
    #expect(right.status == 0, "\(right.errors)")
  }

  @Test func picturesOfAnotherSize() throws {
    let picture = "x=" + Self.pictures.appending(path: "rgb.png").path()
    let wrong = try predict(Self.model, "--input", picture, "--image-size", "4x4")
    #expect(wrong.errors.contains("--image-layout nhwc --image-size 8x12 makes it fit"), "\(wrong.errors)")
    let nearly = try predict(Self.model, "--input", picture, "--image-layout", "nhwc", "--image-size", "4x4")
    #expect(nearly.errors.contains("note: --image-size 8x12 makes it fit"), "\(nearly.errors)")
  }

  /// A model of grey pictures takes coloured ones, and its channels may be elsewhere all the same.
  @Test func greyPicturesElsewhere() throws {
    let picture = "x=" + Self.pictures.appending(path: "rgb.png").path()
    let grey = MLCProcess.fixture("picture-grey.onnx")
    let wrong = try predict(grey, "--input", picture)
    #expect(wrong.errors.contains("channels elsewhere: --image-layout nhwc"), "\(wrong.errors)")
    #expect(try predict(grey, "--input", picture, "--image-layout", "nhwc").status == 0)
  }

  @Test func modelsWithoutABatch() throws {
    let picture = "x=" + Self.pictures.appending(path: "rgb.png").path()
    let alone = MLCProcess.fixture("picture-alone.onnx")
    #expect(try predict(alone, "--input", picture).status == 0)
    let wrong = try predict(alone, "--input", picture, "--image-size", "4x4")
    #expect(wrong.errors.contains("note: --image-size 8x12 makes it fit"), "\(wrong.errors)")
  }

  @Test func picturesWithAlpha() throws {
    let clear = "x=" + Self.pictures.appending(path: "clear.png").path()
    let laid = try predict(Self.model, "--input", clear, "--image-layout", "nhwc")
    #expect(laid.status == 0 && laid.errors.contains("alpha channel is laid over white"), "\(laid.errors)")
    let transparent = MLCProcess.fixture("picture-transparent.onnx")
    let whole = try predict(transparent, "--input", clear)
    #expect(whole.status == 0 && !whole.errors.contains("laid"), "\(whole.errors)")
    let wrong = try predict(transparent, "--input", "x=" + Self.pictures.appending(path: "rgb.png").path())
    #expect(wrong.errors.contains("save the picture with its alpha channel"), "\(wrong.errors)")
  }

  /// What a file is follows from its first bytes.
  @Test func picturesOfAnyFormatAndName() throws {
    let work = try Workspace()
    let picture = Self.pictures.appending(path: "rgb.png").path()
    let options = ["--image-layout", "nhwc", "--image-std", "255", "--json"]
    let expected = try predict(arguments: [Self.model, "--input", "x=\(picture)"] + options)
    for name in ["picture", "picture.bmp"] {
      try FileManager.default.copyItem(atPath: picture, toPath: work.path(name))
      let run = try predict(arguments: [Self.model, "--input", "x=\(work.path(name))"] + options)
      #expect(run.status == 0 && run.output == expected.output, "\(run.errors)")
    }
    for name in ["rgb.bmp", "rgb.ppm"] {
      let other = Self.pictures.appending(path: name).path()
      let run = try predict(arguments: [Self.model, "--input", "x=\(other)"] + options)
      #expect(run.status == 0 && run.output == expected.output, "\(run.errors)")
    }
  }

  /// Three axes, the last of them channels, for a model that has a batch and its channels first.
  @Test func aMissingBatchAxisOfATransposedTensor() throws {
    let work = try Workspace()
    let file = work.path("x.json")
    let pixels = [[[Int]]](repeating: .init(repeating: [1, 2, 3, 4], count: 12), count: 8)
    try JSONSerialization.data(withJSONObject: ["x": pixels]).write(to: URL(filePath: file))
    let wrong = try predict(MLCProcess.fixture("picture-transparent.onnx"), "--input", "x=\(file)")
    #expect(wrong.errors.contains("transpose it by (2, 0, 1), and give --add-batch"), "\(wrong.errors)")
  }

  @Test func aMissingBatchAxis() throws {
    let work = try Workspace()
    let file = work.path("x.json")
    try Data(#"{"x": [1, 2, 3, 4]}"#.utf8).write(to: URL(filePath: file))
    let classifier = MLCProcess.fixture("classifier.onnx")
    let wrong = try predict(classifier, "--input", "x=\(file)")
    #expect(wrong.status == 3 && wrong.errors.contains("--add-batch"), "\(wrong.errors)")
    let right = try predict(classifier, "--input", "x=\(file)", "--add-batch", "--json")
    #expect(right.status == 0, "\(right.errors)")
    // What has the axis stays as it is.
    let whole = try predict(classifier, "--inputs", MLCProcess.fixture("classifier.npz"), "--add-batch", "--json")
    let plain = try predict(classifier, "--inputs", MLCProcess.fixture("classifier.npz"), "--json")
    #expect(whole.status == 0 && whole.output == plain.output)
  }

  @Test func nothingIsProposedForWhatNothingHelps() throws {
    let file = MLCProcess.fixture("classifier.misshapen.npz")
    let wrong = try predict(MLCProcess.fixture("classifier.onnx"), "--inputs", file)
    #expect(wrong.errors.contains("[input.shape]") && !wrong.errors.contains("note:"), "\(wrong.errors)")
  }
}

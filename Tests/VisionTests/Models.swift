import Foundation
import MLCCompiler
import MLCCore
import MLCGraph
import MLCOps
import MLCTargetC

/// Models that take pictures, compiled once for the process.
enum Models {
  private static let folder = Result { try Workspace() }

  private static func compile(_ name: String, _ function: Function, _ metadata: [(String, String)] = []) throws -> URL {
    let url = try folder.get().url.appending(path: "\(name).mlmodelc")
    var program = Program([function])
    program.metadata = metadata
    _ = try Compiler(CompileOptions(), targets: [CTarget.self]).compile(program, to: url.path())
    return url
  }

  /// `numbers`, the picture `image` of 6 × 4 pixels as an array, and `negative`, 1.5 · (255 − image) as a picture.
  static func negative(_ space: Feature.ColorSpace, _ dtype: DType = .float32) throws -> URL {
    var builder = Builder()
    let image = builder.input("image", TensorType(dtype, [1, Dim(space.channels), 4, 6]))
    let white = builder.constant(Tensor.scalar(dtype, 255.0), name: "white")
    let factor = builder.constant(Tensor.scalar(dtype, 1.5), name: "factor")
    let rest = try builder(Sub(), white, image, name: "rest")
    let negative = try builder(Mul(), rest, factor, name: "negative")
    let numbers = try builder(Identity(), image, name: "numbers")
    var function = builder.finish([("numbers", numbers), ("negative", negative)])
    function.features.inputs = [Feature("image", .image(space))]
    function.features.outputs = [Feature("negative", .image(space))]
    return try compile("negative-\(space.rawValue)-\(dtype.rawValue)", function)
  }

  /// The mean of each channel of an rgb picture of 8 × 8 pixels, in parts of 1, as the scores of three classes.
  static let classifier = Result {
    var builder = Builder()
    let image = builder.input("image", TensorType(.float32, [1, 3, 8, 8]))
    let mean = try builder(ReduceMean(axes: [2, 3]), image, name: "mean")
    let part = builder.constant(Tensor.scalar(.float32, 1.0 / 255), name: "part")
    let scores = try builder(Mul(), mean, part, name: "scores")
    var function = builder.finish([("scores", scores)])
    function.features.inputs = [Feature("image", .image(.rgb))]
    return try compile(
      "classifier",
      try function.classifying(.strings(["red", "green", "blue"]), scores: "scores", label: "label")
    )
  }

  /// Three boxes whatever the picture of 8 × 8 pixels is, the last without confidence; `brightness` scales the others'.
  static let detector = Result {
    var builder = Builder()
    let image = builder.input("image", TensorType(.float32, [1, 3, 8, 8]))
    let brightness = builder.input("brightness", TensorType(.float32, [1]))
    let zero = builder.constant(Tensor.scalar(.float32, 0.0), name: "zero")
    let mean = try builder(ReduceMean(axes: [0, 1, 2, 3]), image, name: "mean")
    let nothing = try builder(Mul(), mean, zero, name: "nothing")
    let rows = builder.constant(Tensor([3, 2], floats: [0.25, 0.5, 0.75, 0.125, 0, 0]), name: "rows")
    let boxes: [Float] = [0.5, 0.5, 1, 1, 0.25, 0.125, 0.5, 0.25, 0, 0, 0, 0]
    let places = builder.constant(Tensor([3, 4], floats: boxes), name: "places")
    let confidence = try builder(Mul(), rows, brightness, name: "confidence")
    let coordinates = try builder(Add(), places, nothing, name: "coordinates")
    var function = builder.finish([("confidence", confidence), ("coordinates", coordinates)])
    function.features.inputs = [Feature("image", .image(.rgb))]
    return try compile("detector", function, [("classes", "cat, dog")])
  }

  /// Takes no picture.
  static let numbers = Result {
    var builder = Builder()
    let x = builder.input("x", TensorType(.float32, [2]))
    return try compile("numbers", builder.finish([("y", try builder(Abs(), x, name: "y"))]))
  }
}

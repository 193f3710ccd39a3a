import CoreML
import Foundation
import MLCCompiler
import MLCCore
import MLCGraph
import MLCOps
import MLCTargetC
import Testing

/// A folder that goes with the test.
final class Workspace: Sendable {
  let url = FileManager.default.temporaryDirectory.appending(path: "coreml-test-\(UUID().uuidString)")

  init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }
  deinit { try? FileManager.default.removeItem(at: url) }
}

enum Sources {
  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  static let fixtures = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")

  /// What the build made beside the tests.
  static let products = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
  /// The command, for what applications run as a child: `MLC`, or the one that was built with the tests.
  static let command = ProcessInfo.processInfo.environment["MLC"] ?? products.appending(path: "mlc").path()
  /// An application that links `CoreML`.
  static let benchmark = products.appending(path: "coreml-bench")

  /// Lets `MLModel` find the command.
  static let commandIsNamed: Bool = setenv("MLC", command, 1) == 0
}

/// Models made for tests, compiled once for the process.
enum Models {
  private static let folder = Result { try Workspace() }

  private static func compile(_ name: String, _ function: Function) throws -> URL {
    let url = try folder.get().url.appending(path: "\(name).mlmodelc")
    var program = Program([function])
    program.metadata = [("author", "Someone"), ("description", "For tests"), ("license", "None"), ("labels", "a,b")]
    _ = try Compiler(CompileOptions(), targets: [CTarget.self]).compile(program, to: url.path())
    return url
  }

  /// `y = 2 · x + 1`, `n` rows of three, 1 to 64; `count = number of elements` as int64.
  static let affine = Result {
    var builder = Builder()
    let x = builder.input("x", TensorType(.float32, [.symbol("n"), 3]))
    let two = builder.constant(Tensor.scalar(.float32, 2.0), name: "two")
    let one = builder.constant(Tensor.scalar(.float32, 1.0), name: "one")
    let product = try builder(Mul(), x, two, name: "product")
    let y = try builder(Add(), product, one, name: "y")
    let ids = builder.input("ids", TensorType(.int64, [2]))
    let doubled = try builder(Add(), ids, ids, name: "doubled")
    var function = builder.finish([("y", y), ("doubled", doubled)])
    function.bounds["n"] = 1...64
    return try compile("affine", function)
  }

  /// `y = |x|` without its first axis, in two shapes.
  static let enumerated = Result {
    var builder = Builder()
    let x = builder.input("x", TensorType(.float32, [1, .symbol("h"), .symbol("w")]))
    let magnitude = try builder(Abs(), x, name: "magnitude")
    var function = builder.finish([("y", try builder(Squeeze([0]), magnitude, name: "y"))])
    (function.bounds["h"], function.bounds["w"]) = (4...6, 4...6)
    function.enumerations = [SizeEnumeration(["h", "w"], choices: [[4, 6], [6, 4]])!]
    return try compile("enumerated", function)
  }

  /// `h = x · w` again and again, of [64, 256]: some milliseconds of work.
  static let heavy = Result {
    var builder = Builder()
    var value = builder.input("x", TensorType(.float32, [64, 256]))
    let numbers = (0..<256 * 256).map { (index: Int) -> Float in Float(index * 7919 % 1000) / 8000 - 0.0625 }
    let weight = builder.constant(Tensor([256, 256], floats: numbers), name: "w")
    for index in 0..<40 {
      value = try builder(MatMul(), value, weight, name: "m\(index)")
      value = try builder(Tanh(), value, name: "t\(index)")
    }
    return try compile("heavy", builder.finish([("y", value)]))
  }

  /// `label`, that of the class `number`; `known`, which of `words` are it; `pairs`, each word twice; `same`, the
  /// title.
  static let texts = Result {
    var builder = Builder()
    let number = builder.input("number", TensorType(.int32, [1]))
    let words = builder.input("words", TensorType(.string, ["n"]))
    let title = builder.input("title", TensorType(.string, [1, 1]))
    let labels = builder.constant(Tensor([3], strings: ["cat", "dog", "é"]), name: "labels")
    let label = try builder(Gather(axis: 0), labels, number, name: "label")
    let known = try builder(Equal(), words, label, name: "known")
    let column = try builder(ExpandDims([1]), words)
    let pairs = try builder.append(Concat(axis: 1), [[column, column]], names: ["pairs"])[0]
    let outputs = [("label", label), ("known", known), ("pairs", pairs), ("same", title)]
    return try compile("texts", builder.finish(outputs))
  }

  /// `acc += x; y = 2 · acc`, float32.
  static let accumulator = Result {
    var builder = Builder()
    let x = builder.input("x", TensorType(.float32, [4]))
    let acc = builder.input("acc", TensorType(.float32, [4]))
    let sum = try builder(Add(), acc, x, name: "sum")
    let y = try builder(Mul(), sum, builder.constant(Tensor.scalar(.float32, 2.0), name: "two"), name: "y")
    var function = builder.finish([("y", y), ("acc", sum)])
    function.states = [State("acc", input: 1, output: 1)]
    return try compile("accumulator", function)
  }

  /// A classifier of three numbers: `label`, and `probability` by label, which is the softmax of the numbers.
  static let classifier = Result {
    var builder = Builder()
    let x = builder.input("x", TensorType(.float32, [1, 3]))
    let scores = try builder(Softmax(axis: 1), x, name: "probability")
    let function = builder.finish([("probability", scores)])
    let labels = ClassLabels.strings(["cat", "dog", "bird"])
    return try compile("classifier", try function.classifying(labels, scores: "probability", label: "label"))
  }
}

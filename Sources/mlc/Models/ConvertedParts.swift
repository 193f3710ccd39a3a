import MLCCore
import MLCFormatCoreML
import MLCGraph

/// What goes into a Core ML package beside a model.
struct ConvertedParts {
  /// One more function each.
  let functions: [(name: String, file: String)]
  /// Models that run behind it, in turn.
  let pipeline: [String]

  /// Throws `convert.parts` for what is no `NAME=FILE`, a name twice, or functions and a pipeline together.
  init(functions texts: [String], pipeline: [String]) throws(Diagnostic) {
    var functions: [(name: String, file: String)] = []
    for text in texts {
      let function = try NamedArgument(text, of: "--function", "NAME=FILE", "convert.parts")
      functions.append((function.name, function.value))
    }
    if let twice = functions.map(\.name).firstRepeated {
      throw Diagnostic("convert.parts", "two functions are called '\(twice)'", kind: .usage)
    }
    guard functions.isEmpty || pipeline.isEmpty else {
      throw Diagnostic(
        "convert.parts",
        "--function and --then: the models of a pipeline have one function",
        kind: .usage
      )
    }
    (self.functions, self.pipeline) = (functions, pipeline)
  }

  /// Appends the main function of each file. Throws `convert.parts` for a name that is there, and what loading throws.
  func addFunctions(to program: inout Program, _ custom: CustomLayers, _ limits: Limits) throws(Diagnostic) {
    for (name, file) in functions {
      guard !program.functions.contains(where: { $0.name == name }) else {
        throw Diagnostic("convert.parts", "the model has a function '\(name)'", kind: .usage)
      }
      var function = try ModelSource.load(file, custom: custom, limits: limits).program.main
      function.name = name
      program.functions.append(function)
    }
  }
}

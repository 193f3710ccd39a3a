import MLCCore
import MLCPackage

extension ModelClass {
  /// The class itself.
  func write(_ code: inout SwiftCode, inputs: [Feature]) {
    code.line()
    for line in documentation { code.documentation(line) }
    code.block("\(access.prefix)final class \(name): Sendable") { code in
      code.line("\(access.prefix)let model: MLModel")
      writeLocation(&code)
      writeInitialisers(&code)
      writeLoading(&code)
      let isStateful = !function.states.isEmpty
      PredictionMethods(name: name, access: access, inputs: inputs, isStateful: isStateful).write(&code)
    }
  }

  /// What is known of the model: its own description, functions and open sizes.
  private var documentation: [String] {
    var lines = ["The model `\(source)`."]
    for key in ["description", "author", "license", "version"] {
      guard let text = metadata[key], !text.allSatisfy(\.isWhitespace) else { continue }
      lines += key == "description" ? ["", text] : ["", "\(key.prefix(1).uppercased())\(key.dropFirst()): \(text)"]
    }
    let enumerated = Set(function.enumerations.flatMap { $0.symbols })
    var sizes = function.symbols.filter { !enumerated.contains($0.name) }.map { symbol in
      symbol.range.map { "`\(symbol.name)` (\($0.lowerBound) to \($0.upperBound))" } ?? "`\(symbol.name)`"
    }
    sizes += function.enumerations.map { enumeration in
      "\(enumeration.symbols.map { "`\($0)`" }.joined(separator: " × ")) (\(enumeration.spelledChoices))"
    }
    if !sizes.isEmpty { lines += ["", "Sizes that each prediction chooses: \(sizes.joined(separator: ", "))."] }
    for state in function.states {
      let type = function.inputs[state.input].type
      let shape = type.shape.map { $0.description }.joined(separator: ", ")
      lines += ["", "State `\(state.name)`: \(type.dtype.rawValue) of shape [\(shape)], zeros at first."]
    }
    if functions.count > 1 {
      let others = functions.map { "`\($0)`" }.joined(separator: ", ")
      lines += ["", "The model has the functions \(others); this class calls `\(function.name)`."]
    }
    return lines
  }

  private func writeLocation(_ code: inout SwiftCode) {
    code.document(
      "The compiled model: beside the executable or, where the program was built, among what was built.",
      "",
      "Where neither is there, this is the first of these places, and loading says that nothing is in it."
    )
    let inBundle = (location.bundle.map { "\($0)/" } ?? "") + location.folder
    code.block("\(access.prefix)static var urlOfModelInThisBundle: URL") { code in
      let beside = "Bundle.main.bundleURL.appendingPathComponent(\(SwiftText.literal(inBundle)))"
      guard let buildPath = location.buildPath else { return code.line(beside) }
      code.line("let beside = \(beside)")
      code.line("let places = [beside, URL(fileURLWithPath: \(SwiftText.literal(buildPath)))]")
      code.line("return places.first { FileManager.default.fileExists(atPath: $0.path) } ?? beside")
    }
  }

  private func writeInitialisers(_ code: inout SwiftCode) {
    let prefix = access.prefix
    let fresh = "MLModelConfiguration = MLModelConfiguration()"
    code.document("A model that is loaded already.")
    code.line("\(prefix)init(model: MLModel) { self.model = model }")
    code.document("Loads the model that was built with the program.")
    code.block("\(prefix)convenience init(configuration: \(fresh)) throws") { code in
      code.line("try self.init(contentsOf: Self.urlOfModelInThisBundle, configuration: configuration)")
    }
    code.document("Loads the compiled model at `modelURL`.")
    code.block("\(prefix)convenience init(contentsOf modelURL: URL, configuration: \(fresh)) throws") { code in
      code.line("self.init(model: try MLModel(contentsOf: modelURL, configuration: configuration))")
    }
  }

  private func writeLoading(_ code: inout SwiftCode) {
    let prefix = access.prefix
    let fresh = "MLModelConfiguration = MLModelConfiguration()"
    code.document("Loads the model that was built with the program, off the caller's thread.")
    code.block("\(prefix)static func load(configuration: \(fresh)) async throws -> \(name)") { code in
      code.line("try await load(contentsOf: urlOfModelInThisBundle, configuration: configuration)")
    }
    code.document("Loads the compiled model at `modelURL`, off the caller's thread.")
    let head = "\(prefix)static func load(contentsOf modelURL: URL, configuration: \(fresh)) async throws -> \(name)"
    code.block(head) { code in
      code.line("\(name)(model: try await MLModel.load(contentsOf: modelURL, configuration: configuration))")
    }
    writeLoadingWithHandlers(&code)
  }

  private func writeLoadingWithHandlers(_ code: inout SwiftCode) {
    let prefix = access.prefix
    let fresh = "configuration: MLModelConfiguration = MLModelConfiguration()"
    let handler = "completionHandler handler: @escaping @Sendable (Swift.Result<\(name), any Error>) -> Void"
    code.document("Loads the model that was built with the program and hands it, or the error, to `handler`.")
    code.block("@preconcurrency \(prefix)static func load(\(fresh), \(handler))") { code in
      let arguments = "contentsOf: urlOfModelInThisBundle, configuration: configuration, completionHandler: handler"
      code.line("load(\(arguments))")
    }
    code.document("Loads the compiled model at `modelURL` and hands it, or the error, to `handler`.")
    code.block("@preconcurrency \(prefix)static func load(contentsOf modelURL: URL, \(fresh), \(handler))") { code in
      code.line("MLModel.load(contentsOf: modelURL, configuration: configuration) { result in")
      code.line("  handler(result.map { \(name)(model: $0) })")
      code.line("}")
    }
  }
}

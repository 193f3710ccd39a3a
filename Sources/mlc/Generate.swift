import ArgumentParser
import Foundation
import MLCCore
import MLCInterfaceCode
import MLCPackage

extension AccessLevel: ExpressibleByArgument {}

/// The languages that classes are written in.
enum InterfaceLanguage: String, ExpressibleByArgument, CaseIterable {
  case swift = "Swift"
}

struct Generate: Command {
  static let configuration = CommandConfiguration(
    abstract: "Writes a Swift class with typed inputs and outputs for a model.",
    discussion: """
      Examples:
        mlc generate model.onnx -o Sources/App
        mlc generate model.mlmodelc -o Sources/App --class-name Detector --access-level public

      The class looks for the compiled package, MODEL.mlmodelc, beside the executable. In a Swift package the plugin \
      MLCPlugin compiles the model, bundles it and writes the class as part of 'swift build'.
      """
  )

  @Argument(help: "A source model or a compiled package.", completion: .file()) var model: String
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The folder for the Swift file, which has the class's name.", valueName: "DIR"),
    completion: .directory
  )
  var out: String
  @Option(help: "The class's name; the model's if not given.") var className: String?
  @Option(help: "Who may use the class.") var accessLevel = AccessLevel.internal
  @Option(help: "The language of the class.") var language = InterfaceLanguage.swift
  @OptionGroup var bindings: BindingOptions
  @OptionGroup var output: OutputOptions

  func perform() throws(Diagnostic) -> Int32 {
    let name = className ?? ModelClass.name(ofFile: model)
    let file = URL(filePath: model).lastPathComponent
    let stem = URL(filePath: model).deletingPathExtension().lastPathComponent
    let path = URL(filePath: out).appending(path: "\(name).swift").relativePath
    _ = try (PathKind(model), bindings.bindings())
    try AtomicFile.check(path)
    let location = ResourceLocation(folder: "\(stem).mlmodelc")
    let generated: ModelClass
    if try PathKind(model) == .compiled {
      let package = try PackageReader(path: model)
      generated = try .of(compiled: package, name: name, source: file, location: location, access: accessLevel)
    } else {
      let program = try ModelSource.load(model, inputs: try bindings.bindings(), updatable: true).program
      generated = try .of(program, name: name, source: file, location: location, access: accessLevel)
    }
    try AtomicFile.write(generated.code(), to: path)
    Console.result(output.json ? JSON.object(["class": .string(name), "code": .string(path)]).line : "\(path)")
    return 0
  }
}

import Foundation
import PackagePlugin

/// Compiles the models in a target's folder, bundles them as resources, and gives each a Swift class.
///
/// Each model is one command of the build, run again when a file of the model or the settings beside it change. A model
/// `NAME` gives the resource `NAME.mlmodelc` and the source `NAME+Model.swift`. The command is the `mlc` that the
/// plugin `MLCTool` has linked.
@main struct MLCPlugin: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) async throws -> [Command] {
    guard let target = target as? any SourceModuleTarget else { return [] }
    // What the target declares as a resource stays as it is.
    let files = target.sourceFiles.filter { $0.type != .resource }
    let models = ModelFiles.models(among: files.map { $0.url })
    var names: Set<String> = []
    for model in models where !names.insert(model.name).inserted {
      let path = model.url.path(percentEncoded: false)
      Diagnostics.error("\(path):1: error: the target has another model '\(model.name)'; their names must differ")
    }
    if names.count < models.count { return [] }
    return models.map { command($0, in: context.pluginWorkDirectoryURL, bundle: bundle(context, target)) }
  }

  private func command(_ model: ModelFiles, in folder: URL, bundle: String) -> Command {
    let package = folder.appending(path: "\(model.name).mlmodelc")
    let code = folder.appending(path: "\(model.name)+Model.swift")
    let tool = folder.deletingLastPathComponent().appending(path: "MLCTool/mlc")
    return .buildCommand(
      displayName: "Compiling model \(model.url.lastPathComponent)",
      executable: tool,
      arguments: [
        "build", model.url.path(percentEncoded: false), "--package", package.path(percentEncoded: false), "--code",
        code.path(percentEncoded: false), "--bundle", bundle,
      ],
      inputFiles: [tool] + model.inputs,
      outputFiles: [package, code]
    )
  }

  /// The folder beside the executable that SwiftPM copies the target's resources to.
  private func bundle(_ context: PluginContext, _ target: any SourceModuleTarget) -> String {
    "\(context.package.displayName)_\(target.name).resources"
  }
}

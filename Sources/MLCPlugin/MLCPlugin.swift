import Foundation
import PackagePlugin

/// Compiles the models in a target's folder, bundles them as resources, and gives each a Swift class.
///
/// Each model is one command of the build, run again when a file of the model or the settings beside it change. A model
/// `NAME` gives the resource `NAME.mlmodelc` and the source `NAME+Model.swift`. The command is `mlc`, built with the
/// package, or the one that `MLC` in the environment names, which saves building it.
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
    guard let tool = try tool(context) else { return [] }
    return models.map { model in
      command(model, tool: tool, in: context.pluginWorkDirectoryURL, bundle: bundle(context, target))
    }
  }

  /// `nil` when `MLC` names none.
  private func tool(_ context: PluginContext) throws -> URL? {
    guard let path = ProcessInfo.processInfo.environment["MLC"], !path.isEmpty else {
      return try context.tool(named: "mlc").url
    }
    guard FileManager.default.isExecutableFile(atPath: path) else {
      Diagnostics.error("MLC in the environment names '\(path)', which is no program")
      return nil
    }
    return URL(filePath: path)
  }

  private func command(_ model: ModelFiles, tool: URL, in folder: URL, bundle: String) -> Command {
    let package = folder.appending(path: "\(model.name).mlmodelc")
    let code = folder.appending(path: "\(model.name)+Model.swift")
    // SwiftPM builds tools before it asks plugins, and would build them again for a command that runs a product of the
    // build: each of the two plans takes what the other made for a change. `env` is none.
    return .buildCommand(
      displayName: "Compiling model \(model.url.lastPathComponent)",
      executable: URL(filePath: "/usr/bin/env"),
      arguments: [
        tool.path(percentEncoded: false), "build", model.url.path(percentEncoded: false), "--package",
        package.path(percentEncoded: false), "--code", code.path(percentEncoded: false), "--bundle", bundle,
      ],
      environment: ["MLC_STAMP": stamp(tool)],
      inputFiles: model.inputs,
      outputFiles: [package, code]
    )
  }

  /// Another text for another tool, so that the command is run again; it compares contents then.
  private func stamp(_ tool: URL) -> String {
    let values = try? tool.resourceValues(forKeys: [.fileSizeKey, .contentModificationDateKey])
    return "\(values?.fileSize ?? 0)-\(values?.contentModificationDate?.timeIntervalSince1970 ?? 0)"
  }

  /// The folder beside the executable that SwiftPM copies the target's resources to.
  private func bundle(_ context: PluginContext, _ target: any SourceModuleTarget) -> String {
    "\(context.package.displayName)_\(target.name).resources"
  }
}

import Foundation
import PackagePlugin

/// Has the `mlc` that `MLCPlugin` runs built, and links it into a folder of its own, beside that of `MLCPlugin`, as
/// `MLCTool/mlc`.
///
/// It is `mlc` as built with the package, or the one that `MLC` in the environment names, which saves building it.
///
/// This is a plugin of its own because SwiftPM makes each command of a plugin wait for all tools that the plugin
/// depends on. It builds tools in one plan, before it asks plugins, and what waits for them in another; each of the two
/// plans takes what the other one made for a change, and builds it again. This plugin has no commands, so the second
/// plan has no tool in it.
@main struct MLCTool: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) async throws -> [Command] {
    let link = context.pluginWorkDirectoryURL.appending(path: "mlc").path(percentEncoded: false)
    guard let tool = try tool(context) else { return [] }
    // A link that stays as it is does not make models be compiled again; another tool behind it does.
    if (try? FileManager.default.destinationOfSymbolicLink(atPath: link)) != tool {
      try? FileManager.default.removeItem(atPath: link)
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: tool)
    }
    return []
  }

  /// `nil` when `MLC` names none.
  private func tool(_ context: PluginContext) throws -> String? {
    guard let path = ProcessInfo.processInfo.environment["MLC"], !path.isEmpty else {
      return try context.tool(named: "mlc").url.path(percentEncoded: false)
    }
    guard FileManager.default.isExecutableFile(atPath: path) else {
      Diagnostics.error("MLC in the environment names '\(path)', which is no program")
      return nil
    }
    return URL(filePath: path).path(percentEncoded: false)
  }
}

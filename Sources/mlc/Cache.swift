import ArgumentParser
import MLCCore
import MLCPackage
import MLCRuntime

struct Cache: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Lists or clears what was compiled on this machine when models were run.",
    discussion: """
      Examples:
        mlc cache list
        mlc cache clear --json

      A package made with 'mlc compile --portable' is compiled for the machine that loads it, once, and so is a source \
      model that predict, bench or verify run, unless --no-cache is given. The results are kept in the folder that \
      MLC_CACHE names, else in mlc/packages in XDG_CACHE_HOME or ~/.cache.
      """,
    subcommands: [CacheList.self, CacheClear.self]
  )
}

extension PackageCache {
  /// Throws `runtime.cache` when the environment does not say where it is.
  fileprivate static func found() throws(Diagnostic) -> PackageCache {
    if let cache = standard { return cache }
    throw Diagnostic("runtime.cache", "neither MLC_CACHE nor XDG_CACHE_HOME nor HOME is set", kind: .environment)
  }
}

struct CacheList: Command {
  static let configuration = CommandConfiguration(commandName: "list", abstract: "Lists the packages in the cache.")

  @OptionGroup var output: OutputOptions

  func perform() throws(Diagnostic) -> Int32 {
    let cache = try PackageCache.found()
    let entries = cache.entries()
    if output.json {
      let rows: [JSON] = entries.map { entry in
        .object([
          "key": .string(entry.key), "path": .string(entry.path), "target": .string(entry.device),
          "tool": .string(entry.tool), "bytes": .integer(entry.bytes),
          "problem": entry.problem.map { .string($0) } ?? .null,
        ])
      }
      Console.result(JSON.object(["folder": .string(cache.folder), "packages": .array(rows)]).line)
      return 0
    }
    Console.result("\(cache.folder)")
    if entries.isEmpty {
      Console.result("empty")
      return 0
    }
    var table = Table(["package", "target", "compiled by", "bytes", ""], right: [3], cut: [0, 2])
    for entry in entries {
      table.add([String(entry.key.prefix(12)), entry.device, entry.tool, entry.bytes.grouped, entry.problem ?? ""])
    }
    Console.result(table.text)
    return 0
  }
}

struct CacheClear: Command {
  static let configuration = CommandConfiguration(commandName: "clear", abstract: "Empties the cache.")

  @OptionGroup var output: OutputOptions

  func perform() throws(Diagnostic) -> Int32 {
    let cache = try PackageCache.found()
    let count = cache.clear()
    let line = JSON.object(["folder": .string(cache.folder), "removed": .integer(count)]).line
    Console.result(output.json ? line : "\(count.of("package")) removed from \(cache.folder)")
    return 0
  }
}

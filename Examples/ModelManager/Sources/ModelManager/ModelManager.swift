import CoreML
import Foundation

/// Models in memory, within a budget of bytes.
///
/// A model counts as many bytes as its compiled package has. Askers for the same model share it, and one load. When all
/// together are larger than the budget, those go first that have not been used for longest; one that is in use stays,
/// even if that exceeds the budget, and goes as soon as it may.
actor ModelManager {
  typealias Load = @Sendable (URL) async throws -> MLModel

  private struct Entry {
    let bytes: Int
    let task: Task<MLModel, any Error>
    /// How many work with it, or wait for it.
    var users = 0
    var lastUse = 0

    init(bytes: Int, load: @escaping @Sendable () async throws -> MLModel) {
      (self.bytes, task) = (bytes, Task.detached { try await load() })
    }
  }

  private let load: Load
  private var entries: [URL: Entry] = [:]
  private var clock = 0
  private(set) var budget: Int

  init(budget: Int, load: @escaping Load = { try await MLModel.load(contentsOf: $0) }) {
    (self.budget, self.load) = (budget, load)
  }

  /// What `body` makes of the compiled model at `url`, which stays in memory at least until `body` is done.
  nonisolated func withModel<R: Sendable>(
    at url: URL,
    _ body: @Sendable (MLModel) async throws -> R
  ) async throws -> R {
    // However it is written: a package is a folder.
    let url = URL(fileURLWithPath: url.standardizedFileURL.path, isDirectory: true)
    let task = try await begin(url)
    do {
      let result = try await body(try await task.value)
      await end(url, task)
      return result
    } catch {
      await end(url, task)
      throw error
    }
  }

  /// The models that are in memory or on their way, the least recently used first.
  var loaded: [URL] { entries.sorted { $0.value.lastUse < $1.value.lastUse }.map(\.key) }
  var bytes: Int { entries.values.reduce(0) { $0 + $1.bytes } }

  /// Another budget, from now on: less when memory is short, 0 to unload all that is not in use.
  func setBudget(_ bytes: Int) {
    budget = bytes
    trim()
  }

  private func begin(_ url: URL) throws -> Task<MLModel, any Error> {
    // A task of its own: an asker that is cancelled takes the model from nobody else.
    var entry = try entries[url] ?? Entry(bytes: ModelContent.size(url)) { [load] in try await load(url) }
    clock += 1
    entry.users += 1
    entry.lastUse = clock
    entries[url] = entry
    trim()
    return entry.task
  }

  private func end(_ url: URL, _ task: Task<MLModel, any Error>) async {
    // What could not be loaded is tried again by who asks next.
    if case .failure = await task.result, entries[url]?.task == task { entries[url] = nil }
    guard entries[url]?.task == task else { return }
    entries[url]?.users -= 1
    trim()
  }

  private func trim() {
    var bytes = bytes
    for url in loaded where bytes > budget {
      guard let entry = entries[url], entry.users == 0 else { continue }
      entries[url] = nil
      bytes -= entry.bytes
    }
  }
}

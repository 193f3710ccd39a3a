import CoreML
import Foundation

/// Compiled models in a folder, each under the digest of what it was compiled from.
///
/// A model is compiled once: askers for the same content wait for one compilation, and find its result after a restart.
/// A result appears whole or not at all, whoever else uses the folder.
actor ModelStore {
  typealias Compile = @Sendable (URL) async throws -> URL

  private let folder: URL
  private let compile: Compile
  private var running: [String: Task<URL, any Error>] = [:]

  /// `compile` answers a folder that may be moved away.
  init(folder: URL, compile: @escaping Compile = { try await MLModel.compileModel(at: $0) }) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    (self.folder, self.compile) = (folder, compile)
  }

  /// Where the compiled form of the model in `source` stays, a file or a folder that has been downloaded.
  func compiled(_ source: URL) async throws -> URL {
    let key = try await Self.key(source)
    let result = folder.appendingPathComponent("\(key).mlmodelc", isDirectory: true)
    if FileManager.default.fileExists(atPath: result.path) { return result }
    if let task = running[key] { return try await task.value }
    let task = Task.detached { [compile] in try Self.place(try await compile(source), at: result) }
    running[key] = task
    // What failed is tried again by who asks next.
    defer { running[key] = nil }
    return try await task.value
  }

  /// Off the actor, which others may ask meanwhile.
  private nonisolated static func key(_ source: URL) async throws -> String { try ModelContent.digest(source) }

  /// The last step is a renaming in one folder. Where another process has been faster, its result stays.
  private static func place(_ made: URL, at result: URL) throws -> URL {
    let files = FileManager.default
    let near = result.deletingLastPathComponent().appendingPathComponent(
      "incoming-\(UUID().uuidString)",
      isDirectory: true
    )
    defer { try? files.removeItem(at: near) }
    try files.moveItem(at: made, to: near)
    let parent = made.deletingLastPathComponent()
    if (try? files.contentsOfDirectory(atPath: parent.path))?.isEmpty == true { try? files.removeItem(at: parent) }
    do { try files.moveItem(at: near, to: result) } catch {
      guard files.fileExists(atPath: result.path) else { throw error }
    }
    return result
  }
}

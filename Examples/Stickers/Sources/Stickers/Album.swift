import CoreML
import Foundation

/// The stickers of one user, known by a model of their own.
///
/// The model is a pipeline: a network that is never changed makes 48 features of a drawing, and the nearest of the
/// drawings that it has seen names it. It comes with the features of made-up signs, all of them labelled "unknown": a
/// drawing that is nearer to one of those than to the user's is unknown.
struct Album: Sendable {
  /// What a drawing is called that is none of the user's stickers.
  static let unknown = "unknown"

  struct Problem: Error, CustomStringConvertible { let description: String }

  /// The user's compiled model, from the first lesson on.
  let url: URL

  /// The album of `user` in a folder of albums. Throws `Problem` for a name that cannot be that of a file.
  init(of user: String, in folder: URL) throws {
    guard !user.isEmpty, user.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }) else {
      throw Problem(description: "'\(user)' is no name of a user: it may have letters, digits, '-' and '_'")
    }
    url = folder.appendingPathComponent("\(user).mlmodelc", isDirectory: true)
  }

  /// The model as it is now: the program's own until the user has taught one.
  var model: URL {
    FileManager.default.fileExists(atPath: url.path) ? url : StickerBook.urlOfModelInThisBundle
  }

  /// The label of each drawing, in their order.
  func recognise(_ drawings: [StickerBookInput]) throws -> [String] {
    try StickerBook(contentsOf: model).predictions(inputs: drawings).map { $0.label }
  }

  /// Adds examples to what the user has taught, writes the model, and answers it. Nothing changes when it throws.
  @discardableResult func learn(_ examples: [StickerBookTrainingInput]) async throws -> StickerBook {
    for label in Set(examples.map(\.label)) where label.isEmpty || label == Self.unknown {
      throw Problem(description: "'\(label)' is no name of a sticker")
    }
    let folder = url.deletingLastPathComponent()
    return try await withCheckedThrowingContinuation { done in
      do {
        let task = try MLUpdateTask(forModelAt: model, trainingData: MLArrayBatchProvider(array: examples)) { context in
          done.resume(
            with: Result {
              if let error = context.task.error { throw error }
              try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
              try context.model.write(to: url)
              return StickerBook(model: context.model)
            }
          )
        }
        task.resume()
      } catch { done.resume(throwing: error) }
    }
  }
}

import CoreML
import Foundation

/// Compiles downloaded models into a folder, or finds them there, and says what they take and give.
@main struct Command {
  static func main() async {
    let arguments = CommandLine.arguments.dropFirst().map { URL(fileURLWithPath: $0) }
    guard let folder = arguments.first, arguments.count > 1 else {
      complain("usage: ModelManager FOLDER MODEL…")
      exit(2)
    }
    do {
      let store = try ModelStore(folder: folder)
      let manager = ModelManager(budget: 256 << 20)
      for model in arguments.dropFirst() {
        let compiled = try await store.compiled(model)
        let counts = try await manager.withModel(at: compiled) { model in
          (
            inputs: model.modelDescription.inputDescriptionsByName.count,
            outputs: model.modelDescription.outputDescriptionsByName.count
          )
        }
        print("\(compiled.path): \(counts.inputs) inputs, \(counts.outputs) outputs")
      }
      print("\(await manager.bytes) bytes of models are in memory")
    } catch {
      complain("\(error)")
      exit(1)
    }
  }

  private static func complain(_ text: String) { FileHandle.standardError.write(Data("\(text)\n".utf8)) }
}

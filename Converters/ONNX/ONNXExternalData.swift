import Foundation
import MLCCore
import ONNXProto

/// Tensor elements in files beside the model, each mapped once.
///
/// A reader uses it from one thread.
final class ONNXExternalData {
  /// The model's folder with links resolved; `nil` when it has none.
  private let folder: String?
  private var files: [String: Storage] = [:]

  init(folder: String?) { self.folder = folder.flatMap(Self.resolved) }

  /// A view of the file that `entries` name.
  ///
  /// Throws `onnx.external-data-path` for a path that is absolute, contains `..` or leads out of the model's folder
  /// through a link, `onnx.external-data-missing`, `onnx.external-data-range` for bytes outside of the file, and
  /// `onnx.tensor-size` when the length does not go with the shape.
  func tensor(
    _ dtype: DType,
    _ shape: [Int],
    _ entries: [Onnx_StringStringEntryProto],
    _ name: String
  ) throws(Diagnostic) -> Tensor {
    let values = Dictionary(entries.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
    let needed = dtype.byteCount(shape.reduce(1, *)) ?? 0
    let offset = try number("offset", values, name) ?? 0
    let length = try number("length", values, name) ?? needed
    guard length == needed else {
      throw Diagnostic("onnx.tensor-size", "\(name) has \(length) bytes of external data, its shape needs \(needed)")
    }
    let location = values["location"] ?? ""
    let storage = try file(location, name)
    let (end, overflow) = offset.addingReportingOverflow(length)
    guard !overflow, end <= storage.bytes.count, let view = Tensor(dtype, shape, storage: storage, range: offset..<end)
    else {
      throw Diagnostic(
        "onnx.external-data-range",
        "\(name) takes \(length) bytes at \(offset) of '\(location)', which has \(storage.bytes.count)"
      )
    }
    return ONNXReader.normalizingBooleans(view)
  }

  private func number(_ key: String, _ values: [String: String], _ name: String) throws(Diagnostic) -> Int? {
    guard let text = values[key] else { return nil }
    guard let value = Int(text), value >= 0 else {
      throw Diagnostic("onnx.external-data-range", "\(name) has the external data \(key) '\(text)'")
    }
    return value
  }

  private func file(_ location: String, _ name: String) throws(Diagnostic) -> Storage {
    if let storage = files[location] { return storage }
    let parts = location.split(separator: "/", omittingEmptySubsequences: false)
    guard let folder, !location.isEmpty, !location.utf8.contains(0), !location.hasPrefix("/"), !parts.contains("..")
    else { throw refusal(location, name) }
    guard let path = Self.resolved("\(folder)/\(location)") else {
      throw Diagnostic("onnx.external-data-missing", "\(name) needs '\(location)', which is not beside the model")
    }
    guard path.hasPrefix(folder == "/" ? "/" : folder + "/") else { throw refusal(location, name) }
    let storage = try MappedFile(path: path).storage
    files[location] = storage
    return storage
  }

  private func refusal(_ location: String, _ name: String) -> Diagnostic {
    Diagnostic("onnx.external-data-path", "\(name) names '\(location)', which is not in the model's folder")
  }

  private static func resolved(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}

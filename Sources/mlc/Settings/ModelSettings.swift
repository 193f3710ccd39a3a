import Foundation
import MLCCore
import MLCGraph
import MLCInterfaceCode
import MLCPackage
import MLCPasses

/// How `mlc build` treats one model: what `mlc.json` in the model's folder says of it.
///
/// ```json
/// {
///   "accessLevel": "public",
///   "targets": ["x86-64-v2", "x86-64-v3"],
///   "models": {
///     "detector.onnx": { "className": "TextDetector", "inputs": { "x": [1, 3, "height", "width"] } },
///     "recogniser.onnx": { "compression": { "palettize": 4 } }
///   }
/// }
/// ```
///
/// What stands at the top is for every model of the folder; what stands under a model's file name goes before it.
struct ModelSettings {
  static let fileName = "mlc.json"

  var className: String?
  var accessLevel = AccessLevel.internal
  var targets = ["host"]
  var precision = Precision.fp32
  /// Whether the package carries its program, so that other machines can compile it for themselves.
  var portable = false
  var inputs: [String: InputBinding] = [:]
  /// What reading and compiling the model may take.
  var limits = Limits()
  /// What becomes of weights; `nil` leaves them as they are.
  var compression: CompressionPlan?

  /// The settings of the model at `path`; those that mlc starts with where there is no file.
  ///
  /// Throws `json.…` for a file that is no JSON, `settings.field` for a key that is none or a value that does not fit,
  /// `compress.config` for a configuration of coremltools', and `settings.model` for a model that is not in the folder;
  /// each is located at the file.
  static func load(for path: String) throws(Diagnostic) -> ModelSettings {
    let model = URL(filePath: path)
    let folder = model.deletingLastPathComponent().path(percentEncoded: false)
    let file = folder + (folder.hasSuffix("/") ? "" : "/") + fileName
    guard FileManager.default.fileExists(atPath: file) else { return ModelSettings() }
    return try locating(Location(file: file)) { () throws(Diagnostic) in
      let mapped = try MappedFile(path: file)
      defer { withExtendedLifetime(mapped) {} }
      return try ModelSettings(try JSON(parsing: mapped.bytes), model: model.lastPathComponent) { name in
        FileManager.default.fileExists(atPath: "\(folder)/\(name)")
      }
    }
  }

  /// What `json` says of `model`; `exists` tells whether the folder has a file of a name.
  init(_ json: JSON, model: String, exists: (String) -> Bool) throws(Diagnostic) {
    guard case .object(var fields) = json else { throw SettingsField.wrong("mlc.json", "is no object") }
    let models = fields.removeValue(forKey: "models")
    try apply(fields, at: "")
    guard let models else { return }
    guard case .object(let entries) = models else { throw SettingsField.wrong("models", "is no object") }
    for (name, entry) in entries.sorted(by: { $0.key < $1.key }) {
      guard case .object(let own) = entry else { throw SettingsField.wrong("models.\(name)", "is no object") }
      guard exists(name) else {
        throw Diagnostic("settings.model", "'models' names '\(name)', and there is no such model in the folder")
      }
      // All are read, so that a mistake is told whichever model is built.
      var settings = self
      try settings.apply(own, at: "models.\(name).")
      if name == model { self = settings }
    }
  }

  init() {}

  /// Each key with what reads it.
  private mutating func apply(_ fields: [String: JSON], at place: String) throws(Diagnostic) {
    for (key, value) in fields.sorted(by: { $0.key < $1.key }) {
      let field = SettingsField(name: place + key, value: value)
      switch key {
      case "className": className = try field.text()
      case "accessLevel": accessLevel = try field.choice(AccessLevel.allCases)
      case "precision": precision = try field.choice(Precision.allCases)
      case "portable": portable = try field.flag()
      case "targets": targets = try field.texts()
      case "inputs": inputs = try field.shapes()
      case "compression": compression = try field.compression()
      case "limitMemory": limits.memory = try field.limit(Limits.bytes, Limits.memoryForm)
      case "limitTime": limits.time = try field.limit(Limits.duration, Limits.timeForm)
      default:
        let known =
          "accessLevel, className, compression, inputs, limitMemory, limitTime, portable, precision, targets"
          + (place.isEmpty ? ", models" : "")
        throw SettingsField.wrong(field.name, "is no setting; there are \(known)")
      }
    }
  }
}

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
  /// What targets multiply that can.
  var arithmetic = Arithmetic.fp32
  /// Whether the package carries its program, so that other machines can compile it for themselves.
  var portable = false
  /// Whether weights of 3×3 convolutions may take more memory so that they are faster.
  var winograd = true
  var inputs: [String: InputBinding] = [:]
  /// Files that say what custom layers mean, from the model's folder on, by class.
  var custom: [String: String] = [:]
  /// What reading and compiling the model may take.
  var limits = Limits()
  /// What becomes of weights; `nil` leaves them as they are.
  var compression: CompressionPlan?
  /// How applications update the model, unless it says so itself; `nil` leaves it to the model.
  var learning: UpdatableRequest?
  /// The fields that were read, by key.
  private var fields: [String: SettingsField] = [:]
  /// The file that they stand in.
  private var file: String?

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
      let text = try withExtendedLifetime(mapped) { () throws(Diagnostic) in try JSONText(Array(mapped.bytes)) }
      let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      var settings = try ModelSettings(text, model: model.lastPathComponent, among: files)
      settings.file = file
      return settings
    }
  }

  /// What `text` says of `model`, one of the folder's `files`.
  init(_ text: JSONText, model: String, among files: [String]) throws(Diagnostic) {
    let root = SettingsField(text)
    var fields = try root.members()
    let models = fields.removeValue(forKey: "models")
    try apply(fields, isTop: true)
    guard let models else { return }
    for (name, entry) in try models.members().sorted(by: { $0.key < $1.key }) {
      let own = try entry.members()
      guard files.contains(name) else {
        let near = files.nearest(to: name).map { "; did you mean '\($0)'?" } ?? ""
        let message = "'models' names '\(name)', and there is no such model in the folder" + near
        throw Diagnostic("settings.model", message, at: entry.location)
      }
      // All are read, so that a mistake is told whichever model is built.
      var settings = self
      try settings.apply(own, isTop: false)
      if name == model { self = settings }
    }
  }

  init() {}

  /// Each key with what reads it.
  private mutating func apply(_ fields: [String: SettingsField], isTop: Bool) throws(Diagnostic) {
    for (key, field) in fields.sorted(by: { $0.key < $1.key }) {
      self.fields[key] = field
      switch key {
      case "className": className = try field.identifier()
      case "accessLevel": accessLevel = try field.choice(AccessLevel.allCases)
      case "arithmetic": arithmetic = try field.choice(Arithmetic.allCases)
      case "precision": precision = try field.choice(Precision.allCases)
      case "portable": portable = try field.flag()
      case "targets": targets = try field.texts()
      case "winograd": winograd = try field.flag()
      case "custom": custom = try field.files()
      case "inputs": inputs = try field.shapes()
      case "compression": compression = try field.compression()
      case "learning": learning = try field.learning()
      case "limitMemory": limits.memory = try field.limit(Limits.bytes, Limits.memoryForm)
      case "limitTime": limits.time = try field.limit(Limits.duration, Limits.timeForm)
      default:
        throw field.wrong("is no setting; \(Self.keys(isTop: isTop).suggestion(for: key))")
      }
    }
  }

  private static func keys(isTop: Bool) -> [String] {
    let keys = [
      "accessLevel", "arithmetic", "className", "compression", "custom", "inputs", "learning", "limitMemory",
      "limitTime", "portable", "precision", "targets", "winograd",
    ]
    return keys + (isTop ? ["models"] : [])
  }

  /// Throws `update.updatable` for a model that learns and is to be stored otherwise.
  func checkLearning() throws(Diagnostic) {
    guard learning != nil, precision != .fp32 || compression != nil else { return }
    let other = compression == nil ? "'precision' \(precision.rawValue)" : "'compression'"
    let message = "what a model learns is stored as fp32, not by \(other)"
    throw Diagnostic("update.updatable", message, kind: .usage, at: place(of: "learning"))
  }

  /// `source` with what `learning` asks for. Wrong requests are the settings' fault.
  func learning(of source: ModelSource) throws(Diagnostic) -> ModelSource {
    do { return try learning?.applied(to: source) ?? source } catch {
      guard error.kind == .usage else { throw error }
      var located = error
      located.location = place(of: "learning")
      throw located
    }
  }

  private func place(of key: String) -> Location {
    let file = Location(file: file)
    return fields[key]?.location.within(file) ?? file
  }

  /// Runs `body`, where a wrong request that names an item or member of the setting `key` is the settings' fault and
  /// not the model's.
  func blaming<R>(_ key: String, _ body: () throws(Diagnostic) -> R) throws(Diagnostic) -> R {
    do throws(Diagnostic) { return try body() } catch {
      guard error.kind == .usage, let file,
        let part = fields[key]?.parts.compactMap({ part in error.mention(of: part.name).map { ($0, part) } })
          .min(by: { $0.0 < $1.0 })?.1
      else { throw error }
      var located = error
      located.message = error.message.replacing("--input \(part.name)", with: "'\(part.field.name)'")
      located.location = part.field.location.within(Location(file: file))
      throw located
    }
  }
}

extension Diagnostic {
  /// Where the message speaks of `name` first.
  fileprivate func mention(of name: String) -> String.Index? {
    ["'\(name)'", "--input \(name):"].compactMap { message.firstRange(of: $0)?.lowerBound }.min()
  }
}

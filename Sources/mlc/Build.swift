import ArgumentParser
import Foundation
import MLCCompiler
import MLCCore
import MLCFormatCoreML
import MLCInterfaceCode
import MLCPackage

/// Compiles a model and writes its Swift class: the step of a build that the SwiftPM plugin runs.
struct Build: Command {
  static let configuration = CommandConfiguration(
    abstract: "Compiles a model and writes its Swift class, as mlc.json beside it says.",
    discussion: """
      Examples:
        mlc build detector.onnx
        mlc build detector.mlpackage --package out/detector.mlmodelc --code Sources/detector.swift

      mlc.json in the model's folder has the settings: className, accessLevel, targets, portable, precision, \
      arithmetic, compression, inputs, learning, limitMemory, limitTime, winograd. Where neither the model nor its \
      settings changed since the last run, nothing is done. The plugin MLCPlugin runs this in 'swift build'.
      """
  )

  @Argument(help: "A source model, as 'mlc compile' takes it.", completion: .file()) var model: String
  @Option(
    help: ArgumentHelp("Where the compiled package goes; beside the model if not given.", valueName: "OUT.mlmodelc")
  )
  var package: String?
  @Option(help: ArgumentHelp("Where the Swift class goes; beside the package if not given.", valueName: "OUT.swift"))
  var code: String?
  @Option(
    help: ArgumentHelp("The folder beside the executable where the program finds the package.", valueName: "NAME")
  )
  var bundle: String?
  @OptionGroup(title: "Limits") var limits: BudgetOptions
  @OptionGroup var output: OutputOptions

  func perform() throws(Diagnostic) -> Int32 {
    do throws(Diagnostic) {
      let result = try run(package ?? ModelSource.sibling(of: model, "mlmodelc"))
      if output.json { Console.result(result.line) }
      return 0
    } catch {
      // As compilers do, with a line, so that editors lead to the file.
      Console.error(error.located(at: URL(filePath: model).path(percentEncoded: false)))
      if output.json { Console.result(error.json.line) }
      return error.kind.rawValue
    }
  }

  private func run(_ package: String) throws(Diagnostic) -> JSON {
    let code = code ?? ModelSource.sibling(of: package, "swift")
    let settings = try ModelSettings.load(for: model)
    try settings.checkLearning()
    let stamp = try BuildStamp(files: inputs, arguments: [package, code, bundle ?? ""])
    let stampFile = package + ".stamp"
    let isCurrent = stamp.isKept(at: stampFile) && [package, code].allSatisfy(FileManager.default.fileExists(atPath:))
    if !isCurrent {
      let targets = settings.targets
      _ = try PathKind(model)
      try settings.blaming("targets") { () throws(Diagnostic) in
        try ModelSource.check(
          compilingTo: package,
          targets: targets,
          arithmetic: settings.arithmetic,
          time: try allowed(settings).time
        )
      }
      for file in [code, stampFile] { try AtomicFile.check(file) }
      try? FileManager.default.removeItem(atPath: stampFile)
      let read = try settings.blaming("inputs") { () throws(Diagnostic) -> ModelSource in
        let folder = URL(filePath: model).deletingLastPathComponent()
        let custom = try CustomLayers(files: settings.custom.mapValues { folder.appending(path: $0).path() })
        return try ModelSource.load(
          model,
          inputs: settings.inputs,
          custom: custom,
          updatable: settings.learning == nil && settings.precision == .fp32 && settings.compression == nil,
          limits: try allowed(settings)
        )
      }
      let source = try stored(try settings.learning(of: read), settings)
      _ = try source.compile(to: package, targets: targets) { options in
        (options.isPortable, options.usesWinograd) = (settings.portable, settings.winograd)
        options.factors = settings.arithmetic.factors
      }
      try AtomicFile.write(try swift(package, settings), to: code)
      try stamp.keep(at: stampFile)
    }
    return .object(["package": .string(package), "code": .string(code), "current": .bool(isCurrent)])
  }

  /// The command's limits before those of the settings.
  private func allowed(_ settings: ModelSettings) throws(Diagnostic) -> Limits {
    let own = try limits.limits()
    return Limits(memory: own.memory ?? settings.limits.memory, time: own.time ?? settings.limits.time)
  }

  /// The model with weights and tensors stored as the settings say.
  private func stored(_ source: ModelSource, _ settings: ModelSettings) throws(Diagnostic) -> ModelSource {
    guard let plan = settings.compression else {
      return try PrecisionOption.apply(settings.precision, to: source).source
    }
    let bar = ProgressBar()
    defer { bar.clear() }
    let compressed = try source.compressed(by: plan, precision: settings.precision, showing: bar)
    bar.clear()
    for warning in [compressed.reports.nothingDone, compressed.reports.warning].compactMap({ $0 }) {
      Console.error("\(URL(filePath: model).path(percentEncoded: false)):1: warning: \(warning)")
    }
    return compressed.source
  }

  private func swift(_ package: String, _ settings: ModelSettings) throws(Diagnostic) -> String {
    let folder = URL(filePath: package).lastPathComponent
    let location = ResourceLocation(
      folder: folder,
      bundle: bundle,
      buildPath: URL(filePath: package).path(percentEncoded: false)
    )
    return try ModelClass.of(
      compiled: PackageReader(path: package),
      name: settings.className ?? ModelClass.name(ofFile: model),
      source: URL(filePath: model).lastPathComponent,
      location: location,
      access: settings.accessLevel
    ).code()
  }

  /// The model's files and its settings, and whatever else stands beside a model that may keep weights in other files.
  private var inputs: [String] {
    let url = URL(filePath: model)
    let (path, folder) = (url.path(percentEncoded: false), url.deletingLastPathComponent().path(percentEncoded: false))
    var isFolder: ObjCBool = false
    let isThere = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    var files = [path, folder + "/" + ModelSettings.fileName]
    guard isThere, isFolder.boolValue || url.pathExtension.lowercased() == SourceFormat.onnx.suffixes[0] else {
      return files
    }
    let root = isFolder.boolValue ? path : folder
    guard let found = FileManager.default.enumerator(atPath: root) else { return files }
    for case let file as String in found.prefix(10_000) where !Self.isResult(file) { files.append("\(root)/\(file)") }
    return files
  }

  /// Whether `file` is of a kind that this command writes.
  private static func isResult(_ file: String) -> Bool {
    file.hasSuffix(".swift") || file.hasSuffix(".stamp") || file.contains(".mlmodelc")
  }
}

extension Diagnostic {
  /// `FILE:1: error: node (op): message [id]` with a line for each note, at the file it names or at `model`; in a text
  /// at its line and column.
  fileprivate func located(at model: String) -> ConsoleText {
    let file = (location.file.map { URL(filePath: $0).path(percentEncoded: false) } ?? model).shown(4096)
    var place = location
    (place.file, place.position) = (nil, nil)
    let line = "\(file):\(location.position?.description ?? "1")"
    let node = place.description.isEmpty ? "" : place.description + ": "
    let head = "\(line): \(severity.rawValue): \(node)\(shownMessage) [\(id.rawValue)]"
    return ConsoleText(document: ([head] + shownNotes.map { "\(line): note: \($0)" }).joined(separator: "\n"))
  }
}

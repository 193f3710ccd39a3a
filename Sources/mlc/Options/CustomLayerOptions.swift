import ArgumentParser
import MLCCore
import MLCFormatCoreML

/// What custom layers of Core ML's neural networks mean.
struct CustomLayerOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "What custom layers of a class mean, for Core ML neural networks: a function in the text form of 'mlc inspect "
        + "--text'. May be repeated.",
      valueName: "CLASS=FILE"
    )
  )
  var custom: [String] = []

  /// Throws `custom.syntax` for an argument of another form or a class that is said twice, `custom.encoding`, and what
  /// reading the files throws.
  func layers() throws(Diagnostic) -> CustomLayers {
    var files: [String: String] = [:]
    for text in custom {
      let layer = try NamedArgument(text, of: "--custom", "CLASS=FILE", "custom.syntax")
      guard files.updateValue(layer.value, forKey: layer.name) == nil else {
        throw Diagnostic("custom.syntax", "--custom says '\(layer.name)' twice", kind: .usage)
      }
    }
    return try CustomLayers(files: files)
  }
}

extension CustomLayers {
  /// What the files say of the classes. Throws `custom.encoding`, and what reading them throws.
  init(files: [String: String]) throws(Diagnostic) {
    self.init()
    for (name, path) in files.sorted(by: { $0.key < $1.key }) {
      let file = try MappedFile(path: path)
      guard let text = withExtendedLifetime(file, { String(validating: file.bytes, as: UTF8.self) }) else {
        throw Diagnostic("custom.encoding", "the file is no UTF-8 text", at: Location(file: path))
      }
      try locating(Location(file: path)) { () throws(Diagnostic) in try add(name, text) }
    }
  }
}

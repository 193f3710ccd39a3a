import ArgumentParser
import Foundation
import MLCCore
import MLCGraph
import MLCOps

/// What applications shall see of a model, other than the source says.
struct InterfaceOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Author, description, license, version, or a key of your own; nothing behind '=' takes it away.",
      valueName: "KEY=VALUE"
    )
  )
  var metadata: [String] = []

  @Option(help: ArgumentHelp("Another name for an input or output.", valueName: "OLD=NEW"))
  var rename: [String] = []

  @Option(
    help: ArgumentHelp(
      "An input that is an image of pixels 0 to 255: rgb, bgr or gray; the model then takes SCALE * pixel + BIAS.",
      valueName: "NAME=ORDER[,scale=S][,bias=B[:G:R]]"
    )
  )
  var imageInput: [String] = []

  @Option(
    help: ArgumentHelp(
      "Names of the classes, one a line: the model becomes a classifier, whose label is that of its greatest score.",
      valueName: "FILE"
    ),
    completion: .file()
  )
  var classes: String?

  @Option(help: ArgumentHelp("The output with the scores of the classes.", valueName: "NAME"))
  var scores: String?

  /// The options that change more than what is said about the model.
  var givenBeyondMetadata: [String] {
    [("--image-input", !imageInput.isEmpty), ("--classes", classes != nil), ("--rename", !rename.isEmpty)]
      .filter { $0.1 }.map { $0.0 }
  }

  /// Throws `interface.syntax`, `interface.name`, `interface.image`, `interface.classes`, and what reading the file
  /// throws.
  func applied(to program: Program) throws(Diagnostic) -> Program {
    var program = program
    for text in metadata {
      let entry = try entry(text)
      program.metadata.removeAll { $0.key == entry.name }
      if !entry.value.isEmpty { program.metadata.append((entry.name, entry.value)) }
    }
    for text in imageInput { program.main = try image(text, program.main) }
    if let classes {
      let labels = ClassLabels.strings(try LabelOptions.lines(of: classes))
      program.main = try program.main.classifying(labels, scores: scores)
    } else if scores != nil {
      throw Diagnostic("interface.syntax", "--scores says which output --classes FILE names", kind: .usage)
    }
    for text in rename {
      let names = try renaming(text)
      program.main = try program.main.renaming(names.name, to: names.value)
    }
    return program
  }

  /// Refuses what is wrong whatever the model is. Throws as `applied(to:)` does.
  func check() throws(Diagnostic) {
    for text in metadata { _ = try entry(text) }
    for text in rename { _ = try renaming(text) }
    for text in imageInput { _ = try ImageForm(text) }
    if let classes { _ = try LabelOptions.lines(of: classes) }
  }

  private func image(_ text: String, _ function: Function) throws(Diagnostic) -> Function {
    let form = try ImageForm(text)
    return try function.takingImage(form.name, form.space, scale: form.scale, bias: form.bias)
  }

  private func entry(_ text: String) throws(Diagnostic) -> NamedArgument {
    try NamedArgument(text, of: "--metadata", "KEY=VALUE", "interface.syntax")
  }

  private func renaming(_ text: String) throws(Diagnostic) -> NamedArgument {
    try NamedArgument(text, of: "--rename", "OLD=NEW", "interface.syntax")
  }
}

/// `NAME=ORDER[,scale=S][,bias=B[:G:R]]`
private struct ImageForm {
  let name: String, space: Feature.ColorSpace
  private(set) var scale = 1.0
  private(set) var bias: [Double] = []

  init(_ text: String) throws(Diagnostic) {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    let head = parts[0].split(separator: "=", omittingEmptySubsequences: false).map(String.init)
    guard head.count >= 2, let space = Feature.ColorSpace(rawValue: head[head.count - 1]), space != .gray16 else {
      throw ImageForm.wrong(text)
    }
    (name, self.space) = (head.dropLast().joined(separator: "="), space)
    for part in parts.dropFirst() {
      let numbers = part.split(separator: "=").last.map { $0.split(separator: ":").map { Double($0) } } ?? []
      let known = numbers.compactMap { $0 }
      guard known.count == numbers.count, known.allSatisfy({ $0.isFinite }) else { throw ImageForm.wrong(text) }
      switch part.split(separator: "=").first {
      case "scale" where known.count == 1: scale = known[0]
      case "bias" where known.count == 1 || known.count == space.channels: bias = known
      default: throw ImageForm.wrong(text)
      }
    }
  }

  private static func wrong(_ text: String) -> Diagnostic {
    Diagnostic(
      "interface.syntax",
      "--image-input \(text): write NAME=rgb, bgr or gray, then ,scale=S and ,bias=B or one bias a channel, B:G:R",
      kind: .usage
    )
  }
}

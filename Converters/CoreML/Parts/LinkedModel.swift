import CoreMLProto
import Foundation
import MLCCore

/// Core ML `LinkedModel`: a model in a file of its own, found by name along a path of folders.
struct LinkedModel {
  private let name: String, searchPath: String

  /// Throws `coreml.link` where no file is named.
  init(_ link: CoreML_Specification_LinkedModel) throws(Diagnostic) {
    name = link.linkedModelFile.linkedModelFileName.defaultValue
    searchPath = link.linkedModelFile.linkedModelSearchPath.defaultValue
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    guard !name.isEmpty, !name.unicodeScalars.contains("\0"), parts.allSatisfy({ !["", ".", ".."].contains($0) }) else {
      throw Diagnostic("coreml.link", "the model links to '\(name)', which is no file's name")
    }
  }

  func convert(_ context: inout PartContext) throws(Diagnostic) {
    let link = context.part
    guard context.links < 16 else { throw Diagnostic("coreml.link", "links lead from one to the other without end") }
    let path = try find(from: link.path)
    let target: ModelPart
    if let opened = context.linked[path] {
      target = opened
    } else {
      target = try ModelFile.open(path)
      context.linked[path] = target
    }
    guard let rule = PartTable.rule(target.spec) else {
      throw Diagnostic("coreml.not-a-model", "'\(name)' holds no Core ML model")
    }
    context.part = target
    context.links += 1
    defer { (context.part, context.links) = (link, context.links - 1) }
    try locating(context.origin) { () throws(Diagnostic) in try rule(&context) }
  }

  /// In each folder of the path, which counts from the folder of the model that links: the name as it is, and where
  /// that is of a compiled model, the package or model that it was compiled from.
  private func find(from model: String) throws(Diagnostic) -> String {
    let home = URL(fileURLWithPath: model).deletingLastPathComponent()
    let folders = searchPath.isEmpty ? ["."] : searchPath.split(separator: ":").map(String.init)
    var names = [name]
    if name.hasSuffix(".mlmodelc") {
      let stem = String(name.dropLast(".mlmodelc".count))
      names = ["\(stem).mlpackage", "\(stem).mlmodel", name]
    }
    for folder in folders where !folder.hasPrefix("$") {
      for name in names {
        let path = URL(fileURLWithPath: folder, relativeTo: home).appendingPathComponent(name).standardizedFileURL.path
        if FileManager.default.fileExists(atPath: path) { return path }
      }
    }
    let places = folders.map { "'\($0)'" }.joined(separator: ", ")
    throw Diagnostic(
      "coreml.link",
      "the model links to '\(name)', which is not in \(places), seen from the model",
      notes: ["put \(names.map { "'\($0)'" }.joined(separator: " or ")) beside the model"]
    )
  }
}

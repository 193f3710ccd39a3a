import CoreMLProto
import MLCCore
import MLCProtobuf

/// A type of Core ML model whose meaning is not in the file, by its field in the schema's `Model`.
struct OtherModel {
  let field: UInt32
  /// What it is called.
  let name: String
  let advice: Advice

  /// What helps who has such a model.
  enum Advice: String {
    case apples = "what it computes is in Apple's systems alone: take a network for the task, in a file of its own"
    case program = "convert the original model with coremltools and convert_to=\"mlprogram\""
  }

  private init(_ field: UInt32, _ name: String, _ advice: Advice) {
    (self.field, self.name, self.advice) = (field, name, advice)
  }

  static let table: [OtherModel] = [
    .init(555, "a custom model, whose code is an application's", .program),
    .init(2000, "Apple's text classifier", .apples), .init(2001, "Apple's word tagger", .apples),
    .init(2002, "Apple's vision feature print", .apples), .init(2003, "Apple's sound preprocessing", .apples),
    .init(2004, "Apple's gazetteer", .apples), .init(2005, "Apple's word embedding", .apples),
    .init(2006, "Apple's audio feature print", .apples), .init(3000, "a serialised model of Apple's", .program),
  ]

  /// Throws `coreml.model-type` where the model, or one that it chains, is of such a type or of an unknown one.
  static func refuse(_ part: ModelPart, _ scan: ProtobufScan) throws(Diagnostic) {
    if let payload = scan.payloads(in: part.spec.unknownFields).first {
      let known = table.first { $0.field == payload.field }
      let place = part.name.isEmpty ? "the model" : "the pipeline's '\(part.name)'"
      throw Diagnostic(
        "coreml.model-type",
        "\(place) is \(known?.name ?? "of an unknown type"), which mlc does not read",
        kind: .unsupported,
        notes: [(known?.advice ?? .program).rawValue]
      )
    }
    for model in part.pipelined { try refuse(model, scan) }
  }
}

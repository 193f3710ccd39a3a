import MLCCore

/// A type of Core ML model that is not read, by its field in the schema's `Model`.
struct OtherModel {
  let field: UInt32
  /// What it is called.
  let name: String
  let advice: Advice

  /// What helps who has such a model: whether there is a network in it, or one that computes the same.
  enum Advice: String {
    case parts = """
      its parts that are networks can be run in turn: coremltools saves each of spec.pipeline.models, as \
      MLModel(part, weights_dir=model.weights_dir, skip_model_load=True).save(PATH)
      """
    case tensors = """
      no network is in it: hummingbird-ml makes a PyTorch module of the model of scikit-learn, XGBoost or LightGBM \
      that it came from, and torch.onnx.export an ONNX model of that
      """
    case neighbours = """
      no network is in it, only stored examples: compare with them in the application, or export a matrix product with \
      them and topk from PyTorch to ONNX; a network that makes its inputs compiles alone
      """
    case step = "do what it does in the application, and convert the network that comes before or after it"
    case apples = "what it computes is in Apple's systems alone: take a network for the task, in a file of its own"
    case linked = "give mlc the model that it links to"
    case program = "convert the original model with coremltools and convert_to=\"mlprogram\""
  }

  private init(_ field: UInt32, _ name: String, _ advice: Advice) {
    (self.field, self.name, self.advice) = (field, name, advice)
  }

  static let table: [OtherModel] = [
    .init(200, "a pipeline", .parts), .init(201, "a pipeline", .parts), .init(202, "a pipeline", .parts),
    .init(300, "a linear model", .tensors), .init(301, "a support vector machine", .tensors),
    .init(302, "a tree ensemble", .tensors), .init(304, "a Bayesian model", .tensors),
    .init(400, "a linear model", .tensors), .init(401, "a support vector machine", .tensors),
    .init(402, "a tree ensemble", .tensors), .init(404, "a nearest-neighbour classifier", .neighbours),
    .init(501, "a recommender", .neighbours), .init(555, "a custom model", .program),
    .init(556, "a link to another model", .linked), .init(560, "a thresholding step", .step),
    .init(600, "an encoder", .step), .init(601, "an imputer", .step), .init(602, "a feature vectorizer", .step),
    .init(603, "a feature vectorizer", .step), .init(604, "a scaler", .step), .init(606, "a mapping", .step),
    .init(607, "a normalizer", .step), .init(609, "an extractor", .step), .init(610, "non-maximum suppression", .step),
    .init(900, "the identity", .step), .init(2000, "one of Apple's own", .apples),
    .init(2001, "one of Apple's own", .apples), .init(2002, "one of Apple's own", .apples),
    .init(2003, "one of Apple's own", .apples), .init(2004, "one of Apple's own", .apples),
    .init(2005, "one of Apple's own", .apples), .init(2006, "one of Apple's own", .apples),
    .init(3000, "a serialised model", .program),
  ]

  /// Why the model of the type that `field` says is not read.
  static func refusal(_ field: UInt32) -> Diagnostic {
    let known = table.first { $0.field == field }
    return Diagnostic(
      "coreml.model-type",
      "the model is \(known?.name ?? "of an unknown type"); mlc reads ML Programs and neural networks",
      kind: .unsupported,
      notes: [(known?.advice ?? .program).rawValue]
    )
  }
}

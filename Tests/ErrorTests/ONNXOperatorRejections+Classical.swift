import MLCCore
import ONNXProto
import SwiftProtobuf

/// Operators of the domain of classical models.
extension Rejection {
  static let onnxClassical: [Rejection] = onnxTrees + onnxLinear + onnxMaps + onnxKeys + onnxMachines

  /// A node on x, of these extents.
  static func classical(_ id: String, _ type: String, _ attributes: [Onnx_AttributeProto], _ shape: [Int] = [1, 1])
    -> Rejection
  {
    Rejection(id) {
      var node = ONNXModels.node(type, ["x"], attributes)
      node.domain = "ai.onnx.ml"
      try ONNXModels.read(ONNXModels.model([node], inputs: [("x", shape)]))
    }
  }

  static func floats(_ name: String, _ values: [Float]) -> Onnx_AttributeProto {
    .with { ($0.name, $0.type, $0.floats) = (name, .floats, values) }
  }

  /// A node on x, a map from integers to texts.
  private static func onMap(_ id: String, _ type: String, _ attributes: [Onnx_AttributeProto]) -> Rejection {
    Rejection(id) {
      var node = ONNXModels.node(type, ["x"], attributes)
      node.domain = "ai.onnx.ml"
      var model = ONNXModels.model([node], inputs: [("x", [])])
      let text = Onnx_TypeProto.with { $0.tensorType = .with { ($0.elemType, $0.shape) = (8, .init()) } }
      model.graph.input[0].type = .with { $0.mapType = .with { ($0.keyType, $0.valueType) = (7, text) } }
      try ONNXModels.read(model)
    }
  }

  private static let onnxMaps: [Rejection] = [
    onMap("onnx.vocabulary", "DictVectorizer", []),
    onMap("onnx.vocabulary", "DictVectorizer", [ONNXModels.attribute("string_vocabulary", ["a"])]),
    onMap("onnx.vocabulary", "DictVectorizer", [ONNXModels.attribute("int64_vocabulary", [Int]())]),
    onMap("onnx.cast-map", "CastMap", [ONNXModels.attribute("cast_to", "TO_BOOL")]),
    onMap("onnx.cast-map", "CastMap", [ONNXModels.attribute("map_form", "LOOSE")]),
    onMap(
      "onnx.cast-map",
      "CastMap",
      [ONNXModels.attribute("map_form", "SPARSE"), ONNXModels.attribute("max_map", 1 << 40)]
    ),
    classical("onnx.sequence", "CastMap", []),
  ]

  private static let onnxTrees: [Rejection] = [
    classical("onnx.trees", "TreeEnsembleRegressor", []),
    classical("onnx.trees", "TreeEnsemble", []),
    regressor("onnx.trees", [ONNXModels.attribute("nodes_modes", ["BRANCH_LEQ", "LEAF", "BRANCH"])]),
    regressor("onnx.trees", [ONNXModels.attribute("nodes_nodeids", [0, 1, 1])]),
    regressor("onnx.trees", [ONNXModels.attribute("nodes_truenodeids", [3, 0, 0])]),
    regressor("onnx.trees", [ONNXModels.attribute("target_nodeids", [7])]),
    regressor("onnx.trees", [ONNXModels.attribute("target_ids", [Int]())]),
    regressor("onnx.trees", [ONNXModels.attribute("aggregate_function", "MEAN")]),
    regressor("onnx.trees", [floats("base_values", [0, 0])]),
    regressor("tree_ensemble.trees", [ONNXModels.attribute("nodes_truenodeids", [0, 0, 0])]),
    regressor("onnx.post-transform", [ONNXModels.attribute("post_transform", "TANH")]),
    regressor("onnx.features", [], [1, 1, 1]),
    classical("onnx.class-labels", "TreeEnsembleClassifier", tree("class", [])),
    classical(
      "onnx.class-labels",
      "TreeEnsembleClassifier",
      tree("class", []) + [ONNXModels.attribute("classlabels_int64s", [1])]
    ),
    classical(
      "onnx.post-transform",
      "TreeEnsembleClassifier",
      tree("class", [ONNXModels.attribute("post_transform", "PROBIT")])
        + [ONNXModels.attribute("classlabels_int64s", [0, 1])]
    ),
  ]

  private static let onnxLinear: [Rejection] = [
    classical("onnx.features", "Scaler", [floats("scale", [1, 2]), floats("offset", [0])]),
    classical("onnx.features", "Imputer", []),
    classical("onnx.features", "Normalizer", [], [1, 1, 1]),
    classical("onnx.norm-order", "Normalizer", [ONNXModels.attribute("norm", "L3")]),
    classical("onnx.features", "LinearRegressor", [floats("coefficients", [1, 2])]),
    classical("onnx.features", "LinearRegressor", [floats("coefficients", [1]), ONNXModels.attribute("targets", 0)]),
    classical("onnx.class-labels", "LinearClassifier", [floats("coefficients", [1])]),
    classical("onnx.class-labels", "ZipMap", [ONNXModels.attribute("classlabels_int64s", [1, 2])]),
  ]

  private static let onnxKeys: [Rejection] = [
    classical("onnx.keys", "LabelEncoder", []),
    classical("onnx.keys", "LabelEncoder", [floats("keys_floats", [1]), floats("values_floats", [1, 2])]),
    classical(
      "onnx.keys",
      "LabelEncoder",
      [ONNXModels.attribute("keys_int64s", [1]), ONNXModels.attribute("values_int64s", [1])]
    ),
    classical("onnx.keys", "LabelEncoder", [ONNXModels.attribute("classes_strings", ["a"])]),
    classical("onnx.keys", "CategoryMapper", [ONNXModels.attribute("cats_strings", ["a"])]),
  ]

  private static let onnxMachines: [Rejection] = [
    machine("onnx.svm", [ONNXModels.attribute("kernel_type", "COSINE")]),
    machine("onnx.svm", [floats("kernel_params", [1])]),
    machine("onnx.svm", [ONNXModels.attribute("n_supports", -1)]),
    machine("onnx.svm", [ONNXModels.attribute("n_supports", 2)]),
    machine("onnx.svm", [floats("coefficients", [1, 2])]),
    machine("onnx.svm", [floats("rho", [])]),
    machine("onnx.features", [floats("support_vectors", [1, 2])]),
    machine("onnx.post-transform", [ONNXModels.attribute("post_transform", "TANH")]),
    classical("onnx.svm", "SVMRegressor", [floats("coefficients", [1])]),
    classical("onnx.features", "SVMRegressor", [floats("coefficients", [1, 2]), floats("rho", [0])]),
    classifier("onnx.svm", [ONNXModels.attribute("vectors_per_class", [1])]),
    classifier("onnx.svm", [ONNXModels.attribute("vectors_per_class", [2, -1])]),
    classifier("onnx.svm", [floats("rho", [0, 0])]),
    classifier("onnx.svm", [floats("prob_a", [1])]),
    classifier("onnx.class-labels", [ONNXModels.attribute("classlabels_ints", [1])]),
    classifier("onnx.post-transform", [ONNXModels.attribute("post_transform", "PROBIT")]),
    classical("onnx.categories", "OneHotEncoder", []),
    classical("onnx.categories", "OneHotEncoder", [ONNXModels.attribute("cats_int64s", [1, 1])]),
  ]

  /// A regressor with one support vector, with some attributes changed.
  private static func machine(_ id: String, _ changes: [Onnx_AttributeProto]) -> Rejection {
    classical(
      id,
      "SVMRegressor",
      changed([ONNXModels.attribute("n_supports", 1), floats("coefficients", [1])], changes)
    )
  }

  /// A classifier of two classes with one support vector each, with some attributes changed.
  private static func classifier(_ id: String, _ changes: [Onnx_AttributeProto]) -> Rejection {
    let plain = [
      ONNXModels.attribute("vectors_per_class", [1, 1]), ONNXModels.attribute("classlabels_ints", [0, 1]),
      floats("coefficients", [1, 1]), floats("support_vectors", [1, 2]),
    ]
    return classical(id, "SVMClassifier", changed(plain, changes))
  }

  private static func changed(_ attributes: [Onnx_AttributeProto], _ changes: [Onnx_AttributeProto])
    -> [Onnx_AttributeProto]
  {
    let plain = [floats("support_vectors", [1]), floats("rho", [0]), floats("kernel_params", [0, 0, 0])]
    var names = Set(changes.map(\.name))
    return (changes + attributes + plain).filter { names.insert($0.name).inserted || changes.contains($0) }
  }

  private static func regressor(_ id: String, _ changes: [Onnx_AttributeProto], _ shape: [Int] = [1, 1]) -> Rejection {
    classical(id, "TreeEnsembleRegressor", tree("target", changes), shape)
  }

  /// A node with two leaves, the first of which has a weight, with some attributes changed.
  private static func tree(_ role: String, _ changes: [Onnx_AttributeProto]) -> [Onnx_AttributeProto] {
    let plain = [
      ONNXModels.attribute("nodes_treeids", [0, 0, 0]), ONNXModels.attribute("nodes_nodeids", [0, 1, 2]),
      ONNXModels.attribute("nodes_featureids", [0, 0, 0]), floats("nodes_values", [0, 0, 0]),
      ONNXModels.attribute("nodes_modes", ["BRANCH_LEQ", "LEAF", "LEAF"]),
      ONNXModels.attribute("nodes_truenodeids", [1, 0, 0]), ONNXModels.attribute("nodes_falsenodeids", [2, 0, 0]),
      ONNXModels.attribute("\(role)_treeids", [0]), ONNXModels.attribute("\(role)_nodeids", [1]),
      ONNXModels.attribute("\(role)_ids", [0]), floats("\(role)_weights", [1]),
    ]
    let changed = Set(changes.map(\.name))
    return plain.filter { !changed.contains($0.name) } + changes
  }
}

import CoreMLProto
import Foundation
import MLCCore
import MLCFormatCoreML
import SwiftProtobuf

private typealias Model = CoreML_Specification_Model
private typealias Tree = CoreML_Specification_TreeEnsembleParameters.TreeNode

extension Rejection {
  /// Core ML models that are no networks.
  static let classical: [Rejection] = [
    model("coreml.class-labels") { $0.glmClassifier.int64ClassLabels.vector = [1] },
    model("coreml.class-labels") { spec in
      spec.glmClassifier.int64ClassLabels.vector = [1, 2, 3]
      spec.glmClassifier.weights = [.with { $0.value = [1, 2] }]
      spec.glmClassifier.offset = [0]
    },
    model("coreml.class-labels") { spec in
      spec.treeEnsembleClassifier.treeEnsemble = stump
      spec.treeEnsembleClassifier.int64ClassLabels.vector = [1, 2, 3]
    },
    model("coreml.class-labels") { $0.kNearestNeighborsClassifier.numberOfNeighbors.defaultValue = 1 },
    model("coreml.class-labels") { spec in
      spec.kNearestNeighborsClassifier.numberOfNeighbors.defaultValue = 1
      spec.kNearestNeighborsClassifier.nearestNeighborsIndex.floatSamples = [.with { $0.vector = [1, 2] }]
    },
    model("coreml.features") { $0.glmRegressor.offset = [0] },
    model("coreml.features") { spec in
      spec.glmRegressor.weights = [.with { $0.value = [1, 2, 3] }]
      spec.glmRegressor.offset = [0]
    },
    model("coreml.features") { $0.scaler.shiftValue = [1, 2, 3] },
    model("coreml.features") { $0.arrayFeatureExtractor.extractIndex = [2] },
    model("coreml.features") { $0.featureVectorizer = .init() },
    model("coreml.features") { spec in
      spec.featureVectorizer.inputList = [.with { ($0.inputColumn, $0.inputDimensions) = ("x", 3) }]
    },
    model("coreml.features") { $0.imputer.imputedDoubleArray.vector = [1, 2, 3] },
    model("coreml.features") { $0.supportVectorRegressor.kernel.linearKernel = .init() },
    model("coreml.features") { spec in
      spec.treeEnsembleRegressor.treeEnsemble = stump
      spec.treeEnsembleRegressor.treeEnsemble.nodes[0].branchFeatureIndex = 2
    },
    model("coreml.features") { spec in
      spec.nonMaximumSuppression.confidenceInputFeatureName = "x"
      spec.nonMaximumSuppression.coordinatesInputFeatureName = "x"
    },
    model("coreml.outputs") { spec in
      spec.scaler.shiftValue = [1]
      spec.description_p.output.append(spec.description_p.output[0])
    },
    model("coreml.parameter") { $0.imputer = .init() },
    model("coreml.parameter") { $0.categoricalMapping = .init() },
    model("coreml.parameter") { $0.oneHotEncoder = .init() },
    model("coreml.parameter") { $0.dictVectorizer = .init() },
    model("coreml.parameter") { $0.normalizer.normType = .UNRECOGNIZED(7) },
    model("coreml.parameter") { $0.bayesianProbitRegressor = .init() },
    model("coreml.parameter") { $0.itemSimilarityRecommender = .init() },
    model("coreml.parameter") { $0.itemSimilarityRecommender.itemItemSimilarities = [.with { $0.itemID = .max }] },
    model("coreml.parameter") { $0.kNearestNeighborsClassifier = .init() },
    model("coreml.parameter") { spec in
      spec.classConfidenceThresholding.precisionRecallCurves = [.with { $0.recallValues.vector = [1] }]
    },
    svm { $0.coefficients.alpha = [] },
    svm { $0.kernel = .init() },
    svm { $0.sparseSupportVectors.vectors = [.with { $0.nodes = [.with { $0.index = 3 }] }] },
    model("coreml.svm") { spec in
      spec.supportVectorClassifier.kernel.linearKernel = .init()
      spec.supportVectorClassifier.denseSupportVectors.vectors = [.with { $0.values = [1, 2] }]
      spec.supportVectorClassifier.int64ClassLabels.vector = [1, 2]
    },
    trees { $0.nodes = [] },
    trees { $0.numPredictionDimensions = 0 },
    trees { $0.basePredictionValue = [1, 2] },
    trees { $0.nodes[0].trueChildNodeID = 9 },
    trees { $0.nodes[0].nodeBehavior = .UNRECOGNIZED(9) },
    trees { $0.nodes[0].branchFeatureValue = .nan },
    trees { $0.nodes[1].evaluationInfo[0].evaluationIndex = 1 },
    trees { $0.nodes[1].nodeID = 2 },
    trees { $0.nodes[0].trueChildNodeID = 2 },
    model("coreml.type") { spec in
      spec.scaler.shiftValue = [1]
      spec.description_p.output[0].type.stringType = .init()
    },
  ]

  private static func svm(_ damage: @escaping @Sendable (inout CoreML_Specification_SupportVectorRegressor) -> Void)
    -> Rejection
  {
    model("coreml.svm") { spec in
      var machine = CoreML_Specification_SupportVectorRegressor()
      machine.kernel.linearKernel = .init()
      machine.denseSupportVectors.vectors = [.with { $0.values = [1, 2] }]
      machine.coefficients.alpha = [1]
      damage(&machine)
      spec.supportVectorRegressor = machine
    }
  }

  private static func trees(
    _ damage: @escaping @Sendable (inout CoreML_Specification_TreeEnsembleParameters) -> Void
  ) -> Rejection {
    model("coreml.trees") { spec in
      var trees = stump
      damage(&trees)
      spec.treeEnsembleRegressor.treeEnsemble = trees
    }
  }

  /// One node and two leaves.
  private static var stump: CoreML_Specification_TreeEnsembleParameters {
    func leaf(_ number: UInt64) -> Tree {
      .with {
        ($0.nodeID, $0.nodeBehavior) = (number, .leafNode)
        $0.evaluationInfo = [.with { $0.evaluationValue = 1 }]
      }
    }
    return .with {
      $0.numPredictionDimensions = 1
      $0.nodes = [.with { ($0.trueChildNodeID, $0.falseChildNodeID) = (1, 2) }, leaf(1), leaf(2)]
    }
  }

  /// A model of `x: fp64[2]` that gives `y`, a number.
  private static func model(_ id: String, _ make: @escaping @Sendable (inout Model) -> Void) -> Rejection {
    Rejection(id) {
      var spec = Model()
      spec.specificationVersion = 4
      spec.description_p.input = [
        .with {
          $0.name = "x"
          $0.type.multiArrayType.shape = [2]
          $0.type.multiArrayType.dataType = .double
        }
      ]
      spec.description_p.output = [
        .with {
          $0.name = "y"
          $0.type.doubleType = .init()
        }
      ]
      make(&spec)
      let folder = try ScratchFolder()
      _ = try CoreMLPackage.read(try folder.write([UInt8](try spec.serializedData()), to: "a.mlmodel"))
    }
  }
}

import CoreMLProto
import MLCCore
import MLCFormatCoreML
import MLCGraph
import SwiftProtobuf
import Testing

/// Models of few bytes whose features have very many numbers, and what stands for those that are 0.
@Suite struct LargeFeatureTests {
  private typealias Kernel = CoreML_Specification_Kernel

  private func feature(_ name: String, _ shape: [Int64]) -> CoreML_Specification_FeatureDescription {
    .with {
      $0.name = name
      ($0.type.multiArrayType.shape, $0.type.multiArrayType.dataType) = (shape, .double)
    }
  }

  /// A regressor of `x: fp64[features]` whose `vectors` say a number by its place.
  private func machine(
    _ kernel: Kernel,
    _ vectors: [[Int: Double]],
    features: Int,
    isSparse: Bool
  ) -> CoreML_Specification_Model {
    .with { model in
      model.specificationVersion = 4
      model.description_p.input = [feature("x", [Int64(features)])]
      model.description_p.output = [feature("y", [1])]
      model.supportVectorRegressor.kernel = kernel
      model.supportVectorRegressor.coefficients.alpha = vectors.indices.map { 0.5 - 0.375 * Double($0) }
      model.supportVectorRegressor.rho = 0.125
      if isSparse {
        model.supportVectorRegressor.sparseSupportVectors.vectors = vectors.map { vector in
          .with { row in
            row.nodes = vector.sorted { $0.key < $1.key }.map { node in
              .with { ($0.index, $0.value) = (Int32(node.key + 1), node.value) }
            }
          }
        }
      } else {
        model.supportVectorRegressor.denseSupportVectors.vectors = vectors.map { vector in
          .with { $0.values = (0..<features).map { vector[$0] ?? 0 } }
        }
      }
    }
  }

  private static let kernels: [Kernel] = [
    .with { $0.linearKernel = .init() },
    .with { $0.rbfKernel.gamma = 0.25 },
    // Distances of this reach are sums of differences.
    .with { $0.rbfKernel.gamma = 1e12 },
    .with { ($0.polyKernel.degree, $0.polyKernel.c, $0.polyKernel.gamma) = (3, 0.5, 0.25) },
    .with { ($0.sigmoidKernel.c, $0.sigmoidKernel.gamma) = (-0.25, 0.5) },
  ]

  /// Few features, all of them, those at both ends, the same in all vectors, none in one vector, none at all.
  private static let vectors: [[[Int: Double]]] = [
    [[2: 1.5, 5: -0.5], [3: 2]],
    [[0: 1, 1: 2, 2: 3, 3: 1, 4: -1, 5: 0.5, 6: 1, 7: -2, 8: 1], [4: 0.25]],
    [[0: -1], [8: 0.75]],
    [[4: 1], [4: -1], [4: 0.5]],
    [[:], [1: 1, 7: 0.5]],
    [[:], [:]],
  ]

  @Test(arguments: kernels, vectors) fileprivate func sparseVectorsAreThoseWithZeros(
    kernel: CoreML_Specification_Kernel,
    vectors: [[Int: Double]]
  ) throws {
    let programs = try [true, false].map { isSparse in
      try program(of: machine(kernel, vectors, features: 9, isSparse: isSparse)).main
    }
    let rows = [numbers(.float64, [9]).doubles, (0..<9).map { vectors[0][$0] ?? 0 }, [Double](repeating: 0, count: 9)]
    for x in rows {
      let (sparse, dense) = (
        try Interpreter(programs[0]).run([Tensor(.float64, [9], x)])[0].doubles[0],
        try Interpreter(programs[1]).run([Tensor(.float64, [9], x)])[0].doubles[0]
      )
      #expect(abs(sparse - dense) <= 1e-12 * max(1, abs(dense)), "\(sparse) and \(dense) of \(x)")
    }
  }

  @Test(arguments: kernels) fileprivate func vectorsOfVeryManyFeatures(kernel: CoreML_Specification_Kernel) throws {
    let features = 1 << 30
    let main = try program(of: machine(kernel, [[features - 1: 1], [3: 2]], features: features, isSparse: true)).main
    #expect(main.constantElements <= 64)
  }

  @Test func vectorsThatNoMatrixHolds() {
    let vectors = (0..<20_000).map { [$0: 1.0] }
    let problem = expectDiagnostic("coreml.svm") {
      _ = try program(of: machine(Self.kernels[0], vectors, features: 1 << 30, isSparse: true))
    }
    #expect(problem?.kind == .unsupported)
  }

  @Test func boxesThatAreZeros() throws {
    let main = try program(
      of: .with { model in
        model.specificationVersion = 4
        model.description_p.input = [feature("scores", [1024, 8192]), feature("boxes", [1024, 4])]
        model.description_p.output = [feature("best", [1 << 20, 8192]), feature("kept", [1 << 20, 4])]
        model.nonMaximumSuppression.confidenceInputFeatureName = "scores"
        model.nonMaximumSuppression.coordinatesInputFeatureName = "boxes"
        model.nonMaximumSuppression.confidenceOutputFeatureName = "best"
        model.nonMaximumSuppression.coordinatesOutputFeatureName = "kept"
        model.nonMaximumSuppression.iouThreshold = 0.5
      }
    ).main
    #expect(main.type(main.outputs[0]).shape == [1_048_576, 8192])
    #expect(main.constantElements <= 1 << 14)
  }
}

extension Function {
  /// Elements of all constants.
  fileprivate var constantElements: Int { values.reduce(0) { $0 + ($1.fact.value?.count ?? 0) } }
}

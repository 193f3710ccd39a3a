import MLCGraph

/// The operators mlc knows. Adding one is one line; a test holds it equal to the files in this folder.
package enum OperatorSet {
  package static let standard: [any Operator.Type] = [
    Add.self,
    Const.self,
    Mul.self,
    RealDiv.self,
    ReduceL1Norm.self,
    ReduceL2Norm.self,
    ReduceLogSum.self,
    ReduceLogSumExp.self,
    ReduceMax.self,
    ReduceMean.self,
    ReduceMin.self,
    ReduceProd.self,
    ReduceSum.self,
    ReduceSumSquare.self,
    Reshape.self,
    Sub.self,
    Transpose.self,
  ]

  /// By MIL name.
  package static func named(_ name: String) -> (any Operator.Type)? { byName[name] }

  private static let byName = Dictionary(uniqueKeysWithValues: standard.map { ($0.name, $0) })
}

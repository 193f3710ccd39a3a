import CoreMLProto
import MLCCore
import MLCGraph
import MLCOps

/// Core ML `SupportVectorRegressor`: kernels with the support vectors times coefficients, less rho.
enum SupportVectorRegressor {
  static func convert(_ model: CoreML_Specification_SupportVectorRegressor, _ context: inout PartContext)
    throws(Diagnostic)
  {
    let x = try context.row()
    var given = CoreMLSupportVectors(kernel: model.kernel)
    switch model.supportVectors {
    case .denseSupportVectors(let vectors)?: given.dense = vectors
    case .sparseSupportVectors(let vectors)?: given.sparse = vectors
    case nil: break
    }
    let machine = try given.machine(of: x, context)
    let alpha = model.coefficients.alpha
    guard alpha.count == machine.count else {
      throw context.damaged("coreml.svm", "\(alpha.count) coefficients for \(machine.count) support vectors")
    }
    let weight = context.constant(Tensor(.float64, [1, alpha.count], alpha), "coefficients")
    let kernels = try machine.kernels(of: x, in: &context)
    try context.predict(try context.apply(Linear(), kernels, weight, context.row([-model.rho], like: x, "offset")))
  }
}

/// Core ML `SupportVectorClassifier`: the class with most votes of machines for each pair of classes, the first among
/// equals. Scores are the classes' probabilities by pairwise coupling, or without logistics each one's share of the
/// votes. Source: LIBSVM.
enum SupportVectorClassifier {
  static func convert(_ model: CoreML_Specification_SupportVectorClassifier, _ context: inout PartContext)
    throws(Diagnostic)
  {
    let x = try context.row()
    let machine = try vectors(model).machine(of: x, context)
    let labels = try labels(model, context)
    let pairs = try pairs(model, machine, labels, context)
    let scores = try pairs.scores(of: try machine.kernels(of: x, in: &context), in: &context)
    let votes = try context.converted(try pairs.votes(scores, in: &context), to: .float64)
    let index = try context.greatest(votes)
    if let chances = try pairs.probabilities(scores, in: &context) {
      return try context.classify(index, chances, labels)
    }
    try context.classify(index, try context.scaled(votes, by: 1 / Double(pairs.count)), labels)
  }

  private static func vectors(_ model: CoreML_Specification_SupportVectorClassifier) -> CoreMLSupportVectors {
    var given = CoreMLSupportVectors(kernel: model.kernel)
    switch model.supportVectors {
    case .denseSupportVectors(let vectors)?: given.dense = vectors
    case .sparseSupportVectors(let vectors)?: given.sparse = vectors
    case nil: break
    }
    return given
  }

  private static func labels(_ model: CoreML_Specification_SupportVectorClassifier, _ context: PartContext)
    throws(Diagnostic) -> ClassLabels
  {
    switch model.classLabels {
    case .stringClassLabels(let given)?: return try context.labels(given, nil, least: 2)
    case .int64ClassLabels(let given)?: return try context.labels(nil, given, least: 2)
    case nil: return try context.labels(nil, nil, least: 2)
    }
  }

  private static func pairs(
    _ model: CoreML_Specification_SupportVectorClassifier,
    _ machine: SupportVectors,
    _ labels: ClassLabels,
    _ context: PartContext
  ) throws(Diagnostic) -> ClassPairs {
    let counts = model.numberOfSupportVectorsPerClass.map { Int($0) }
    let coefficients = model.coefficients.map { $0.alpha }
    let isWhole =
      counts.count == labels.count && counts.allSatisfy { $0 >= 0 } && counts.reduce(0, +) == machine.count
      && coefficients.allSatisfy { $0.count == machine.count } && model.probA.count == model.probB.count
    let pairs = ClassPairs(
      counts,
      coefficients: coefficients.flatMap { $0 },
      offsets: model.rho.map { -$0 },
      logistics: zip(model.probA, model.probB).map { .init(slope: $0, offset: $1) }
    )
    guard let pairs, isWhole else {
      let given = "\(coefficients.count) rows of coefficients, \(model.rho.count) rho, \(model.probA.count) logistics"
      throw context.damaged("coreml.svm", "\(given) for \(labels.count) classes with \(machine.count) support vectors")
    }
    return pairs
  }
}

/// The kernel and the vectors of either form.
private struct CoreMLSupportVectors {
  let kernel: CoreML_Specification_Kernel
  var dense: CoreML_Specification_DenseSupportVectors?, sparse: CoreML_Specification_SparseSupportVectors?

  init(kernel: CoreML_Specification_Kernel) { self.kernel = kernel }

  /// Those that rows like `x` are compared with. Throws `coreml.svm`, `coreml.features`.
  func machine(of x: ValueID, _ context: PartContext) throws(Diagnostic) -> SupportVectors {
    let columns = context.fact(x).shape[1].constant ?? 0
    if let sparse { return try machine(sparse, columns, context) }
    let rows = dense?.vectors.map { $0.values } ?? []
    guard !rows.isEmpty, rows.allSatisfy({ $0.count == columns }) else {
      throw context.damaged("coreml.features", "\(rows.count) support vectors do not fit \(columns) features")
    }
    return SupportVectors(try function(context), Tensor(.float64, [rows.count, columns], rows.flatMap { $0 }))
  }

  /// Of features that no vector has nothing is made, unless they are few: texts have some words of very many.
  /// Places count from 1, as LIBSVM has them.
  private func machine(_ sparse: CoreML_Specification_SparseSupportVectors, _ columns: Int, _ context: PartContext)
    throws(Diagnostic) -> SupportVectors
  {
    let nodes = sparse.vectors.map { $0.nodes }
    // Of vectors that are all 0 a column stays.
    let used = nodes.contains { !$0.isEmpty } ? Set(nodes.joined().map(\.index)).sorted() : [1]
    guard !nodes.isEmpty, used[0] >= 1, used[used.count - 1] <= columns else {
      let range = "places \(used[0]) to \(used[used.count - 1])"
      throw context.damaged("coreml.svm", "\(nodes.count) support vectors have \(range) of \(columns) features")
    }
    let places = used.count <= columns / 2 ? used.map { Int($0) - 1 } : Array(0..<columns)
    guard let count = [nodes.count, places.count].checkedProduct, count <= Self.largest else {
      let size = "\(nodes.count) support vectors with \(places.count) features between them"
      throw Diagnostic("coreml.svm", "\(size), of which a matrix is made", kind: .unsupported, at: context.origin)
    }
    let column = Dictionary(uniqueKeysWithValues: places.enumerated().map { ($1, $0) })
    var elements = [Double](repeating: 0, count: count)
    for (row, nodes) in nodes.enumerated() {
      for node in nodes { elements[row * places.count + column[Int(node.index) - 1]!] = node.value }
    }
    return SupportVectors(
      try function(context),
      Tensor(.float64, [nodes.count, places.count], elements),
      places: places.count < columns ? places : nil
    )
  }

  /// Elements of a matrix of vectors: 2 GiB.
  private static let largest = 1 << 28

  private func function(_ context: PartContext) throws(Diagnostic) -> SupportVectors.Kernel {
    switch kernel.kernel {
    case .linearKernel?: return .linear
    case .rbfKernel(let given)?: return .radial(gamma: given.gamma)
    case .polyKernel(let given)?:
      return .polynomial(gamma: given.gamma, offset: given.c, degree: Double(given.degree))
    case .sigmoidKernel(let given)?: return .sigmoid(gamma: given.gamma, offset: given.c)
    case nil: throw context.damaged("coreml.svm", "the machine has no kernel")
    }
  }
}

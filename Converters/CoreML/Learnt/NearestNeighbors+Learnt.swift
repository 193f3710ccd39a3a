import CoreMLProto
import MLCCore

extension CoreML_Specification_KNearestNeighborsClassifier {
  /// Holds the samples that `learnt` has, and a label for each.
  mutating func learn(_ learnt: [String: Tensor]) {
    typealias Neighbors = Learning.Neighbors
    guard let samples = learnt[Neighbors.samples], let classes = learnt[Neighbors.classes],
      let members = learnt[Neighbors.members]?.integers
    else { return }
    let (rows, columns) = (samples.floats, samples.shape[1])
    nearestNeighborsIndex.floatSamples = members.indices.map { number in
      var sample = CoreML_Specification_FloatVector()
      sample.vector = Array(rows[number * columns..<(number + 1) * columns])
      return sample
    }
    if classes.dtype == .string {
      let names = classes.strings
      stringClassLabels.vector = members.map { names[$0] }
    } else {
      let names = classes.integers
      int64ClassLabels.vector = members.map { Int64(names[$0]) }
    }
  }
}

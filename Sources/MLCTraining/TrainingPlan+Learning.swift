import MLCCore

extension TrainingPlan {
  /// As a model says that it learns.
  package init(_ learning: Learning) {
    self.init()
    func whole(_ key: Learning.Setting.Key) -> Int? { learning.setting(key).flatMap { Int(exactly: $0.value) } }
    epochs = whole(.epochs) ?? epochs
    batchSize = whole(.miniBatchSize)
    shuffles = learning.setting(.shuffle).map { $0.value != 0 } ?? shuffles
    seed = whole(.seed).flatMap { UInt64(exactly: $0) } ?? seed
  }

  /// Throws `update.setting` for what a model that learns so does not allow.
  package func check(_ learning: Learning) throws(Diagnostic) {
    var given: [(key: Learning.Setting.Key, value: Double)] = [
      (.epochs, Double(epochs)), (.miniBatchSize, Double(batchSize ?? TrainingPlan.usualBatchSize)),
    ]
    given += settings.compactMap { name, value in Learning.Setting.Key(rawValue: name).map { ($0, value) } }
    for (key, value) in given.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      guard let setting = learning.setting(key), !setting.allowed.contains(value) else { continue }
      let message = "the model allows \(key.rawValue) to be \(setting.allowed), not \(Learning.Setting.spelled(value))"
      throw Diagnostic("update.setting", message, kind: .usage)
    }
  }
}

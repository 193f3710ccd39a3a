/// Backend tests that mlc reads and answers otherwise than ONNX, or not, each with the reason.
enum ConformanceExceptions {
  static let reasons: [String: String] = [
    "node/test_bernoulli": drawn, "node/test_bernoulli_expanded": drawn, "node/test_bernoulli_double": drawn,
    "node/test_bernoulli_double_expanded": drawn, "node/test_bernoulli_seed": drawn,
    "node/test_bernoulli_seed_expanded": drawn, "node/test_training_dropout": drawn,
    "node/test_training_dropout_default": drawn, "node/test_training_dropout_default_mask": drawn,
    "node/test_training_dropout_mask": drawn,
  ]

  private static let drawn = "the numbers of numpy's generator: RandomOperatorTests hold ours to what they shall be"
}

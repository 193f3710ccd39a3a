extension Explanation {
  /// What keeps a model from being trained.
  static let gradients: [Explanation] = [
    .init(
      "gradient.unsupported",
      "A node between the weights to be trained and the loss has no gradient in mlc, or none for the form or the open "
        + "sizes that it has here; the message says which, and the notes name every other such node. Train weights "
        + "behind these nodes only, or bind open sizes with --input."
    ),
    .init(
      "gradient.parameter",
      "No constant of floating-point numbers has this name, or no name was given. Weights go by the names that 'mlc "
        + "inspect --text' shows of constants."
    ),
    .init("gradient.output", "The model has no output of this name to compare with targets; the message lists them."),
    .init(
      "gradient.loss",
      "This loss is not made for predictions of this element type or shape: all take floating-point numbers, and one "
        + "of classes needs the axis that they lie along."
    ),
  ]
}

import ArgumentParser

/// What learns, and from what.
struct TrainableOptions: ParsableArguments {
  @Option(
    name: .customLong("trainable"),
    help: ArgumentHelp(
      "Train weights of such names; '*' stands for any characters. All weights if not given. May be repeated.",
      valueName: "PATTERN"
    )
  )
  var patterns: [String] = []
  @Flag(
    help: "Train a Keras model as its file says: the layers that learn, loss and optimizer, unless options name others."
  )
  var respectTrainable = false
  @Option(help: ArgumentHelp("What the targets are called in the data ('target').", valueName: "NAME"))
  var targetName: String?

  var target: String { targetName ?? "target" }
}

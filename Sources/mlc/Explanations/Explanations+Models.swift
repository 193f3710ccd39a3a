extension Explanation {
  /// What is wrong with a model, whatever its format.
  static let models: [Explanation] =
    [
      .init(
        "broadcast.shape",
        "Shapes broadcast as in NumPy: they align at the last axis, and extents are equal or one of them is 1. Check "
          + "the shapes that are bound with --input, and the operands of the node that is named."
      ),
      .init(
        "einsum.equation",
        "The equation of an Einstein summation has letters for the axes of each operand, a comma between two, and "
          + "perhaps '->' and the letters of the result, each of which stands in an operand."
      ),
      .init(
        "einsum.shape",
        "An operand has another number of axes than the equation has letters for it, or one letter stands for "
          + "different extents."
      ),
      .init("dim.syntax", "A size is spelled as a number, a name, or a sum and product of them, such as 2*n+1."),
      .init(
        "dim.too-large",
        "A size is spelled with so many characters, or so deep, that it cannot be meant. The file is damaged."
      ),
      .init(
        "graph.argument-count",
        "The node has more inputs than its operator takes. The exporter, or an edit of the model, went wrong."
      ),
      .init(
        "graph.long-name",
        "A name that callers spell - of a function, an input, an output, a state or an open size - has more than 1024 "
          + "bytes. Rename it where the model is made. Names of nodes, weights and layers may have any length."
      ),
      .init(
        "graph.missing-input",
        "The node lacks an input that its operator needs. The exporter, or an edit of the model, went wrong."
      ),
      .init(
        "graph.negative-extent",
        "The result would have an extent below 0: a window or a padding larger than the data. Bind larger inputs with "
          + "--input."
      ),
      .init(
        "graph.rank",
        "An input of the node has another number of axes than its operator takes. Check --input shapes."
      ),
      .init(
        "graph.repeated-name",
        "Two inputs, outputs or states have one name, so that a caller could not tell them apart. Rename one where the "
          + "model is made."
      ),
      .init(
        "graph.tensor-size",
        "A tensor would be larger than 64 GiB. Bind smaller inputs with --input; if they are small already, the model "
          + "is damaged."
      ),
      .init(
        "text.pattern",
        "A pattern is no regular expression of RE2's syntax, or uses what mlc has not: scripts of Unicode, single "
          + "bytes, references to groups. The message says where."
      ),
      .init(
        "text.pattern-size",
        "A pattern would take more steps than mlc plans for, most often for repetitions counted within repetitions."
      ),
      .init(
        "graph.unknown-extent",
        "The shape of a result did not follow from its inputs, which is a bug of mlc: please report it with the model."
      ),
      .init(
        "interpreter.input",
        "The tensors given to the reference interpreter do not fit the model. 'mlc inspect MODEL' shows names, types "
          + "and shapes."
      ),
      .init(
        "verify.feature",
        "An input or output stopped to be what applications see of it, which is a bug of mlc: please report it with "
          + "the model."
      ),
      .init(
        "verify.outputs",
        "The graph lost an output on its way through mlc, which is a bug of mlc: please report it with the model."
      ),
      .init(
        "verify.parameter",
        "The graph lost the input of what the model learns, which is a bug of mlc: please report it with the model."
      ),
      .init(
        "verify.redefinition",
        "The graph defines a value twice, which is a bug of mlc: please report it with the model."
      ),
      .init(
        "verify.state",
        "The graph lost the input or the output of a state, which is a bug of mlc: please report it with the model."
      ),
      .init(
        "verify.type",
        "A value of the graph has another type than its operation gives, which is a bug of mlc: please report it with "
          + "the model."
      ),
      .init(
        "verify.undefined",
        "The graph uses a value before it is defined, which is a bug of mlc: please report it with the model."
      ),
      .init(
        "verify.unknown-value",
        "The graph names a value that it does not have, which is a bug of mlc: please report it with the model."
      ),
    ] + programText + coreML

  private static let programText: [Explanation] = [
    .init(
      "text.argument",
      "The operation is given an input that its operator does not have. 'mlc explain OPERATOR' lists them."
    ),
    .init(
      "text.attribute",
      "The operator has no attribute of this name, or it is of another kind. 'mlc explain OPERATOR' lists them."
    ),
    .init("text.blob", "The text refers to a large constant that is not beside it, or is of another type there."),
    .init("text.depth", "Blocks nest too deep. Programs of mlc's own nest a few levels at most."),
    .init(
      "text.dtype",
      "There is no element type of this name; there are fp16, fp32, int32, bool and the others that 'mlc inspect' "
        + "prints."
    ),
    .init("text.operator", "There is no operator of this name. 'mlc explain list' lists them."),
    .init("text.redefinition", "Every value of a function has a name of its own."),
    .init("text.results", "The operation names another number of results than its operator has."),
    .init("text.syntax", "The text is no program in the form that 'mlc inspect --text' prints. The line is named."),
    .init("text.tensor", "The elements of a constant do not fit its type and shape."),
    .init("text.type", "The type that is written is not the one that the operation gives."),
    .init("text.undefined", "A value is used that nothing above defines."),
    .init(
      "text.value",
      "An attribute is a number, a string, true or false, an element type, or a list of one kind of these."
    ),
  ]

  private static let coreML: [Explanation] = [
    .init(
      "coreml.blocks",
      "An operation has another number of nested blocks than its operator. The package is damaged."
    ),
    .init(
      "coreml.class-labels",
      "A classifier has another number of labels than of scores, or none. The model is damaged, or was described by "
        + "hand."
    ),
    .init(
      "coreml.compressed",
      "A compressed constant does not fit its table, mask or scales. Convert the original model again, or give it "
        + "uncompressed."
    ),
    .init(
      "coreml.constant",
      "A constant of the model has no fixed shape, or other elements than its type or layer says. The model is damaged."
    ),
    .init(
      "coreml.custom",
      "What --custom gives for a class does not fit its layers: it is one function, whose inputs are the layer's own "
        + "in order, its parameters by name, and its weights by place, weight0 and so on. Specs/Manual/CoreML.md shows "
        + "one."
    ),
    .init(
      "coreml.features",
      "A model that is no network takes other features than it is given: another number of them, or of no fixed "
        + "number. The model is named; its description or that of a model before it is wrong."
    ),
    .init(
      "coreml.function",
      "The program has no function, or a function has no body for its operator set. The package is damaged."
    ),
    .init(
      "coreml.link",
      "The model links to another in a file of its own, which is not there, has no name that a file can have, or links "
        + "back. Put the model that is named beside the one that links to it: its package or .mlmodel, by the name of "
        + "the compiled model."
    ),
    .init("coreml.malformed", "The file is no Core ML model, or was damaged or cut off."),
    .init(
      "coreml.manifest",
      "The Manifest.json of the package is damaged, or names a model that is not in the package. Copy the whole folder "
        + "again."
    ),
    .init(
      "coreml.model-type",
      "What the model, or one that a pipeline chains, computes is not in the file but in Apple's systems, or in an "
        + "application's code. Take a network for the task that is in a file of its own, or convert the original model."
    ),
    .init(
      "coreml.loop",
      "A loop of a neural network gives a value more or fewer axes in each round. Types are fixed where a loop runs as "
        + "often as data says, so the rounds of such a loop are written out one after another: constants must say how "
        + "many there are, as 'maxLoopIterations' or a condition on a counter does, and they have at most 4096 layers. "
        + "Otherwise keep the rank, say by an axis of extent 1 that is there from the start."
    ),
    .init("coreml.nesting", "The messages of the file nest so deep that it cannot be meant. The file is damaged."),
    .init(
      "coreml.not-a-model",
      "The file holds no Core ML model. In a package the model is the file in Data that Manifest.json names."
    ),
    .init(
      "coreml.note",
      "mlc leaves a note in packages that it writes, to read its own graph back, and this one is damaged. Convert the "
        + "original model again."
    ),
    .init("coreml.out-of-memory", "There was no memory left to read the model."),
    .init(
      "coreml.outputs",
      "An operation has more results than its operator gives, or none, or the model has no output."
    ),
    .init(
      "coreml.parameter",
      "A parameter or input of an operation or layer is missing, of the wrong kind or size, computed where mlc needs a "
        + "constant, or unknown to mlc. The operation is named."
    ),
    .init(
      "coreml.refused",
      "With --strict nothing is written that Apple's loader would refuse. Each note names the operator, the nodes, the "
        + "reason and a way round; without --strict the package is written, and mlc reads it."
    ),
    .init(
      "coreml.pipeline",
      "A pipeline has no models, or pipelines nest too deep; or the models given for one give the same name twice, "
        + "take what is of another type, or have several functions or states. 'mlc convert --rename OLD=NEW' gives an "
        + "output another name."
    ),
    .init(
      "coreml.svm",
      "A support vector machine has other numbers of vectors, coefficients and offsets than classes, no kernel, or a "
        + "vector with a place that features do not have. The model is damaged."
    ),
    .init(
      "coreml.update",
      "A model says that it can be updated, and how it is updated contradicts itself: no loss or several, a loss of "
        + "what no layer gives or with a target that the training inputs do not have, no layer whose weights are "
        + "updated, or a setting outside of its own range. The model is damaged; 'mlc compile --no-updatable' compiles "
        + "it for predictions alone."
    ),
    .init("coreml.too-large", "A Core ML model holds at most 2 GiB without its weights."),
    .init(
      "coreml.trees",
      "Trees have nodes without children that they name, several roots or none, numbers that cannot be compared, or "
        + "leaves for results that there are not. The model is damaged."
    ),
    .init(
      "coreml.type",
      "A value is no tensor of known rank, or a feature is not what the model that takes it needs. Inputs and outputs "
        + "of a neural network are arrays, numbers or images of known shape; its array inputs of the old form have 1, "
        + "3 or 5 axes."
    ),
    .init(
      "coreml.undefined-value",
      "An operation, a layer or an output uses a value that nothing before it computes. The model is damaged."
    ),
    .init(
      "coreml.unsupported",
      "The model uses operators or layers that mlc does not have; the notes list all of them. Convert the model "
        + "without them."
    ),
    .init(
      "coreml.weights",
      "The file of weights is missing, damaged, or outside of the package. Copy the whole folder again."
    ),
  ]
}

extension Explanation {
  /// What 'mlc update' refuses, and 'mlc compile' of models that are to learn where they run.
  static let training: [Explanation] = [
    .init(
      "update.batch-size",
      "The model's first axis is fixed, and a step takes so many examples. Leave --batch-size out, or export the model "
        + "with an open batch axis."
    ),
    .init(
      "update.checkpoint",
      "The checkpoint in this folder follows from another model, other data or other options, or has more epochs than "
        + "are asked for. Repeat the command as it was, or remove the file to begin anew."
    ),
    .init("update.data-empty", "The data hold no examples, or too few for one batch to train on and one to measure."),
    .init(
      "update.data-finite",
      "Inputs and targets are finite numbers; the message names the first example that has others. Also numbers that "
        + "the model's element type cannot hold become infinities."
    ),
    .init(
      "update.data-folder",
      "A folder of examples holds .npy files, each a tensor called as the file, or .npz files with the same tensors, "
        + "whose examples follow each other in the order of the names; not both. Extents but the first are equal."
    ),
    .init(
      "update.data-missing",
      "The archive holds a tensor for each input, by the name that 'mlc inspect' shows, and the targets, which "
        + "--target-name names."
    ),
    .init(
      "update.data-shape",
      "Each tensor of the data has the shape of its input or target with the number of examples as the first extent, "
        + "which is the same for all. The message names the tensor."
    ),
    .init(
      "update.data-type",
      "Floats are converted to the floats that are taken, integers to integers that can hold them, and nothing else: "
        + "the message names the tensor. Convert it before."
    ),
    .init(
      "update.diverged",
      "The loss or the weights are no finite numbers any more, and nothing is written. A lower --learning-rate or "
        + "--clip-norm helps."
    ),
    .init(
      "update.functions",
      "A package of several functions shares weights among them, which an update of one would change for all. Compile "
        + "the function that learns from a model of its own."
    ),
    .init("update.labels", "Labels are numbers of classes from 0 on; the message names the first that is none."),
    .init(
      "update.loss",
      "A loss says how far the output is from the targets: name one with --loss. A Keras model that was compiled has "
        + "one itself, which --respect-trainable takes."
    ),
    .init("update.output", "What is written is a Core ML package, .mlpackage, or a compiled one, .mlmodelc."),
    .init(
      "update.probabilities",
      "Targets of --loss binary-cross-entropy are probabilities from 0 to 1; those of cross-entropy, unless they are "
        + "numbers of classes, add up to 1 over the classes, within 0.01."
    ),
    .init(
      "update.respect-trainable",
      "Only files of Keras say which layers learn, by which loss and optimizer. Leave the option out, and name weights "
        + "with --trainable, a loss with --loss."
    ),
    .init(
      "update.scores",
      "The Keras model is compiled with a cross-entropy of probabilities, and its output is not what a softmax gives, "
        + "so that Keras makes its numbers add up to 1 first. Name a loss with --loss, or compile it with from_logits."
    ),
    .init("update.setting", "An option of training is out of range, or belongs to another optimizer."),
    .init("update.states", "Models that remember something between calls are not trained: examples have no order."),
    .init(
      "update.target-name",
      "An example of training data has the model's inputs and the target, each under a name of its own. Name the "
        + "target otherwise with --target-name."
    ),
    .init(
      "update.trainable",
      "No weight has a name that fits the pattern; the message lists some that there are, 'mlc inspect --text' all. "
        + "With --respect-trainable no layer of the model learns: name weights with --trainable."
    ),
    .init(
      "update.updatable",
      "What a model learns is kept as float32 and not compressed, so a package that learns excludes --precision fp16, "
        + "and in mlc.json 'precision' and 'compression'. --no-updatable excludes the options that say how it learns."
    ),
  ]
}

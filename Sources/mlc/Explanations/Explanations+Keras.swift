extension Explanation {
  /// What is wrong with HDF5 files and the Keras models in them.
  static let keras: [Explanation] = [
    .init(
      "hdf5.child",
      "HDF5 files are read in a process of its own, because they may come from strangers; that process could not be "
        + "started or ended at once. Check that processes may be started and that /proc is mounted."
    ),
    .init(
      "hdf5.damaged",
      "The file is no HDF5 file, was cut short or changed on its way, or an object in it cannot be read. Copy or "
        + "download it again; 'h5dump -H FILE' of the HDF5 tools says what they make of it."
    ),
    .init(
      "hdf5.extraction",
      "What the process that reads HDF5 wrote is not sound, which damaged files may cause. If the file opens "
        + "elsewhere, please report it."
    ),
    .init(
      "hdf5.limit",
      "Reading the file takes more time, memory or room than a sound file of its size needs: its objects nest too "
        + "deeply, its attributes are huge, or its datasets unpack to more than 100 times the file. Models saved by "
        + "Keras stay far below; save the model again without compression."
    ),
    .init(
      "keras.activation",
      "The activation is not one of keras.activations that mlc has, or it is the model author's own. Code in a file "
        + "is never run. Replace it in the model by one of Keras' own, or by layers."
    ),
    .init(
      "keras.archive",
      "A .keras archive holds config.json, metadata.json and model.weights.h5, and one of them is missing. Save the "
        + "model again with model.save."
    ),
    .init(
      "keras.axis",
      "The axis does not exist in the layer's input, or mlc does not do the layer along it: statistics over several "
        + "axes, axes that are not in order."
    ),
    .init(
      "keras.backend",
      "The weights were written with Theano or CNTK, which turn kernels round. Load the model with Keras 2.3 and "
        + "that backend, switch to TensorFlow and save it again."
    ),
    .init(
      "keras.config",
      "A layer's config lacks a key, or its value is not of the kind that Keras writes. The message names the key. "
        + "The file was made or changed by something else than Keras."
    ),
    .init(
      "keras.dtype",
      "The layer computes in a type, or under a policy of quantisation, that mlc does not have. Save the model in "
        + "float32, float16 or mixed_float16, and compress it with mlc."
    ),
    .init(
      "keras.input-shape",
      "A shape given with --input does not fit the model's input. 'mlc inspect MODEL' shows it; only extents that "
        + "are names there can be chosen."
    ),
    .init(
      "keras.input-type",
      "The model takes sparse or ragged tensors; mlc takes dense ones."
    ),
    .init(
      "keras.inputs",
      "A layer or model is called with another number of tensors than it takes."
    ),
    .init(
      "keras.json",
      "The model's description is not sound JSON: the file is damaged."
    ),
    .init(
      "keras.layer",
      "The file describes no model of layers, or a layer in it has no class."
    ),
    .init(
      "keras.limit",
      "Models that are called within models unfold to more layers than any real model has."
    ),
    .init(
      "keras.mask",
      "A layer with mask_zero or Masking before it would have to compute with the mask, and mlc does not: a mask "
        + "that is ignored would give other numbers. Remove the mask before this layer, or move the layer before the "
        + "mask."
    ),
    .init(
      "keras.no-model",
      "The file holds weights and no description of the model, as model.save_weights writes it. Build the model in "
        + "Keras, load the weights and save all of it with model.save('model.keras')."
    ),
    .init(
      "keras.not-compiled",
      "'mlc update --respect-trainable' takes the loss and the optimizer with which the model was compiled, and the "
        + "file has none. Compile the model before it is saved, or name them with --loss and --optimizer."
    ),
    .init(
      "keras.no-shape",
      "Nothing in the file says what shape the model's input has. Call the model once, or model.build(shape), "
        + "before saving, or begin it with an Input."
    ),
    .init(
      "keras.option",
      "The layer is supported, this option of it is not. The message names the option."
    ),
    .init(
      "keras.padding",
      "The layer's padding is not one of 'valid', 'same' and, in one dimension, 'causal', or its kernel is too "
        + "large."
    ),
    .init(
      "keras.rank",
      "The layer's input has another number of axes than the layer takes."
    ),
    .init(
      "keras.recurrent-activation",
      "Recurrent layers have the activations tanh, sigmoid, relu, linear and hard_sigmoid (the latter for gates)."
    ),
    .init(
      "keras.reshape",
      "The elements of one example do not divide into the shape that is wanted."
    ),
    .init(
      "keras.size",
      "The archive claims to unpack to more than its size allows. It is damaged, or made to fill the disk."
    ),
    .init(
      "keras.topology",
      "Layers are connected in a way that cannot be computed: through outputs that do not exist, or in a circle. "
        + "The file is damaged, or made by something else than Keras."
    ),
    .init(
      "keras.training",
      "'mlc update --respect-trainable' trains as the file says, and the file says something that mlc does not do; the "
        + "message names it. Name a loss with --loss, an optimizer with --optimizer: then the file's is not looked at."
    ),
    .init(
      "keras.unknown-input",
      "The model has no input of this name; the message lists the names, which are those of the input layers."
    ),
    .init(
      "keras.unsupported",
      "The model uses layers that mlc does not have; the notes list all of them with the layers' names. Lambda "
        + "layers and the model author's own classes hold code, which mlc never runs: build the model with Keras' own "
        + "layers, or export it to ONNX with model.export(format='onnx')."
    ),
    .init(
      "keras.weights",
      "A layer's weights are not in the file, are more or fewer than the layer has, or have another rank. The file "
        + "is damaged, or its layers and weights come from different models."
    ),
    .init(
      "keras.zip",
      "The file begins like a .keras archive, and is not a sound one: it was cut short or changed. Copy or download "
        + "it again."
    ),
  ]
}

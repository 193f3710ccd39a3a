import MLCCore

/// Cause and remedy of a problem that users meet.
struct Explanation {
  let id: String, paragraph: String

  static func of(_ id: String) -> Explanation? {
    table.first { $0.id == id }
  }

  var text: String { "\(id)\n\n\(paragraph)" }
  var json: JSON { .object(["id": .string(id), "explanation": .string(paragraph)]) }

  private init(_ id: String, _ paragraph: String) { (self.id, self.paragraph) = (id, paragraph) }

  /// By id.
  static let table: [Explanation] = [
    .init(
      "compiler.failed",
      "The C compiler rejected code that mlc generated, which is a bug of mlc unless the compiler is very old: clang 15 and "
        + "gcc 12 are known to do. The first messages of the compiler follow the error. 'mlc compile --keep-sources DIR' "
        + "keeps the code; please report it with the model, or try another compiler with MLC_CC."
    ),
    .init(
      "compiler.missing",
      "Compiling needs a C compiler, and the one that MLC_CC names, clang or cc was not found. Install one with 'sudo apt-get "
        + "install clang lld', put the clang of the Swift toolchain on PATH, or set MLC_CC to its path. Running a "
        + "compiled package needs none; 'mlc predict --reference' runs a source model without."
    ),
    .init(
      "conv.channels",
      "A convolution's weight expects another number of input channels than its data has: weights are [outputs, channels / "
        + "groups, kernel…]. Usually the wrong axis of a picture was bound: models take [batch, channels, height, width] "
        + "unless they were exported for NHWC. Check --input shapes, or the layout of the exported model."
    ),
    .init(
      "file.missing",
      "Nothing stands at this path. Paths are taken relative to the folder that mlc is started in."
    ),
    .init(
      "file.write",
      "The result could not be written: the folder does not exist, may not be written to, or the disk is full. Results appear "
        + "whole or not at all; what stood there before is untouched."
    ),
    .init(
      "format.unknown",
      "mlc tells source models by their suffix, .onnx for ONNX, .h5, .hdf5 and .keras for Keras and .mlpackage for Core ML, "
        + "and compiled packages by the manifest.json in their folder. Rename the file if it is one of these. Models of PyTorch, TensorFlow and others are "
        + "exported to ONNX first, with torch.onnx.export or tf2onnx."
    ),
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
      "input.missing",
      "Every input of the model needs a tensor: --input NAME=FILE for each, or --inputs FILE.npz with all of them under their "
        + "names. 'mlc inspect MODEL' lists names, types and shapes."
    ),
    .init(
      "input.shape",
      "The tensor given for an input has another rank, or another extent where the model's is fixed. 'mlc inspect MODEL' "
        + "shows the shape; open sizes are names there. For pictures --image-size HxW and --image-layout bring the picture "
        + "into the input's shape."
    ),
    .init(
      "input.syntax",
      "convert, compile and verify bind shapes: --input NAME=1,3,224,224, with names or ? for sizes that stay open and "
        + ":fp32 or another element type at the end. predict takes files: --input NAME=FILE."
    ),
    .init(
      "input.unknown",
      "The model has no input of this name; the message lists the names. Exporters rename inputs: 'mlc inspect MODEL' shows "
        + "them as they are in the file."
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
    .init(
      "lower.unsupported",
      "The operator is known and the reference interpreter runs it, but it cannot be compiled yet. 'mlc predict --reference' "
        + "runs the model without compiling; 'mlc inspect' lists all such operators of a model."
    ),
    .init(
      "onnx.external-data-missing",
      "The model keeps its weights in other files, and one of them is not where the model says: beside it, under the name that "
        + "was used when it was saved. Copy these files along with the model."
    ),
    .init(
      "onnx.external-data-path",
      "The model names a file of weights outside of its own folder. mlc reads none, because models come from strangers. "
        + "Load and save the model with the onnx package to bring its data beside it."
    ),
    .init(
      "onnx.malformed",
      "The file is no ONNX model, or was damaged or cut off. A file of a few hundred bytes that begins with 'version "
        + "https://git-lfs' is a pointer: fetch the file itself with 'git lfs pull'."
    ),
    .init(
      "onnx.not-constant",
      "An argument that decides about shapes is computed as the model runs. Bind the inputs' shapes with --input, so that it "
        + "can be computed at compile time, or simplify the model with onnxsim when exporting."
    ),
    .init(
      "onnx.opset",
      "The model uses an operator set older than mlc reads. Convert it with onnx.version_converter.convert_version(model, 17)."
    ),
    .init(
      "onnx.unsupported",
      "The model uses operators that mlc does not have; the notes list all of them with domain, version, count and nodes, and a "
        + "way round where there is one. Export the model without them, or cut the model before or behind with "
        + "onnx.utils.extract_model."
    ),
    .init(
      "package.digest",
      "A file of the compiled package is not as it was written. Compile the model again; code that changed is never run."
    ),
    .init(
      "package.missing-file",
      "The folder is no compiled package of mlc, or a part of it was lost. Apple's compiled models (.mlmodelc of Xcode) are "
        + "something else: give their source, the .mlpackage."
    ),
    .init(
      "package.version",
      "The package was written by a later mlc in a format that this one does not know. Use that mlc, or compile again."
    ),
    .init(
      "runtime.index",
      "An index in the data, a token id for one, is outside of the table that it selects from. The node that looks it up is "
        + "named. Check the tokenizer's vocabulary against the model."
    ),
    .init(
      "runtime.input-shape",
      "Extents of the inputs do not fit the model or each other: a size that several inputs share must be equal in all. The "
        + "message names dimension and size."
    ),
    .init(
      "runtime.no-target",
      "The package has code for other processors only; the notes say what each lacks here. Compile for this one: --target host, "
        + "or x86-64-v2, which every x86-64 machine of the last ten years runs. 'mlc devices' shows what this machine is."
    ),
    .init(
      "size.range",
      "The model declares bounds for an open size, and the number given is outside."
    ),
    .init(
      "size.unknown",
      "--size gives numbers to sizes that the model leaves open; 'mlc inspect MODEL' lists their names."
    ),
    .init(
      "target.unknown",
      "Targets are named as 'mlc devices' lists them. x86-64-v2 is the baseline, v3 has AVX2, v4 has AVX-512; 'host' is the "
        + "best of them that this machine runs."
    ),
    .init(
      "verify.no-target",
      "Nothing could be compared: none of the targets runs on this machine. Compile for one that does; 'mlc devices' lists them."
    ),
    .init(
      "verify.shape",
      "An output of the compiled model has another shape than the reference's, which is a bug of mlc: please report it with the "
        + "model. Against --expected it says that the expected tensor belongs to other inputs."
    ),
  ]
}

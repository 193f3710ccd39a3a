import MLCCore
import MLCOps

/// Cause and remedy of a problem that users meet.
struct Explanation {
  let id: String, paragraph: String

  /// By its own row, else by what an id `operator.problem` says of the operator.
  static func of(_ id: String) -> Explanation? {
    if let row = table.first(where: { $0.id == id }) { return row }
    let parts = id.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map { String($0) }
    guard parts.count == 2, OperatorSet.named(parts[0]) != nil,
      let row = operators.first(where: { $0.problem == parts[1] })
    else { return nil }
    return Explanation(
      id,
      "\(row.paragraph) The node is named; 'mlc explain \(parts[0])' shows what the operator takes. Check the shapes "
        + "bound with --input, or the exporter."
    )
  }

  var text: String { "\(id)\n\n\(paragraph)" }
  var json: JSON { .object(["id": .string(id), "explanation": .string(paragraph)]) }

  init(_ id: String, _ paragraph: String) { (self.id, self.paragraph) = (id, paragraph) }

  /// Every row.
  static let table: [Explanation] = common + commands + models + onnx + keras + files + code + gradients + training

  /// What users meet most.
  private static let common: [Explanation] = [
    .init(
      "compile.expanded-weight",
      "A weight that the model keeps compressed takes its full size in the compiled package: what reads it has no form "
        + "for its codes. Products, convolutions, look-ups of rows and elementwise operations read codes of 1 to 8 "
        + "bits as they are; products and convolutions read sparse weights too. Routines other than plain LSTM and "
        + "GRU, transposed convolutions, palettes of vectors, and blocks that run across the lanes of vectors are "
        + "written out. Results are the same; only the size differs. Compress the named weight in another form, or "
        + "leave it as it is."
    ),
    .init(
      "compiler.failed",
      "The C compiler rejected code that mlc generated, though it builds other code, which is a bug of mlc: clang 14, "
        + "gcc 12 and later ones are known to do. The first messages of the compiler follow the error. 'mlc compile "
        + "--keep-sources DIR' keeps the code; please report it with the model, or try another compiler with MLC_CC."
    ),
    .init(
      "compiler.limit",
      "The C compiler runs with limits of time, memory, file size and open files, and without a network. It was "
        + "stopped at one of them, or the machine had no more to give; the message says what. A compiler that asks a "
        + "network or waits for something cannot be used; else close other programs, free space in the folder of the "
        + "result, or name another compiler with MLC_CC."
    ),
    .init(
      "compiler.missing",
      "Compiling needs a C compiler, and the one that MLC_CC names, clang or cc was not found. Install one with 'sudo "
        + "apt-get install clang lld', put the clang of the Swift toolchain on PATH, or set MLC_CC to its path. "
        + "Running a compiled package needs none; 'mlc predict --reference' runs a source model without."
    ),
    .init(
      "compiler.unusable",
      "The C compiler fails on a library of one function as well, so that the reason is not in the code that mlc made: "
        + "it is no C compiler or an old one (clang before 14, gcc before 12), does not know the target, or finds no "
        + "linker. Its first messages follow the error. Name another with MLC_CC, or install one with 'sudo apt-get "
        + "install clang lld'."
    ),
    .init(
      "compress.config",
      "A configuration of 'mlc compress', or compression.config in mlc.json, is what coremltools' "
        + "OptimizationConfig.from_dict takes, as JSON: config_type, and the fields of that type in global_config, "
        + "op_type_configs and op_name_configs. A list of such objects is applied in turn, so that pruning goes "
        + "together with palettes or integers. The message names the field."
    ),
    .init(
      "compress.option",
      "The options of 'mlc compress' do not go together, or a number is out of range: one of --palettize, --quantize "
        + "and --fp16, with --prune or without; one of --per-tensor, --per-channel, --group-size and --block-size; or "
        + "--config instead."
    ),
    .init(
      "constexpr.blocks",
      "Scales or palettes of a compressed weight stand for blocks that do not divide the weight: along every axis "
        + "their number must be a factor of its extent. The package is damaged, or was written by a faulty tool."
    ),
    .init(
      "constexpr.dtype",
      "A part of a compressed weight has an element type that the operator does not take: indices are unsigned "
        + "integers of 1 to 8 bits, quantised data integers of 4 or 8 bits, scales floating point."
    ),
    .init(
      "constexpr.mask",
      "The mask of a sparse weight must have one bit for each element of the weight and as many ones as there are "
        + "stored elements."
    ),
    .init(
      "constexpr.operand",
      "The parts of a compressed weight are constants, or compressed constants themselves; here one is computed as the "
        + "model runs."
    ),
    .init(
      "constexpr.palette",
      "A palette has as many entries as its indices can name: 2 for uint1, 16 for uint4, 256 for uint8, behind one "
        + "axis for each of the indices; a last axis of more than 1 holds vectors, along vector_axis."
    ),
    .init(
      "conv.channels",
      "A convolution's weight expects another number of input channels than its data has: weights are [outputs, "
        + "channels / groups, kernel…]. Usually the wrong axis of a picture was bound: models take [batch, channels, "
        + "height, width] unless they were exported for NHWC. Check --input shapes, or the layout of the exported "
        + "model."
    ),
    .init(
      "coreml.state",
      "A state of a Core ML program is read by read_state and written by write_state or coreml_update_state, with a "
        + "tensor of the state's own type and fixed size, anywhere but in the condition of a loop. Models of a "
        + "pipeline share states of one name, which have one type in all of them and are not called like an input."
    ),
    .init(
      "coreml.compressed",
      "A compressed weight of the package is not as Core ML defines it: its parts do not fit each other, or are nested "
        + "without end."
    ),
    .init(
      "coreml.target",
      "The package would be for a system that does not have this form of a compressed weight. iOS16 has 8-bit integers "
        + "for the tensor or its channels, palettes of 1, 2, 4, 6 and 8 bits for the tensor, and sparse weights; iOS18 "
        + "has the rest: 4-bit integers, blocks, 3 bits, palettes for groups of channels, and pruning together with "
        + "another form. Leave out --minimum-deployment-target, or choose a simpler form."
    ),
    .init(
      "file.missing",
      "Nothing stands at this path. Paths are taken relative to the folder that mlc is started in."
    ),
    .init(
      "file.write",
      "The result could not be written: the folder does not exist, may not be written to, or the disk is full. Results "
        + "appear whole or not at all; what stood there before is untouched."
    ),
    .init(
      "format.unknown",
      "mlc tells source models by their suffix, \(SourceFormat.allCases.map { $0.name }.joined(separator: ", ")), and "
        + "compiled packages by the manifest.json in their folder. Rename the file if it is one of these. Models of "
        + "PyTorch, TensorFlow and others are exported to ONNX first, with torch.onnx.export or tf2onnx."
    ),
    .init(
      "generate.class-name",
      "The name given for the class has characters that no Swift identifier has, or is a word of the language; the "
        + "message has one that would do. It comes from --class-name, or from className in mlc.json; without either "
        + "the file's name is made into one."
    ),
    .init(
      "input.missing",
      "Every input of the model needs a tensor: --input NAME=FILE for each, or --inputs FILE.npz with all of them "
        + "under their names. 'mlc inspect MODEL' lists names, types and shapes."
    ),
    .init(
      "input.shape",
      "The tensor given for an input has another rank, or another extent where the model's is fixed. 'mlc inspect "
        + "MODEL' shows the shape; open sizes are names there. For pictures --image-size HxW and --image-layout bring "
        + "the picture into the input's shape."
    ),
    .init("custom.encoding", "A file that --custom names holds something else than text in UTF-8."),
    .init(
      "custom.syntax",
      "--custom CLASS=FILE names a class of custom layers, once, and the file that says what it means."
    ),
    .init(
      "input.syntax",
      "convert, compile and verify bind shapes: --input NAME=1,3,224,224, with names or ? for sizes that stay open and "
        + ":fp32 or another element type at the end. predict takes files: --input NAME=FILE."
    ),
    .init(
      "input.unknown",
      "The model has no input of this name; the message lists the names. Exporters rename inputs: 'mlc inspect MODEL' "
        + "shows them as they are in the file."
    ),
    .init(
      "lower.unsupported",
      "The operator is known and the reference interpreter runs it, but it cannot be compiled yet. 'mlc predict "
        + "--reference' runs the model without compiling; 'mlc inspect' lists all such operators of a model."
    ),
    .init(
      "onnx.external-data-missing",
      "The model keeps its weights in other files, and one of them is not where the model says: beside it, under the "
        + "name that was used when it was saved. Copy these files along with the model."
    ),
    .init(
      "onnx.external-data-path",
      "The model names a file of weights outside of its own folder. mlc reads none, because models come from "
        + "strangers. Load and save the model with the onnx package to bring its data beside it."
    ),
    .init(
      "onnx.malformed",
      "The file is no ONNX model, or was damaged or cut off. A file of a few hundred bytes that begins with 'version "
        + "https://git-lfs' is a pointer: fetch the file itself with 'git lfs pull'."
    ),
    .init(
      "onnx.not-constant",
      "An argument that decides about shapes is computed as the model runs. Bind the inputs' shapes with --input, so "
        + "that it can be computed at compile time, or simplify the model with onnxsim when exporting."
    ),
    .init(
      "onnx.opset",
      "The model has an operator that came with a later operator set than the one that it names. Its exporter is "
        + "wrong; onnx.version_converter.convert_version may help."
    ),
    .init(
      "onnx.unsupported",
      "The model uses operators that mlc does not have; the notes list all of them with domain, version, count and "
        + "nodes, and a way round where there is one. Export the model without them, or cut the model before or behind "
        + "with onnx.utils.extract_model."
    ),
    .init(
      "package.digest",
      "A file of the compiled package is not as it was written. Compile the model again; code that changed is never "
        + "run."
    ),
    .init(
      "package.missing-file",
      "The folder is no compiled package of mlc, or a part of it was lost. Apple's compiled models (.mlmodelc of "
        + "Xcode) are something else: give their source, the .mlpackage."
    ),
    .init(
      "package.version",
      "The package was written by a later mlc in a format that this one does not know. Use that mlc, or compile again."
    ),
    .init(
      "runtime.cache",
      "The folder in which packages compiled for this machine are kept cannot be used: nothing says where it is, or it "
        + "cannot be written. Set MLC_CACHE to a folder that can. Until then the code that the package has runs."
    ),
    .init(
      "runtime.index",
      "An index in the data, a token id for one, is outside of the table that it selects from. The node that looks it "
        + "up is named. Check the tokenizer's vocabulary against the model."
    ),
    .init(
      "runtime.input-shape",
      "Extents of the inputs do not fit the model or each other: a size that several inputs share must be equal in "
        + "all. The message names dimension and size."
    ),
    .init(
      "runtime.no-compiler",
      "Compiling a package for this machine, or a model in an application, takes the command mlc, which was not found. "
        + "Let the variable MLC name it, or put it beside the program or on PATH. A package made with --portable runs "
        + "its baseline code meanwhile."
    ),
    .init(
      "runtime.no-target",
      "The package has code for other processors only; the notes say what each lacks here. Compile for this one: "
        + "--target host, or x86-64-v2, which every x86-64 machine of the last ten years runs. 'mlc devices' shows "
        + "what this machine is."
    ),
    .init(
      "process.start",
      "Another program could not be started: it is no program for this system, or memory, processes or open files ran "
        + "out (ulimit -u, ulimit -n). Or there is no /proc, as in a bare root: mlc has its own arguments from there, "
        + "and runs itself through it."
    ),
    .init(
      "runtime.specialise",
      "The package carries its program and was to be compiled for this processor, but mlc compile failed; its message "
        + "follows. The code that the package has runs meanwhile. 'mlc compile PACKAGE --target host -o OUT' shows all "
        + "of it."
    ),
    .init(
      "settings.field",
      "mlc.json has a key that is no setting, or a value that its setting does not take; the message names key and "
        + "place. The settings are accessLevel, arithmetic, className, compression, inputs, portable, precision and "
        + "targets, at the top for all models of the folder or under models and a file's name for one. compression has "
        + "the options of 'mlc compress' under their names, groupSize for --group-size, and the same rules for what "
        + "goes together."
    ),
    .init(
      "settings.model",
      "'models' in mlc.json has an entry for a model that is not in the folder. Keys are file names with their suffix, "
        + "\"detector.onnx\"."
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
      "Targets are named as 'mlc devices' lists them. x86-64-v2 is the baseline, v3 has AVX2, v4 has AVX-512; "
        + "armv8-a and armv8.2-a are ARM's; 'host' "
        + "is the best of them that this machine runs."
    ),
    .init(
      "verify.no-target",
      "Nothing could be compared: none of the targets runs on this machine. Compile for one that does; 'mlc devices' "
        + "lists them."
    ),
    .init(
      "verify.shape",
      "An output of the compiled model has another shape than the reference's, which is a bug of mlc: please report it "
        + "with the model. Against --expected it says that the expected tensor belongs to other inputs."
    ),
  ]
}

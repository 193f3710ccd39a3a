extension Explanation {
  /// What is wrong with a command line.
  static let commands: [Explanation] = [
    .init(
      "bench.against",
      "--against takes a compiled package, which is measured in turn with the first one. 'mlc compile' makes one of a "
        + "source model."
    ),
    .init(
      "bench.precision",
      "--precision is for a source model, which bench compiles in that precision and in fp32. What a compiled package "
        + "stores was settled when it was compiled; --against compares two of them."
    ),
    .init("bench.count", "--iterations takes a number above 0, --warmup none below, --concurrency one from 1 to 1024."),
    .init(
      "budget.memory",
      "Running the model in the reference interpreter would hold more tensors at once than a model of its size needs: "
        + "4 GiB, or 32 times the model. --limit-memory 16GB sets the limit; --size or --inputs make the run smaller."
    ),
    .init(
      "budget.time",
      "Reading, optimising, trying out and compiling the model takes longer than a model of its size needs: half an "
        + "hour, and a minute for each MiB. --limit-time 2h sets the limit."
    ),
    .init(
      "command.arguments",
      "The command does not take these arguments, or lacks one. The lines behind the message say how it is used; 'mlc "
        + "COMMAND --help' explains each option."
    ),
    .init("command.unknown", "'mlc --help' lists the commands, and 'mlc COMMAND --help' what each takes."),
    .init(
      "convert.kept",
      "A Core ML model that is no network, such as trees or a support vector machine, is written as it was read: there "
        + "is no ML Program that computes the like. --metadata changes what it says of itself; nothing else can be "
        + "changed."
    ),
    .init(
      "convert.parts",
      "--function takes NAME=FILE, each name once and none that the model has; --then makes a pipeline, whose models "
        + "have one function each."
    ),
    .init("convert.same", "The result would replace the model. Name another place with -o."),
    .init(
      "interface.classes",
      "--classes needs an output with a score for each label. The message says what there is; --scores names one."
    ),
    .init("interface.image", "An image is an input of floats [1, C, H, W], C being 3 for rgb and bgr and 1 for gray."),
    .init(
      "interface.name",
      "There is no input or output of that name, or the new name is taken. The message lists them."
    ),
    .init(
      "interface.syntax",
      "--metadata and --rename take NAME=VALUE; --image-input NAME=rgb, bgr or gray, then ,scale=S and ,bias=B or one "
        + "bias a channel with ':' between; --scores goes with --classes."
    ),
    .init("convert.target", "--minimum-deployment-target takes the names that the message lists, iOS16 for one."),
    .init(
      "device-file.format",
      "--device-file takes what 'mlc tune' wrote, in the version of this mlc. The message says which field is not so; "
        + "tune again."
    ),
    .init(
      "device-file.target",
      "Measurements of one device say nothing of another one. Compile for the device that the message names, or tune "
        + "with --target."
    ),
    .init("explain.unknown", "There is no operator and no error of this name. 'mlc explain list' names them."),
    .init(
      "format.compiled",
      "The command needs the source model, an .onnx file or an .mlpackage; a compiled package holds code only."
    ),
    .init(
      "input.dtype",
      "The tensor given, or the type bound with --input NAME=SHAPE:TYPE, is not of the element type that the model "
        + "takes, and cannot be converted without loss."
    ),
    .init("inspect.flags", "--text, --json and other forms of output exclude each other: give one."),
    .init(
      "inspect.no-graph",
      "The text and the picture of a graph are those of a source model; compiled packages and files of tensors have "
        + "none."
    ),
    .init(
      "output.unknown",
      "The expected tensors hold one that is no output of the model; the message lists the names."
    ),
    .init(
      "output.write",
      "What the command had to say could not be written to its standard output: the disk is full, a limit of file "
        + "sizes was met, or the output is closed. Files that the command wrote are whole."
    ),
    .init("pass.unknown", "--print-after takes the name of a pass; the message lists them."),
    .init("size.syntax", "--size is written NAME=N, N a whole number: --size batch=2."),
    .init(
      "precision.inputs",
      "What operations stay float32 is decided on --inputs where --precision is fp16. Leave one out, or give both."
    ),
    .init(
      "precision.samples",
      "What --precision fp16 costs is measured on random inputs that mlc draws, and the model does not run on them: it "
        + "wants values or sizes that random inputs do not have. --inputs FILE.npz gives inputs that it takes."
    ),
    .init(
      "limit.syntax",
      "--limit-memory is written as a number and a unit, 512MB or 2GiB for one; --limit-time likewise, 30s or 5m."
    ),
    .init(
      "size.none",
      "The model leaves sizes open, and none of the numbers that mlc tried for them satisfy all of its operations and "
        + "bounds. Give them with --size NAME=N, or inputs with --inputs."
    ),
    .init("size.unused", "--size gives sizes to generated inputs. Inputs given with --inputs have their own."),
    .init(
      "verify.dtype",
      "An output of the compiled model has another element type than the reference's, which is a bug of mlc; against "
        + "--expected it says that the file belongs to another model."
    ),
    .init(
      "verify.expected",
      "None of the expected tensors is an output of the model. They are named as the outputs are, or output_0.pb and "
        + "so on in a folder."
    ),
    .init(
      "verify.onnx-tests",
      "--onnx-tests takes a folder of ONNX' backend tests, each with a model.onnx and test_data_set_... folders, and "
        + "no model, inputs or reports beside it."
    ),
    .init("verify.inputs", "--expected needs --inputs: what a model answers to random inputs is not known."),
    .init(
      "verify.interface",
      "The compiled package belongs to another model, or to an older form of this one. Compile the model again."
    ),
  ]
}

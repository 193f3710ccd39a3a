extension Explanation {
  /// What cannot be compiled, and what goes wrong as code runs.
  static let code: [Explanation] = lowering + targets + runtime

  private static let lowering: [Explanation] = [
    .init(
      "lower.recurrent-size",
      "The number of hidden units must be known at compile time. Give the weights as constants."
    ),
    .init(
      "lower.resize-target",
      "Sizes or scales of a resize are computed as the model runs in a way that cannot be compiled. Bind shapes with "
        + "--input."
    ),
    .init(
      "kernel.invalid",
      "A step of the compiler made kernels that would read or write outside of their tensors, or leave elements "
        + "unwritten. That is a bug of mlc, found before any code was made of it; please report it with the model."
    ),
    .init(
      "lower.unknown-size",
      "A size depends on the values of the data and has no bound, so that no memory can be planned, or it stands in "
        + "the extent of an input, as n in 2·n, and no extent is that size itself. Bind shapes with --input; 'mlc "
        + "predict --reference' runs such a model."
    ),
  ]

  private static let targets: [Explanation] = [
    .init(
      "target.arithmetic",
      "--arithmetic bf16 is for targets with instructions that multiply bfloat16: x86-64-v4-bf16, x86-64-v4-amx; fp16 "
        + "for those that multiply and add float16: armv8.2-a. Beside such a one, others in the package multiply "
        + "float32, and a note names them; alone they would ignore the option."
    ),
    .init(
      "c.convolution",
      "No kernel is made for a convolution of this form on this target; a plainer form is taken instead, or the notes "
        + "say why none is."
    ),
    .init("target.family", "The description of the device belongs to another family than this target."),
    .init(
      "target.host",
      "This machine is none of the devices that mlc knows. 'mlc devices' says what each lacks here."
    ),
    .init(
      "target.lanes",
      "The description of the device has vectors of a width that mlc makes no code for: 128, 256 or 512 bits."
    ),
    .init("target.matmul-operands", "A matrix product of this element type or layout has no kernel on this target."),
    .init("target.matmul-shape", "This kernel is not made for a matrix product of this shape; another is taken."),
    .init(
      "target.packed-store",
      "A kernel writes elements smaller than a byte one by one, which is a bug of mlc: please report it with the model."
    ),
    .init("target.recurrence", "A recurrent layer of this form cannot be compiled; the message says what it lacks."),
    .init("target.routine", "A routine has other parameters, which is a bug of mlc: please report it with the model."),
    .init(
      "target.attention-operands",
      "Attention runs as one kernel for float operands that lie in even steps and have a known depth; others are "
        + "computed as products and a softmax."
    ),
    .init(
      "target.attention-shape",
      "The kernel for single queries takes one to four of them, in rows of whole vectors; the other kernel takes the "
        + "rest."
    ),
    .init(
      "target.strategy",
      "No kernel of the target takes this operation; the notes say why each does not. 'mlc predict --reference' runs "
        + "the model."
    ),
    .init("target.topk", "The routine stores no such indices, which is a bug of mlc: please report it with the model."),
  ]

  private static let runtime: [Explanation] = [
    .init(
      "runtime.abi",
      "The code in the package was made for another version of the runtime. Compile the model again."
    ),
    .init(
      "runtime.bind",
      "The sizes of the inputs do not fit the model or each other: a window finds no room, for one, or extents that "
        + "have to be equal are not. Give inputs of other sizes."
    ),
    .init("runtime.division", "Integers are divided by zero at the node that is named. Check the data."),
    .init(
      "runtime.fault",
      "A kernel reports a fault that the runtime does not know, which is a bug of mlc: please report it with the model."
    ),
    .init("runtime.input-count", "The model takes another number of inputs. 'mlc inspect' lists them."),
    .init("runtime.input-range", "A size is outside of the bounds that the model declares. 'mlc inspect' shows them."),
    .init(
      "runtime.input-rank",
      "An input has another number of axes than the model takes. 'mlc inspect' shows its shape."
    ),
    .init("runtime.input-type", "An input has another element type than the model takes. 'mlc inspect' shows it."),
    .init(
      "runtime.late-size",
      "A size became larger than its bound, which is a bug of mlc: please report it with the model."
    ),
    .init(
      "runtime.load",
      "The system cannot load the code: the file is damaged, or for another kind of system. Compile the model again, "
        + "here."
    ),
    .init("runtime.memory", "There is not enough memory for the inputs' sizes. Give smaller inputs."),
    .init("runtime.module", "The code does not fit the package around it. Compile the model again."),
    .init("runtime.output-memory", "The memory given for an output is too small, misaligned, or missing."),
    .init("runtime.output-shape", "With these sizes an output would have a negative extent. Give larger inputs."),
    .init(
      "runtime.size",
      "A size that the data determine is negative or above its bound, at the node that is named: k of a top-k. "
        + "Or it is not what the node needs, as the depth of a product. Or it makes a tensor larger than its limit, "
        + "where nothing in the model bounds the size: "
        + "'mlc compile --size-limit' sets another."
    ),
    .init("runtime.string-tensor", "Outputs that are texts are not written into memory of the caller's."),
    .init(
      "runtime.text",
      "A text that the model makes a number of spells none, at the node that is named. Check the data."
    ),
    .init(
      "memory.exhausted",
      "Memory ran out under a limit that the process has, as 'ulimit -v' sets. Raise the limit, or take a smaller "
        + "model."
    ),
    .init("threads.count", "--threads and MLC_THREADS take a number of threads from 1 to 1024."),
    .init(
      "runtime.threads",
      "The number of threads, and of predictions at a time, is at least 1, and at most what the runtime allows and the "
        + "system has left."
    ),
    .init("runtime.too-large", "With these sizes the model needs more memory than mlc allows. Give smaller inputs."),
    .init(
      "runtime.unknown-device",
      "The package has no code for a device of this name; 'mlc inspect PACKAGE' lists its targets."
    ),
    .init("runtime.unknown-function", "The package has no function of this name; 'mlc inspect PACKAGE' lists them."),
  ]
}

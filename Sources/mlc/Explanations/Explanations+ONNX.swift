extension Explanation {
  /// What is wrong with an ONNX model.
  static let onnx: [Explanation] = onnxFiles + onnxModels + onnxNodes

  private static let onnxFiles: [Explanation] = [
    .init(
      "onnx.external-data-range",
      "The model takes weights from beyond the end of their file: the file was cut off, or belongs to another model."
    ),
    .init(
      "onnx.nesting",
      "The messages or subgraphs of the file nest so deep that it cannot be meant. The file is damaged."
    ),
    .init("onnx.out-of-memory", "There was no memory left to read the model."),
    .init(
      "onnx.too-large",
      "An ONNX file holds at most 2 GiB, and at most 256 MiB without its weights. Save the model with external data: "
        + "onnx.save(model, path, save_as_external_data=True)."
    ),
    .init(
      "onnx.sparse-tensor",
      "A sparse constant is damaged, or of a kind that mlc does not make dense. Export the model with dense weights."
    ),
    .init(
      "onnx.string",
      "A name or a string of the model is not UTF-8. The file is damaged, or its exporter is wrong."
    ),
    .init(
      "onnx.tensor-data",
      "A constant has its elements in a field that does not fit its type. The file is damaged, or its exporter is "
        + "wrong."
    ),
    .init("onnx.tensor-segment", "A constant is one segment of a larger tensor, which mlc does not put together."),
    .init(
      "onnx.tensor-shape",
      "The shape of a constant has a negative extent, too many axes, or more elements than memory holds."
    ),
    .init(
      "onnx.tensor-size",
      "A constant has more or fewer elements than its shape says. The file is damaged, or its exporter is wrong."
    ),
    .init(
      "onnx.tensor-type",
      "mlc has no type for the elements of a constant. Export the model with float, integer, boolean or string "
        + "elements."
    ),
  ]

  private static let onnxModels: [Explanation] = [
    .init(
      "onnx.attribute-type",
      "An attribute of a node is of another kind than its operator takes. The exporter is wrong."
    ),
    .init(
      "onnx.cycle",
      "Nodes of the model wait for each other's results. The notes name them; the exporter, or an edit of the "
        + "model, went wrong."
    ),
    .init(
      "onnx.duplicate-attribute",
      "A node gives one attribute twice. The exporter, or an edit of the model, went wrong."
    ),
    .init(
      "onnx.duplicate-value",
      "Two nodes, constants or inputs give a value of one name. The exporter, or an edit of the model, went wrong."
    ),
    .init(
      "onnx.input-shape",
      "The shape given with --input contradicts the one that the model declares. 'mlc inspect MODEL' shows it."
    ),
    .init(
      "onnx.input-type",
      "The model takes a sequence, an optional or a sparse tensor, which mlc does not, or declares no shape: then "
        + "give one "
        + "with --input NAME=1,3,224,224."
    ),
    .init(
      "onnx.missing-input",
      "A node lacks an input that its operator needs. The exporter, or an edit of the model, went wrong."
    ),
    .init(
      "onnx.operator-type",
      "A node does not say which operator it is. The file is damaged, or its exporter is wrong."
    ),
    .init(
      "onnx.opset-import",
      "The model imports one set of operators twice, or without a version. The exporter is wrong."
    ),
    .init(
      "onnx.opset-missing",
      "The model does not say which version of the operators it uses. The file may be cut short."
    ),
    .init(
      "onnx.output",
      "The model uses an optional output of an operator that mlc does not compute. Export the model without it."
    ),
    .init(
      "onnx.undefined-value",
      "A node or an output of the model uses a value that nothing computes. The exporter, or an edit of the model, "
        + "went wrong."
    ),
    .init(
      "onnx.unknown-input",
      "--input names an input that the model does not have; the message lists those that it has."
    ),
    .init("onnx.unnamed-value", "A constant of the model has no name. The file is damaged, or its exporter is wrong."),
  ]

  private static let onnxNodes: [Explanation] = [
    .init(
      "onnx.activations",
      "mlc does not have one of the activations of a recurrent or fused node, or they are too few."
    ),
    .init(
      "onnx.affine-grid",
      "AffineGrid takes matrices [N, 2, 3] or [N, 3, 4] and the sizes [N, C, ...] of two or three axes."
    ),
    .init(
      "onnx.attention",
      "Attention takes queries, keys and values of rank 4, or of rank 3 with q_num_heads and kv_num_heads that divide "
        + "their widths; past_key comes with past_value, and the heads of queries are a multiple of those of keys."
    ),
    .init("onnx.auto-pad", "auto_pad is NOTSET, VALID, SAME_UPPER or SAME_LOWER."),
    .init("onnx.batch-norm", "BatchNormalization takes floats [N, C, ...], and statistics that are floats."),
    .init(
      "onnx.broadcast",
      "Before operator set 7 two inputs have one shape, or 'broadcast' is 1 and the axes of the second are those of "
        + "the first from 'axis' on."
    ),
    .init("onnx.bit-shift", "direction of BitShift is LEFT or RIGHT."),
    .init(
      "onnx.cast",
      "Cast and BitCast need 'to', the element type of the result; round_mode is 'up', 'down' or 'nearest'."
    ),
    .init(
      "onnx.causal-conv",
      "CausalConvWithState takes data [N, C, L], a kernel [C, 1, k] of known size, and a past of k - 1 elements; its "
        + "activation is none, silu or swish."
    ),
    .init(
      "onnx.cast-map",
      "CastMap takes a map of integers, casts it TO_FLOAT, TO_INT64 or TO_STRING, and is DENSE or SPARSE, with max_map "
        + "places, 2^20 at most."
    ),
    .init(
      "onnx.categories",
      "OneHotEncoder has categories, each once, that are all integers or all strings, as its input is."
    ),
    .init("onnx.center-crop-pad", "CenterCropPad needs one size, not negative, for each of its axes."),
    .init(
      "onnx.class-labels",
      "A classifier's classes have labels, two or more, that are all integers or all strings."
    ),
    .init(
      "onnx.col2im",
      "The blocks of Col2Im do not fit its image: channels are a multiple of a block's elements, places as many"
        + " as blocks lie in the padded image."
    ),
    .init("onnx.compress", "The condition of Compress is a vector."),
    .init("onnx.concat", "Concat needs the attribute 'axis'."),
    .init("onnx.constant", "Constant needs one of its value attributes, of a kind that mlc has a type for."),
    .init("onnx.constant-of-shape", "'value' of ConstantOfShape holds one element."),
    .init("onnx.cumsum", "'axis' of CumSum and CumProd is one integer."),
    .init(
      "onnx.deform-conv",
      "mlc has DeformConv on two axes: groups divide the channels, and each offset group has two numbers for "
        + "each element of a window of known size."
    ),
    .init("onnx.depth-to-space", "DepthToSpace needs 'blocksize', and its mode is DCR or CRD."),
    .init("onnx.det", "Det takes square matrices of a known size, up to 32 rows."),
    .init(
      "onnx.dft",
      "The last axis of DFT holds one number (real) or two (complex), the length of the signal is known, at "
        + "most a million, and has no prime factor beyond 2048."
    ),
    .init("onnx.distance", "CDist takes two matrices of floats; its metric is euclidean or sqeuclidean."),
    .init(
      "onnx.dtype",
      "mlc has no such element type, or strings stand where numbers are expected. Export the model with float, integer "
        + "or boolean types."
    ),
    .init(
      "onnx.experimental",
      "An attribute of an operator that early models have (Affine, Crop, ImageScaler, ParametricSoftplus, Scale, "
        + "ScaledTanh) is missing, or does not fit its input."
    ),
    .init("onnx.features", "Classical models take a matrix of numbers with a row for each example, or one row."),
    .init("onnx.flatten", "'axis' of Flatten lies within the rank of its input."),
    .init(
      "onnx.function",
      "A function of the model is defined twice, calls itself, or is called with what it does not take. The exporter, "
        + "or an edit of the model, went wrong; onnx.inliner.inline_local_functions may help with calls that take "
        + "graphs."
    ),
    .init("onnx.gelu", "'approximate' of Gelu is none or tanh."),
    .init("onnx.gemm", "Gemm multiplies two matrices; integers take whole factors alpha and beta only."),
    .init("onnx.global-pool", "Global pooling needs data with axes behind batch and channels. Check --input shapes."),
    .init(
      "onnx.grid-sample",
      "GridSample takes data with one to three axes behind batch and channels, and a grid with as many "
        + "coordinates; its mode is nearest, linear or, for two axes, cubic, its padding zeros, border or "
        + "reflection."
    ),
    .init("onnx.group-norm", "num_groups of GroupNormalization divides the channels, whose number must be known."),
    .init(
      "onnx.hidden-size",
      "The extents of the recurrence weights must be known. Fold constants before exporting, with onnxsim for one."
    ),
    .init("onnx.if", "If needs both then_branch and else_branch."),
    .init("onnx.input-forget", "mlc has no LSTM whose input and forget gates are coupled (input_forget = 1)."),
    .init("onnx.kernel-shape", "kernel_shape is missing where it is needed, or is not the shape of the weight."),
    .init(
      "onnx.linear-attention",
      "LinearAttention takes queries, keys and values of rank 3 whose widths q_num_heads and kv_num_heads divide, "
        + "decay where update_rule is gated, beta where it is delta, and a past [N, heads, key width, value width]."
    ),
    .init(
      "onnx.loss",
      "A loss takes probabilities [N, C, ...] and whole targets [N, ...]; its reduction is none, sum or mean."
    ),
    .init(
      "onnx.loop",
      "The body of Loop takes the round's number, a condition and the carried values, and gives a condition, as many "
        + "values of the same types and ranks, and rows to stack. Extents of rows are known before the first round, "
        + "and the rounds come to an end."
    ),
    .init("onnx.lrn", "LRN needs the attribute 'size'."),
    .init(
      "onnx.max-unpool",
      "MaxUnpool takes places as MaxPool gives them, known sizes behind batch and channels, and an output_shape"
        + " that is not smaller than the pooled data's."
    ),
    .init(
      "onnx.mel-weight-matrix",
      "The edges of MelWeightMatrix are rising frequencies from 0 Hz to half the sample rate."
    ),
    .init(
      "onnx.non-max-suppression",
      "NonMaxSuppression takes boxes [B, N, 4] and scores [B, C, N], floats of one type of at most 32 bits."
    ),
    .init(
      "onnx.norm-order",
      "LpNormalization has the orders 1 and 2, LpPool whole ones from 1 on, Normalizer L1, L2 and MAX."
    ),
    .init("onnx.number", "An input of the node that says a size or a length is not one whole number in range."),
    .init(
      "onnx.optimizer",
      "Adagrad, Adam and Momentum take a rate, a count of steps, and as many gradients and memories as tensors, all "
        + "floats of one type."
    ),
    .init(
      "onnx.optional",
      "OptionalGetElement is given an optional that holds nothing, whatever the inputs. Ask OptionalHasElement before."
    ),
    .init(
      "onnx.output-shape",
      "output_shape or output_padding of ConvTranspose do not fit its axes, or need sizes that --input gives."
    ),
    .init("onnx.pad", "Pad needs two amounts for each axis that it pads; its mode is constant, reflect, edge or wrap."),
    .init("onnx.pads", "pads has two numbers for each spatial axis, all that come before first."),
    .init(
      "onnx.post-transform",
      "Scores are transformed by NONE, SOFTMAX, LOGISTIC, SOFTMAX_ZERO or PROBIT, and by PROBIT not where one score "
        + "stands for two classes."
    ),
    .init(
      "onnx.quantization",
      "A scale or zero point does not fit the tensor that it belongs to, or an element type is none of the operator's: "
        + "quantised tensors are integers of 2 to 16 bits, 8 in products and convolutions, whose sums are int32."
    ),
    .init(
      "onnx.random",
      "Random numbers are floats, classes int32 or int64; shapes have no negative extents, probabilities and ratios "
        + "are floats, training_mode is a truth value."
    ),
    .init(
      "onnx.resize",
      "In Resize mlc has tf_half_pixel_for_nn for nearest elements alone, rounded down or to the nearest, and "
        + "antialiasing for floats of known extents, linear or cubic. Upsample of early models takes images of rank 4."
    ),
    .init(
      "onnx.reverse-sequence",
      "ReverseSequence takes data of rank 2 at least, a vector of lengths, and 0 and 1 for batch_axis and time_axis."
    ),
    .init(
      "onnx.rotary-embedding",
      "RotaryEmbedding takes data of rank 4, or of rank 3 with num_heads; the size of a head is known, and an even "
        + "number of its elements is turned. Cosines and sines have one row for each place."
    ),
    .init(
      "onnx.scan",
      "The body of Scan takes the states and one element of each of num_scan_inputs inputs, whose scanned axes are "
        + "equally long, and gives as many states of the same types and ranks, and rows to stack. There is one axis "
        + "and one direction, 0 or 1, for each; extents of rows are known before the first."
    ),
    .init(
      "onnx.roi-align",
      "RoiAlign takes data [N, C, H, W], regions [R, 4] and their batches [R], MaxRoiPool regions [R, 5]; modes"
        + " are avg and max, and there are from 1 to 65536 bins."
    ),
    .init("onnx.scatter", "'reduction' is none, add, mul, max or min."),
    .init(
      "onnx.slice",
      "The bounds of Slice are lists with one number for each axis; how many must be known at compile time."
    ),
    .init(
      "onnx.sequence",
      "The tensors of a sequence have one element type, and one rank where loops, branches or numbers that the model "
        + "computes go through them; places are within it. Other operators than those of sequences take tensors."
    ),
    .init("onnx.space-to-depth", "SpaceToDepth needs 'blocksize', and its mode is DCR or CRD."),
    .init(
      "onnx.svm",
      "The attributes of a support vector machine contradict each other: coefficients, rho, support vectors and the "
        + "numbers of each go together, and kernels are LINEAR, POLY, RBF and SIGMOID with three parameters."
    ),
    .init("onnx.split", "Split needs as many sizes as it has outputs."),
    .init(
      "onnx.tensor-scatter",
      "TensorScatter writes along an axis behind the batch; write_indices is a vector, and mode is linear or circular."
    ),
    .init(
      "onnx.squeeze-rank",
      "Squeeze without axes drops the axes of extent 1, and here sizes that are open decide the rank of an output "
        + "whose shape the model does not declare. Fix the sizes with --input, or give Squeeze its axes."
    ),
    .init(
      "onnx.stft",
      "STFT takes signals [N, L], [N, L, 1] or, complex, [N, L, 2]; the length of a frame is known, that of the"
        + " window, and a few thousand at most."
    ),
    .init(
      "onnx.keys",
      "Encoders of labels and categories have as many values as keys, each of one kind, and take what is of the keys' "
        + "type. Categories come once each."
    ),
    .init(
      "onnx.tf-idf",
      "TfIdfVectorizer takes rows of a known length, whose tokens are of the pool's type; the pool divides into "
        + "n-grams, with an index for each."
    ),
    .init(
      "onnx.trees",
      "The lists that make up the trees of an ensemble do not fit each other, name nodes that are not there, or what "
        + "becomes of scores is none of ONNX' ways. Two classes of which one alone has weights take one base value."
    ),
    .init(
      "onnx.vocabulary",
      "DictVectorizer has one vocabulary, of texts or of integers, which is not empty and of the type of the map's "
        + "keys."
    ),
  ]
}

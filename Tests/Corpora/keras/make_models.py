#!/usr/bin/env python3
"""Makes Keras models, with random weights, inputs and what Keras answers.

  make_models.py k2|k3 OUT     one dialect, into the folder OUT/k2 or OUT/k3
  make_models.py pack OUT      OUT/k2 and OUT/k3 as the archive models.zip beside this script

Needs tensorflow-cpu==2.21.0, keras==3.15.1, tf-keras==2.21.0, h5py==3.14.0; tests need none of them. A model NAME is NAME.h5,
NAME.keras and NAME.npz with in_0 … and out_0 …. Every weight is random, statistics too, so that one taken for another shows.
"""
import importlib
import os
import sys
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))


def models(keras, dialect, np):
    """Name, builder, inputs."""
    layers, Model, Input = keras.layers, keras.Model, keras.Input
    random = np.random.default_rng(2024)
    cases = []

    def floats(*shape):
        return random.normal(0, 1, shape).astype("float32")

    def chain(name, x, *parts):
        def build():
            start = Input(x.shape[1:], dtype=str(x.dtype))
            y = start
            for part in parts:
                y = part(y)
            return Model(start, y)

        cases.append((name, build, [x]))

    def fork(name, xs, make):
        def build():
            starts = [Input(x.shape[1:], dtype=str(x.dtype)) for x in xs]
            return Model(starts, make(*starts))

        cases.append((name, build, xs))

    for add in (basics, recurrent_basics, nets, further_layers, half_precision, attention, functions, cells):
        add(keras, dialect, np, chain, fork, floats)
    image = floats(2, 7, 6, 4)
    # Channels behind the batch: Keras on a CPU runs few layers so, and knows all.
    chain("channels_first_bn", floats(2, 3, 5, 4), layers.BatchNormalization(axis=1), layers.BatchNormalization(axis=2))
    chain("conv1d_causal_dilated", floats(2, 11, 3), layers.Conv1D(5, 3, dilation_rate=3, padding="causal", groups=1))
    fork("conv_same_remainders", [image], lambda x: [
        layers.Conv2D(3, (2, 5), strides=(3, 2), padding="same")(x), layers.Conv2D(8, 3, groups=4, padding="same")(x),
        layers.Conv2D(2, (3, 2), dilation_rate=(2, 3), padding="valid", activation="gelu")(x)])
    fork("conv_transpose_all", [floats(1, 4, 5, 3)], lambda x: [
        layers.Conv2DTranspose(2, kernel, strides=stride, padding=padding)(x)
        for kernel, stride, padding in [(3, 2, "same"), (1, 2, "same"), (2, 3, "valid"), (5, 3, "same"), (5, 2, "valid")]])
    fork("pooling_remainders", [floats(1, 10, 9, 2)], lambda x: [
        layers.MaxPooling2D((3, 2), (2, 3), "same")(x), layers.AveragePooling2D((4, 3), (3, 2), "same")(x),
        layers.GlobalMaxPooling2D(keepdims=True)(x)])
    fork("up_sampling", [floats(1, 4, 3, 2)], lambda x: [
        layers.UpSampling2D((3, 2), interpolation=mode)(x) for mode in ("nearest", "bilinear")])
    fork("softmax_axes", [image], lambda x: [
        layers.Softmax(axis=(1, 2))(x), layers.Softmax(axis=2)(x), layers.Softmax()(layers.Conv2D(5, 1)(x))])
    chain("prelu_after_conv", image, layers.Conv2D(3, 3), layers.PReLU(shared_axes=[1, 2]), layers.PReLU())
    chain("flatten_after_conv", image, layers.Conv2D(3, 3, activation="relu"), layers.Flatten(), layers.Dense(4))
    chain("reshape_after_conv", image, layers.Conv2D(3, 3), layers.Reshape((-1, 3)), layers.Dense(4),
          layers.Permute((2, 1)))
    chain("layer_norm_after_conv", image, layers.Conv2D(3, 3), layers.LayerNormalization(), layers.Conv2D(2, 1))
    fork("merge_ranks", [floats(2, 4), floats(2, 3, 4)], lambda a, b: [layers.Add()([a, b]), layers.Multiply()([b, a])])
    fork("dot_normalized_nd", [floats(2, 4, 3), floats(2, 5, 3)], lambda a, b: [
        layers.Dot(axes=(2, 2), normalize=True)([a, b]), layers.Dot(axes=(1, 1))([a, a])])
    chain("rescaling_channels", image, layers.Rescaling([1.0, 0.5, 2.0, 0.1], offset=[0.0, 1.0, -1.0, 3.0]))

    # Masks: at the end, in the middle, at the start, everywhere.
    tokens = np.array([[1, 5, 3, 0, 0], [0, 2, 0, 4, 1], [0, 0, 0, 0, 7], [0, 0, 0, 0, 0]], "int32")

    def masked(name, *parts):
        chain(name, tokens, layers.Embedding(9, 4, mask_zero=True), *parts)

    for kind in ("SimpleRNN", "LSTM", "GRU"):
        layer = getattr(layers, kind)
        masked(f"mask_{kind.lower()}", layer(3, return_sequences=True), layer(2))
        masked(f"mask_{kind.lower()}_backwards", layer(3, return_sequences=True, go_backwards=True))
        masked(f"mask_bidirectional_{kind.lower()}", layers.Bidirectional(layer(3, return_sequences=True)), layer(2))
    masked("mask_through", layers.Dropout(0.3), layers.Dense(3), layers.LayerNormalization(), layers.LSTM(3))
    masked("mask_bidirectional_last", layers.Bidirectional(layers.LSTM(3), merge_mode="mul"))
    cases.append(("mask_mean", *mask_mean(keras, np)))
    steps = floats(2, 6, 3)
    steps[0, 2:4] = 0
    steps[1, :3] = 0
    chain("masking_holes", steps, layers.Masking(0.0), layers.GRU(4, return_sequences=True), layers.GRU(3))

    # Recurrent options.
    x = floats(2, 5, 3)
    fork("recurrent_activations", [x], lambda x: [
        layers.LSTM(3, activation="relu", recurrent_activation="hard_sigmoid")(x),
        layers.GRU(3, activation="linear", recurrent_activation="hard_sigmoid", reset_after=True)(x),
        layers.GRU(3, recurrent_activation="hard_sigmoid", reset_after=False, use_bias=False)(x),
        layers.SimpleRNN(3, activation="sigmoid", use_bias=False)(x)])
    fork("recurrent_states", [x, floats(2, 4)], lambda x, h: [
        *layers.GRU(4, return_state=True, return_sequences=True)(x, initial_state=h),
        *layers.SimpleRNN(4, return_state=True, go_backwards=True)(x, initial_state=h)])
    fork("bidirectional_modes", [x], lambda x: [
        layers.Bidirectional(layers.GRU(2, return_sequences=True), merge_mode="mul")(x),
        *layers.Bidirectional(layers.LSTM(2, return_sequences=True), merge_mode=None)(x),
        *layers.Bidirectional(layers.LSTM(2, return_state=True))(x)])
    frames = floats(2, 3, 8, 8, 2)
    chain("time_distributed_net", frames, layers.TimeDistributed(layers.Conv2D(3, 3, padding="same")),
          layers.TimeDistributed(layers.BatchNormalization()), layers.TimeDistributed(layers.MaxPooling2D()),
          layers.TimeDistributed(layers.Flatten()), layers.GRU(3))
    cases.append(("time_distributed_open", *time_distributed_open(keras, floats)))
    cases.append(("nested_frozen", *nested_frozen(keras, floats)))
    return cases


def basics(keras, dialect, np, chain, fork, floats):
    """Every layer with its usual options."""
    layers = keras.layers
    vector, signal, image, volume = floats(3, 6), floats(2, 9, 3), floats(2, 8, 9, 3), floats(1, 5, 6, 4, 2)
    names = ["relu", "relu6", "elu", "selu", "softplus", "softsign", "tanh", "sigmoid", "hard_sigmoid", "exponential"]
    names += ["linear", "swish", "gelu", "softmax", "mish", "leaky_relu", "log_softmax"]
    if dialect == "k3":
        names += ["hard_silu", "celu", "glu", "hard_tanh", "hard_shrink", "soft_shrink", "tanh_shrink", "squareplus"]
        names += ["sparse_plus", "sparsemax", "log_sigmoid"]
    fork("activations", [vector], lambda x: [layers.Activation(name, name=f"a_{name}")(x) for name in names])
    fork("activation_layers", [image], lambda x: [
        layers.ReLU()(x), layers.ReLU(6.0)(x), layers.ReLU(2, 0.1, 0.25)(x), layers.LeakyReLU()(x), layers.ELU(0.5)(x),
        layers.PReLU()(x), layers.PReLU(shared_axes=[1, 2])(x), layers.Softmax(axis=1)(x)])
    chain("dense", vector, layers.Dense(5, "relu"), layers.Dense(4, use_bias=False), layers.Dense(3, "softmax"))
    chain("dense_steps", signal, layers.Dense(4, "tanh"), layers.Dense(2))
    chain("training_only", signal, layers.Dropout(0.5), layers.SpatialDropout1D(0.2), layers.GaussianNoise(0.1),
          layers.GaussianDropout(0.1), layers.ActivityRegularization(0.1), layers.Dense(2))
    chain("conv1d", signal, layers.Conv1D(4, 3, padding="causal"), layers.Conv1D(3, 2, strides=2, padding="same"))
    chain("conv2d", image, layers.Conv2D(4, 3, padding="same", activation="relu"), layers.Conv2D(5, (3, 2), (2, 1)),
          layers.Conv2D(6, 1, use_bias=False))
    chain("conv3d", volume, layers.Conv3D(3, 3, padding="same"), layers.Conv3D(2, 2, strides=2))
    chain("depthwise", image, layers.DepthwiseConv2D(3, padding="same", depth_multiplier=2),
          layers.DepthwiseConv2D(3, strides=2, use_bias=False))
    chain("separable", image, layers.SeparableConv2D(5, 3, padding="same", depth_multiplier=2),
          layers.SeparableConv2D(4, 3, strides=2, activation="relu"))
    chain("separable1d", signal, layers.SeparableConv1D(5, 3, padding="same"))
    chain("conv2d_transpose", image, layers.Conv2DTranspose(4, 3, strides=2, padding="same"),
          layers.Conv2DTranspose(3, 4, strides=2), layers.Conv2DTranspose(2, 3, 3, output_padding=(1, 2)))
    chain("batch_norm", image, layers.BatchNormalization(), layers.Conv2D(4, 3, use_bias=False),
          layers.BatchNormalization(scale=False, epsilon=1e-5), layers.BatchNormalization(center=False))
    chain("layer_norm", signal, layers.LayerNormalization(), layers.LayerNormalization(axis=[1, 2], epsilon=1e-5),
          layers.LayerNormalization(center=False), layers.LayerNormalization(scale=False))
    for rank, x in ((1, signal), (2, image), (3, volume)):
        pools = [getattr(layers, f"{kind}Pooling{rank}D") for kind in ("Max", "Average")]
        globals_ = [getattr(layers, f"Global{kind}Pooling{rank}D") for kind in ("Max", "Average")]
        fork(f"pool{rank}d", [x], lambda x, pools=pools, globals_=globals_: [
            *(pool(2)(x) for pool in pools), *(pool(3, 2, "same")(x) for pool in pools), *(pool()(x) for pool in globals_)])
        parts = [getattr(layers, f"{kind}{rank}D") for kind in ("ZeroPadding", "Cropping", "UpSampling")]
        fork(f"borders{rank}d", [x], lambda x, parts=parts: [part()(x) for part in parts])
    fork("borders_uneven", [image], lambda x: [
        layers.ZeroPadding2D(((1, 2), (0, 3)))(x), layers.Cropping2D(((1, 2), (2, 1)))(x), layers.UpSampling2D((2, 3))(x)])
    chain("shapes", image, layers.Permute((3, 1, 2)), layers.Reshape((4, -1)), layers.Dense(3), layers.Flatten(),
          layers.RepeatVector(3), layers.Flatten())
    fork("merge", [vector, floats(3, 6)], lambda a, b: [
        *(getattr(layers, kind)()([a, b]) for kind in ("Add", "Subtract", "Multiply", "Average", "Maximum", "Minimum",
                                                       "Concatenate")), layers.Dot(axes=1)([a, b])])
    chain("rescaling", image, layers.Rescaling(1 / 127.5, offset=-1))
    chain("float64", vector.astype("float64"), layers.Dense(4, "tanh", dtype="float64"))


def recurrent_basics(keras, dialect, np, chain, fork, floats):
    layers = keras.layers
    x = floats(2, 6, 4)
    for kind in ("SimpleRNN", "LSTM", "GRU"):
        layer = getattr(layers, kind)
        chain(kind.lower(), x, layer(5, return_sequences=True), layer(3, go_backwards=True))
        fork(f"{kind.lower()}_both", [x], lambda x, layer=layer: [
            layers.Bidirectional(layer(3))(x), layers.Bidirectional(layer(2, return_sequences=True), merge_mode="sum")(x),
            layers.Bidirectional(layer(2), merge_mode="ave")(x)])
    chain("gru_reset_before", x, layers.GRU(3, reset_after=False))
    fork("lstm_states", [x, floats(2, 3), floats(2, 3)], lambda x, h, c: [
        *layers.LSTM(3, return_state=True, use_bias=False)(x, initial_state=[h, c])])
    tokens = np.random.default_rng(1).integers(1, 20, (3, 7)).astype("int32")
    chain("embedding", tokens, layers.Embedding(20, 6), layers.GlobalAveragePooling1D(), layers.Dense(2))
    chain("time_distributed", floats(2, 4, 6, 6, 2), layers.TimeDistributed(layers.Conv2D(3, 3, activation="relu")),
          layers.TimeDistributed(layers.GlobalAveragePooling2D()), layers.LSTM(3))


def cells(keras, dialect, np, chain, fork, floats):
    """Cells that RNN runs, and LSTMs of pictures."""
    layers = keras.layers
    x = floats(2, 5, 3)
    stack = layers.StackedRNNCells
    chain("rnn_cells", x, layers.RNN(layers.LSTMCell(4), return_sequences=True, go_backwards=True),
          layers.RNN(stack([layers.GRUCell(3), layers.SimpleRNNCell(2), layers.GRUCell(4, reset_after=False)]),
                     return_sequences=True, go_backwards=True), layers.RNN(layers.SimpleRNNCell(2, use_bias=False)))
    fork("rnn_cell_states", [x, floats(2, 3), floats(2, 3)], lambda x, h, c: [
        *layers.RNN(layers.LSTMCell(3), return_state=True)(x, initial_state=[h, c]),
        layers.Bidirectional(layers.RNN(layers.GRUCell(2), return_sequences=True))(x)])
    tokens = np.array([[1, 5, 3, 0, 0], [0, 2, 0, 4, 1]], "int32")
    chain("mask_rnn_cells", tokens, layers.Embedding(9, 4, mask_zero=True),
          layers.RNN(stack([layers.LSTMCell(3), layers.GRUCell(3)]), return_sequences=True),
          layers.RNN(layers.SimpleRNNCell(2)))
    chain("conv_lstm", floats(2, 3, 5, 6, 2), layers.ConvLSTM2D(3, 3, padding="same", return_sequences=True),
          layers.ConvLSTM2D(2, (2, 3), strides=(1, 2), go_backwards=True, recurrent_activation="hard_sigmoid",
                            return_sequences=True), layers.ConvLSTM2D(2, 2, activation="relu", use_bias=False))
    fork("conv_lstm_others", [floats(2, 4, 7, 3), floats(2, 2, 4, 3, 4, 2), floats(2, 5, 2), floats(2, 5, 2)],
         lambda signal, volume, h, c: [
             *layers.ConvLSTM1D(2, 3, return_state=True)(signal, initial_state=[h, c]),
             layers.ConvLSTM1D(3, 2, dilation_rate=2)(signal), layers.ConvLSTM3D(1, 2)(volume)])


def nets(keras, dialect, np, chain, fork, floats):
    """Layers that are shared, models within models, several inputs and outputs, residuals."""
    layers, Model, Input = keras.layers, keras.Model, keras.Input

    def shared(a, b):
        tower = layers.Dense(4, "tanh", name="tower")
        x, y = tower(a), tower(b)
        return [layers.Dense(1, name="score")(layers.Concatenate()([x, y])), layers.Subtract()([x, y])]

    def nested(a, b):
        start = Input((8, 8, 3))
        encoder = keras.Sequential([Input((8, 8, 3)), layers.Conv2D(4, 3, activation="relu"), layers.MaxPooling2D()],
                                   name="encoder")
        inner = encoder(start)
        head = Model(start, [layers.Flatten()(inner), layers.GlobalAveragePooling2D()(inner)], name="head")
        return layers.Dense(2)(layers.Concatenate()([*head(a), *head(b)]))

    def residual(x):
        y = layers.ReLU()(layers.BatchNormalization()(layers.Conv2D(8, 3, padding="same", use_bias=False)(x)))
        for filters, stride in ((8, 1), (16, 2)):
            z = layers.ReLU(6.0)(layers.BatchNormalization()(layers.Conv2D(filters, 3, stride, "same")(y)))
            z = layers.DepthwiseConv2D(3, padding="same")(layers.ZeroPadding2D(1)(layers.Cropping2D(1)(z)))
            gate = layers.Conv2D(filters, 1, activation="sigmoid")(layers.GlobalAveragePooling2D(keepdims=True)(z))
            z = layers.Multiply()([z, gate])
            y = layers.Add()([z, y if stride == 1 else layers.Conv2D(filters, 1, stride)(y)])
        return layers.Dense(10, "softmax")(layers.GlobalAveragePooling2D()(y))

    def hourglass(x):
        down = layers.Conv2D(4, 3, padding="same", activation="relu")(x)
        middle = layers.Conv2D(8, 3, padding="same", activation="relu")(layers.MaxPooling2D()(down))
        up = layers.Conv2DTranspose(4, 2, strides=2, padding="same")(middle)
        return layers.Conv2D(1, 1, activation="sigmoid")(layers.Concatenate()([up, down]))

    fork("shared_layers", [floats(2, 5), floats(2, 5)], shared)
    fork("nested_models", [floats(2, 8, 8, 3), floats(2, 8, 8, 3)], nested)
    fork("residual", [floats(2, 16, 16, 3)], residual)
    fork("hourglass", [floats(1, 16, 16, 1)], hourglass)


def further_layers(keras, dialect, np, chain, fork, floats):
    """Layers that few models have."""
    layers = keras.layers
    vector, signal, image, volume = floats(2, 6), floats(2, 9, 4), floats(2, 6, 5, 6), floats(1, 3, 4, 3, 2)
    chain("depthwise1d", signal, layers.DepthwiseConv1D(3, padding="same", depth_multiplier=2, activation="relu"),
          layers.DepthwiseConv1D(2, strides=2, use_bias=False))
    fork("conv1d_transpose", [signal], lambda x: [
        layers.Conv1DTranspose(3, 3, strides=2, padding="same")(x), layers.Conv1DTranspose(2, 4, strides=3)(x)])
    fork("conv3d_transpose", [volume], lambda x: [
        layers.Conv3DTranspose(2, 3, strides=2, padding="same")(x), layers.Conv3DTranspose(3, 2, strides=(1, 3, 2))(x)])
    fork("group_norm", [image, vector], lambda x, v: [
        layers.GroupNormalization(3)(x), layers.GroupNormalization(-1, epsilon=1e-5)(layers.Conv2D(4, 3)(x)),
        layers.GroupNormalization(2, scale=False)(v), layers.GroupNormalization(2, axis=1, center=False)(x)])
    fork("unit_norm", [image], lambda x: [
        layers.UnitNormalization()(x), layers.UnitNormalization(axis=1)(x),
        layers.UnitNormalization(axis=(1, 2))(layers.Conv2D(4, 3)(x))])
    fork("normalization", [image, vector], lambda x, v: [
        layers.Normalization()(x), layers.Normalization(axis=(1, 3))(x), layers.Normalization(axis=None)(v),
        layers.Normalization(mean=[0.1, 0.2, 0.3, -1, 0, 2], variance=[1, 2, 3, 0.5, 0.1, 4])(layers.Conv2D(6, 1)(x)),
        layers.Normalization(axis=None, mean=0.5, variance=4.0)(v), layers.Normalization(invert=True)(v)])
    fork("resizing", [floats(2, 6, 7, 3)], lambda x: [
        layers.Resizing(9, 5)(x), layers.Resizing(4, 4, interpolation="nearest")(x), layers.CenterCrop(3, 4)(x),
        layers.Resizing(11, 10, interpolation="nearest")(layers.Conv2D(2, 1)(x))])
    applications = importlib.import_module(("tf_keras" if dialect == "k2" else "keras") + ".src.applications")
    LayerScale, CustomScaleLayer = applications.convnext.LayerScale, applications.inception_resnet_v2.CustomScaleLayer
    fork("application_layers", [image, floats(2, 6, 5, 6)], lambda x, y: [
        LayerScale(0.1, 6)(x), LayerScale(0.1, 4)(layers.Conv2D(4, 3)(x)), CustomScaleLayer(0.17)([x, y]),
        CustomScaleLayer(2.5)([layers.Conv2D(3, 2)(x), layers.Conv2D(3, 2)(y)])])
    if dialect == "k3":
        chain("rms_norm", image, layers.RMSNormalization(), layers.Conv2D(4, 3),
              layers.RMSNormalization(axis=-1, epsilon=1e-3))


def attention(keras, dialect, np, chain, fork, floats):
    """Layers by which steps look at steps."""
    layers = keras.layers
    x, y = floats(2, 5, 8), floats(2, 7, 6)
    tokens = np.array([[3, 1, 4, 1, 0], [5, 0, 2, 0, 0], [0, 0, 0, 0, 0]], "int32")
    others = np.array([[1, 2, 0, 0], [0, 3, 0, 4], [5, 6, 7, 8]], "int32")

    def heads(*arguments, **options):
        return layers.MultiHeadAttention(*arguments, **options)

    def embedded(a, b):
        return layers.Embedding(9, 6, mask_zero=True)(a), layers.Embedding(9, 6, mask_zero=True)(b)

    fork("multi_head", [x], lambda x: layers.LayerNormalization()(layers.Add()([x, heads(2, 4)(x, x)])))
    fork("multi_head_cross", [x, y], lambda x, y: [
        *heads(3, 4, value_dim=5, output_shape=6)(x, y, return_attention_scores=True), heads(2, 3, use_bias=False)(y, x),
        heads(2, 3)(x, y, layers.Dense(4)(y))])
    fork("multi_head_causal", [x], lambda x: [
        heads(2, 4)(x, x, use_causal_mask=True), *heads(1, 3)(x, x, use_causal_mask=True, return_attention_scores=True)])
    fork("multi_head_mask", [x, y, random_mask(np, 2, 5, 7)], lambda x, y, mask: [
        heads(2, 4)(x, y, attention_mask=mask), heads(2, 4)(x, y, attention_mask=mask, use_causal_mask=True)])

    def masked_heads(a, b):
        a, b = embedded(a, b)
        z = heads(2, 3)(a, b)
        return [z, layers.LSTM(2)(z), heads(2, 3)(a, a, use_causal_mask=True)]

    fork("multi_head_masked", [tokens, others], masked_heads)

    def masked_blocks(a):
        a = layers.Embedding(9, 6, mask_zero=True)(a)
        for _ in range(2):
            a = layers.LayerNormalization()(layers.Add()([a, heads(2, 3)(a, a)]))
        return layers.GlobalAveragePooling1D()(a)

    fork("multi_head_masked_blocks", [tokens], masked_blocks)
    fork("attention", [floats(2, 4, 6), floats(2, 5, 6), floats(2, 5, 6)], lambda q, v, k: [
        layers.Attention(use_scale=True)([q, v]), layers.Attention()([q, v, k]), layers.AdditiveAttention()([q, v]),
        layers.Attention(score_mode="concat")([q, v]), layers.Attention(score_mode="concat", use_scale=True)([q, v, k]),
        layers.AdditiveAttention(use_scale=False)([q, v, k]), layers.Attention()([q, v], use_causal_mask=True),
        *layers.Attention()([q, v], return_attention_scores=True)])

    def masked_attention(a, b):
        a, b = embedded(a, b)
        z = layers.Attention()([a, b])
        return [z, layers.GRU(2)(z), layers.AdditiveAttention()([a, b]), layers.Attention()([a, b], use_causal_mask=True)]

    fork("attention_masked", [tokens, others], masked_attention)
    image = floats(2, 4, 3, 5)
    fork("einsum_dense", [x, image], lambda x, image: [
        layers.EinsumDense("abc,cd->abd", (None, 5), bias_axes="d")(x), layers.EinsumDense("abc,cde->abde", (None, 2, 3))(x),
        layers.EinsumDense("...x,xy->...y", 4, bias_axes="y", activation="relu")(layers.Conv2D(3, 2)(image)),
        layers.EinsumDense("ab...,bc->ac...", (6, 3, 5), bias_axes="c")(image),
        layers.EinsumDense("abc,bcd->ad", 3, bias_axes="d")(x)])
    if dialect == "k3":
        fork("grouped_query", [x, floats(2, 7, 8)], lambda x, z: [
            layers.GroupQueryAttention(4, 4, 2)(x, x), layers.GroupQueryAttention(3, 4, 1, use_bias=False)(x, z),
            *layers.GroupQueryAttention(3, 4, 2)(x, z, return_attention_scores=True)])


def random_mask(np, *shape):
    return np.random.default_rng(7).random(shape) < 0.6


def functions(keras, dialect, np, chain, fork, floats):
    """Functions of tensors between layers."""
    layers = keras.layers
    if dialect == "k2":
        import tensorflow as tf
        f = {"exp": tf.exp, "sigmoid": tf.sigmoid, "relu": tf.nn.relu, "tanh": tf.tanh, "sqrt": tf.sqrt, "square": tf.square,
             "maximum": tf.maximum, "minimum": tf.minimum, "mean": tf.reduce_mean, "sum": tf.reduce_sum, "max": tf.reduce_max,
             "min": tf.reduce_min, "log": tf.math.log, "rsqrt": tf.math.rsqrt, "sin": tf.sin, "cos": tf.cos}
    else:
        f = {name: getattr(keras.ops, name) for name in (
            "exp sigmoid relu tanh sqrt square maximum minimum mean sum max min log rsqrt sin cos").split()}
    x, image = floats(2, 5, 4), floats(2, 6, 5, 3)
    positive = np.abs(x) + 0.5
    fork("operators", [x, floats(2, 5, 4)], lambda a, b: [
        a + b, a - b, a * b, a / b, a + a[0], 1.0 - a, 2 / (abs(a) + 1), a * 2, a - 0.5, -a, abs(a), abs(a) ** 2, abs(a) ** b])
    fork("functions", [x, positive], lambda x, p: [
        f["exp"](x), f["sigmoid"](x), f["relu"](x), f["tanh"](x), f["square"](x), f["sin"](x), f["cos"](x), f["sqrt"](p),
        f["log"](p), f["rsqrt"](p), f["maximum"](x, 0.25), f["minimum"](x, p - 1)])
    fork("reductions", [x, image], lambda x, y: [
        f["mean"](x, axis=1), f["sum"](x, axis=-1, keepdims=True), f["max"](x, axis=(1, 2)), f["min"](x, axis=2),
        f["mean"](layers.Conv2D(4, 2)(y), axis=(1, 2)), f["max"](layers.Conv2D(4, 2)(y), axis=-1)])
    fork("slices", [x, image], lambda x, y: [
        x[:, 1:3], x[:, :, 1:] if dialect == "k2" else x[..., 1:], x[:, 0], x[:, None, ::2, -1], x[:, ::-1], x[:, -3:-1, :2], layers.Conv2D(4, 2)(y)[:, 1:, :-1, 2],
        layers.Conv2D(4, 2)(y) * 2.0 - 1.0])
    tokens = np.array([[1, 2, 0, 0], [3, 0, 4, 0]], "int32")
    # Masks end at a function.
    chain("function_after_mask", tokens, layers.Embedding(9, 4, mask_zero=True), lambda x: x * 2.0, layers.LSTM(3))
    fork("integers", [tokens], lambda i: [i / 2, i / (i + 1), i * 3, layers.Embedding(20, 2)(i + 4)])


def half_precision(keras, dialect, np, chain, fork, floats):
    """Variables in float32, arithmetic in float16."""
    layers = keras.layers
    mixed = keras.mixed_precision.Policy("mixed_float16") if dialect == "k2" else keras.DTypePolicy("mixed_float16")
    image = floats(2, 8, 9, 3)

    def half(kind, *arguments, **options):
        return getattr(layers, kind)(*arguments, dtype=mixed, **options)

    chain("mixed_float16", image, half("Conv2D", 4, 3, activation="relu"), half("MaxPooling2D"), half("Flatten"),
          half("Dense", 5, activation="relu"), layers.Dense(2, dtype="float32"))
    chain("mixed_norms", image, half("Conv2D", 4, 3, padding="same", use_bias=False), half("BatchNormalization"),
          half("ReLU", 6.0), half("LayerNormalization"), half("Conv2D", 5, (1, 3), use_bias=False))
    fork("mixed_merge", [image], lambda x: [
        half("Add")([half("Conv2D", 3, 1)(x), x]), half("Multiply")([x, half("Conv2D", 3, 3, padding="same")(x)]),
        half("Concatenate")([half("GlobalMaxPooling2D")(x), half("GlobalMaxPooling2D")(half("ZeroPadding2D")(x))])])
    chain("mixed_mean", image, half("Conv2D", 4, 3, strides=2, activation="relu"), half("GlobalAveragePooling2D"),
          layers.Dense(2, dtype="float32"))
    # Keras 2 rounds each partial sum, in an order that the number of channels and of terms decides.
    fork("mixed_means", [image, np.array([[1, 5, 0], [0, 2, 7]], "int32")], lambda x, tokens: [
        half("GlobalAveragePooling2D", keepdims=True)(half("Conv2D", 8, 3, activation="relu")(x)),
        half("GlobalAveragePooling2D")(half("Conv2D", 16, 1, strides=3, activation="relu")(x)),
        half("GlobalAveragePooling1D")(half("Reshape", (16, 8))(half("Conv2D", 8, (5, 6), activation="exponential")(x))),
        half("GlobalAveragePooling1D")(half("Embedding", 9, 6, mask_zero=True)(tokens))])


def mask_mean(keras, np):
    layers = keras.layers
    tokens = np.array([[1, 5, 0], [0, 2, 0]], "int32")

    def build():
        start = keras.Input((3,), dtype="int32")
        x = layers.Embedding(9, 4, mask_zero=True)(start)
        return keras.Model(start, [layers.GlobalAveragePooling1D()(x), layers.GlobalMaxPooling1D()(x),
                                   layers.LSTM(2)(layers.Add()([x, x]))])

    return build, [tokens]


def time_distributed_open(keras, floats):
    layers = keras.layers

    def build():
        start = keras.Input((None, 6, 2))
        return keras.Model(start, layers.TimeDistributed(layers.Conv1D(3, 3))(start))

    return build, [floats(2, 4, 6, 2)]


def nested_frozen(keras, floats):
    """Within a model, weights that are not trained are listed behind those that are."""
    layers = keras.layers

    def build():
        inner = keras.Sequential([keras.Input((5,)), layers.Dense(4), layers.BatchNormalization(), layers.Dense(4)])
        inner.layers[0].trainable = False
        frozen = keras.Sequential([keras.Input((4,)), layers.BatchNormalization(), layers.Dense(4)])
        frozen.trainable = False
        start = keras.Input((5,))
        return keras.Model(start, layers.Dense(2)(frozen(inner(start))))

    return build, [floats(3, 5)]


def randomize(model, random, np):
    values = []
    for weight in model.weights:
        name, shape = getattr(weight, "path", weight.name), tuple(weight.shape)
        leaf = name.split("/")[-1].split(":")[0]
        fan = max(1, int(np.prod(shape[:-1])))
        if leaf == "count":
            values.append(np.array(weight))
            continue
        if "variance" in leaf:
            value = random.uniform(0.5, 1.5, shape)
        elif "gamma" in leaf:
            value = random.uniform(0.7, 1.3, shape)
        else:
            value = random.normal(0, min(1, (2 / fan) ** 0.5), shape)
        values.append(value.astype("float32"))
    model.set_weights(values)
    for layer in model._flatten_layers():
        # Normalization computes with what it made of its weights, as loading does anew.
        if hasattr(layer, "finalize_state"):
            layer.finalize_state()


def start(dialect):
    """The Keras of a dialect, on TensorFlow."""
    os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="", TF_ENABLE_ONEDNN_OPTS="0")
    if dialect == "k2":
        os.environ["TF_USE_LEGACY_KERAS"] = "1"
        return importlib.import_module("tf_keras")
    os.environ["KERAS_BACKEND"] = "tensorflow"
    return importlib.import_module("keras")


def make(dialect, folder):
    keras = start(dialect)
    import numpy as np

    out = os.path.join(folder, dialect)
    os.makedirs(out, exist_ok=True)
    for name, build, inputs in models(keras, dialect, np):
        keras.backend.clear_session()
        try:
            model = build()
            randomize(model, np.random.default_rng(sum(map(ord, name))), np)
            results = model(inputs if len(inputs) > 1 else inputs[0], training=False)
        except Exception as error:
            print(f"{dialect} {name}: {repr(error)[:200]}")
            continue
        results = results if isinstance(results, (list, tuple)) else [results]
        arrays = {f"in_{i}": x for i, x in enumerate(inputs)}
        arrays.update({f"out_{i}": np.array(y) for i, y in enumerate(results)})
        np.savez_compressed(f"{out}/{name}.npz", **arrays)
        for suffix in (".h5", ".keras"):
            model.save(f"{out}/{name}{suffix}")
        print(dialect, name)


def pack(folder, name):
    """Equal files give an equal archive."""
    with zipfile.ZipFile(os.path.join(HERE, name), "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for dialect in ("k2", "k3"):
            for file in sorted(os.listdir(os.path.join(folder, dialect))):
                if file.endswith((".npz", ".keras", ".json")) or file.endswith(".h5") and not file.endswith(".weights.h5"):
                    entry = zipfile.ZipInfo(f"{dialect}/{file}", (1980, 1, 1, 0, 0, 0))
                    entry.compress_type = zipfile.ZIP_DEFLATED
                    with open(os.path.join(folder, dialect, file), "rb") as source:
                        archive.writestr(entry, source.read(), compresslevel=9)


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in ("k2", "k3", "pack"):
        sys.exit(__doc__)
    pack(sys.argv[2], "models.zip") if sys.argv[1] == "pack" else make(*sys.argv[1:])

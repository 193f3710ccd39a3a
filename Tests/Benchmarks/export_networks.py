"""Writes networks of torchvision and of network_modules*.py as ONNX: NAME.onnx, and NAME.npz with inputs for it.

  export_networks.py --list
  export_networks.py DIR NAME ...

Weights are seeded random numbers with which a network behaves as if trained: their variance keeps activations as large
as they are, batch norms have the statistics of a batch of inputs, layer scales are not tiny.
Needs what requirements-torch.txt lists.
"""
import math
import os
import sys
import warnings

import numpy as np
import torch
from torch import nn

import network_modules as own
import network_modules_backbones as backbones
import network_modules_generators as generators
import network_modules_pictures as pictures
import network_modules_sound as sound
import network_modules_speech as speech
import network_modules_text as text
import network_modules_transformers as transformers
import network_modules_video as video

SEED, OPSET = 17, 17


def models():
    """torchvision's models."""
    # torchvision's own operators, which no network here has, cannot be loaded where torch is built otherwise than it.
    register, torch.library.register_fake = torch.library.register_fake, lambda *_, **__: lambda function: function
    try:
        import torchvision
    finally:
        torch.library.register_fake = register
    return torchvision.models


def seen(name):
    """What makes the network `name` of torchvision: classification, segmentation or video."""
    return models().get_model_builder(name)


# --------------------------------------------------------------------------- inputs


def normal(*shape):
    return lambda random: random.standard_normal(shape).astype(np.float32)


def picture(size, *frames):
    """Coarse structure and fine grain, so that pictures differ by more than noise."""

    def make(random):
        coarse = random.standard_normal((1, 3, *frames, 8, 8)).repeat(-(-size // 8), -1).repeat(-(-size // 8), -2)
        coarse = coarse[..., :size, :size]
        return (coarse + random.normal(0, 0.3, coarse.shape)).astype(np.float32)

    return make


def frames(count, size):
    return lambda random: np.concatenate([picture(size)(random) for _ in range(count)])


def whole(most, *shape):
    return lambda random: random.integers(0, most, shape)


def full(value, dtype, *shape):
    return lambda random: np.full(shape, value, dtype)


# --------------------------------------------------------------------------- the networks


class Network:
    """How to make a module, its inputs by name, and which of their axes stay open: input → {axis: name}."""

    def __init__(self, make, inputs, open=None):
        self.make, self.inputs, self.open = make, inputs, open or {}


def vision(name, size=224, frames=(), **settings):
    def make():
        return seen(name)(weights=None, **settings)

    return name, Network(make, {"x": picture(size, *frames)})


def segmentation(name, size):
    class Out(nn.Module):
        def __init__(self):
            super().__init__()
            self.network = seen(name)(weights=None, weights_backbone=None)

        def forward(self, x):
            return self.network(x)["out"]

    return name, Network(Out, {"x": picture(size)})


def sentence(words, length):
    return {"input_ids": whole(words, 1, length), "attention_mask": full(1, np.int64, 1, length)}


GPT = {f"past_{kind}.{place}": normal(4, 12, 128, 64) for place in range(6) for kind in ("key", "value")}
LLAMA = {f"past_{kind}.{place}": normal(1, 4, 256, 64) for place in range(12) for kind in ("key", "value")}

NETWORKS = dict([
    vision("resnext50_32x4d"),
    vision("regnet_y_800mf"),
    vision("densenet121"),
    segmentation("deeplabv3_mobilenet_v3_large", 320),
    segmentation("deeplabv3_resnet50", 256),
    segmentation("lraspp_mobilenet_v3_large", 320),
    vision("convnext_tiny"),
    vision("swin_t"),
    vision("maxvit_t"),
    vision("efficientnet_v2_s", 300),
    vision("mobilenet_v3_large"),
    vision("shufflenet_v2_x1_0"),
    vision("squeezenet1_1"),
    vision("inception_v3", 299, aux_logits=True, init_weights=False),
    vision("vgg11"),
    vision("r3d_18", 112, (8,)),
    vision("mc3_18", 112, (8,)),
    ("x3d_s", Network(own.X3D, {"x": picture(160, 8)})),
    ("unet", Network(own.UNet, {"x": picture(256)})),
    ("diffusion_unet", Network(own.DiffusionUNet, {"x": normal(1, 4, 32, 32), "step": full(400, np.float32, 1)})),
    ("yolov8m_320", Network(own.Yolo, {"x": picture(320)})),
    ("hifi_gan", Network(own.Vocoder, {"mels": normal(1, 80, 64)})),
    ("conformer", Network(own.Conformer, {"frames": normal(1, 400, 80)})),
    ("conformer_open", Network(own.Conformer, {"frames": normal(1, 400, 80)}, {"frames": {1: "length"}})),
    ("whisper_tiny_encoder", Network(own.WhisperEncoder, {"mels": normal(1, 80, 3000)})),
    ("bert_base_384", Network(own.Bert, {
        "input_ids": whole(30522, 1, 384), "attention_mask": full(1, np.int64, 1, 384),
        "token_type_ids": whole(2, 1, 384)})),
    ("llama_step", Network(own.LlamaStep, {
        "token": whole(32000, 1, 1), "position": full(256, np.int64, 1, 1), **LLAMA})),
    ("lstm_attention_8", Network(own.AttentiveLSTM, {"x": normal(8, 64, 128)})),
    ("gru_32", Network(own.TwoGRU, {"x": normal(32, 64, 64)})),
    vision("wide_resnet50_2"),
    vision("mnasnet1_0"),
    vision("googlenet", aux_logits=True, init_weights=False),
    vision("vit_b_32"),
    vision("swin_v2_t", 256),
    vision("regnet_x_1_6gf"),
    vision("s3d", 224, (16,)),
    vision("r2plus1d_18", 112, (8,)),
    vision("swin3d_t", 112, (8,)),
    segmentation("fcn_resnet50", 256),
    ("yolov8l_640", Network(
        lambda: own.Yolo(640, (64, 128, 256, 512, 512), (3, 6, 6, 3)), {"x": picture(640)})),
    ("super_resolution", Network(pictures.SuperResolution, {"x": picture(96)})),
    ("pose_resnet50", Network(pictures.Pose, {"x": picture(256)})),
    ("flow", Network(pictures.Flow, {"first": picture(256), "second": picture(256)})),
    ("bert_base_512", Network(own.Bert, {
        "input_ids": whole(30522, 1, 512), "attention_mask": full(1, np.int64, 1, 512),
        "token_type_ids": whole(2, 1, 512)})),
    ("wav2vec2", Network(sound.Wav2Vec, {"samples": normal(1, 32000)})),
    ("encodec", Network(sound.Encodec, {"samples": normal(1, 24000)})),
    ("wavenet", Network(sound.WaveNet, {"noise": normal(1, 1, 8192), "mels": normal(1, 80, 128)})),
    vision("efficientnet_b3", 300),
    vision("resnet101"),
    ("deit_tiny_384", Network(
        lambda: models().VisionTransformer(384, 16, 12, 3, 192, 768), {"x": picture(384)})),
    ("detr", Network(transformers.Detr, {"x": picture(320)})),
    ("segformer_b0", Network(transformers.SegFormer, {"x": picture(256)})),
    ("mobilevit_s", Network(transformers.MobileViT, {"x": picture(256)})),
    ("efficientvit_b1", Network(transformers.EfficientViT, {"x": picture(224)})),
    ("sam_encoder", Network(transformers.Sam, {"x": picture(512)})),
    ("poolformer_s12", Network(backbones.PoolFormer, {"x": picture(224)})),
    ("mixer_s16", Network(backbones.Mixer, {"x": picture(224)})),
    ("convmixer", Network(backbones.ConvMixer, {"x": picture(224)})),
    ("ghostnet", Network(backbones.GhostNet, {"x": picture(224)})),
    ("hrnet_w18", Network(backbones.HighResolution, {"x": picture(256)})),
    ("nasnet", Network(backbones.NasNet, {"x": picture(224)})),
    ("c3d", Network(video.C3D, {"x": picture(112, 8)})),
    ("slowfast", Network(video.SlowFast, {"x": picture(160, 16)})),
    ("tsm_resnet18", Network(lambda: video.shifted(seen("resnet18")(), 4), {"x": frames(4, 160)})),
    ("pointnet", Network(video.PointNet, {"points": normal(1, 3, 2048)})),
    ("graph_attention", Network(video.GraphNet, {"nodes": normal(1024, 128), "edges": whole(1024, 2, 8192)})),
    ("nerf", Network(video.Radiance, {"origins": normal(128, 3), "directions": normal(128, 3)})),
    ("vae_decoder", Network(generators.VaeDecoder, {"latent": normal(1, 4, 16, 16)})),
    ("stylegan", Network(generators.StyleGan, {"z": normal(1, 256)})),
    ("style_transfer", Network(generators.StyleTransfer, {"x": picture(192)})),
    ("t5_small_encoder", Network(text.T5Encoder, sentence(32128, 128))),
    ("deberta", Network(text.Deberta, sentence(30000, 128))),
    ("clip_text", Network(text.ClipText, {"text": whole(49408, 1, 77)})),
    ("gpt_step_4", Network(text.GptStep, {"token": whole(8192, 4, 1), "position": full(128, np.int64, 4, 1), **GPT})),
    ("mamba", Network(text.Mamba, {"text": whole(8192, 1, 32)})),
    ("text_line", Network(speech.TextLine, {"x": normal(1, 3, 48, 320)})),
    ("tcn", Network(speech.Temporal, {"x": normal(1, 64, 1000)})),
    ("demucs", Network(speech.Demucs, {"sound": normal(1, 2, 22100)})),
    ("fastspeech", Network(speech.FastSpeech, {"text": whole(100, 1, 96)})),
    ("melgan", Network(speech.MelGan, {"mels": normal(1, 80, 64)})),
    ("speaker", Network(speech.Speaker, {"frames": normal(1, 300, 80)})),
    ("voice_activity", Network(speech.VoiceActivity, {
        "samples": normal(1, 576), "hidden": normal(1, 1, 128), "cell": normal(1, 1, 128)})),
    ("tacotron", Network(speech.Tacotron, {"memory": normal(1, 128, 512)})),
])

# --------------------------------------------------------------------------- weights


def scale(module):
    """Weights of a layer with unit gain for what it reads; zeros and ones elsewhere become numbers about them."""
    if isinstance(module, (nn.Linear, nn.Conv1d, nn.Conv2d, nn.Conv3d)):
        nn.init.normal_(module.weight, 0, 1 / math.sqrt(module.weight[0].numel()))
    if isinstance(module, nn.ConvTranspose1d | nn.ConvTranspose2d):
        taps = math.prod(-(-k // s) for k, s in zip(module.kernel_size, module.stride))
        nn.init.normal_(module.weight, 0, 1 / math.sqrt(taps * module.in_channels))
    if isinstance(module, nn.modules.batchnorm._BatchNorm | nn.LayerNorm | nn.GroupNorm):
        nn.init.uniform_(module.weight, 0.7, 1.3)
        nn.init.normal_(module.bias, 0, 0.1)


def settle(model, inputs):
    """Random weights, and batch norms with the statistics of a batch of inputs."""
    model.apply(scale)
    for name, parameter in model.named_parameters():
        if name.endswith("layer_scale"):
            nn.init.uniform_(parameter, 0.3, 0.7)
    norms = [module for module in model.modules() if isinstance(module, nn.modules.batchnorm._BatchNorm)]
    if norms:
        for norm in norms:
            norm.momentum = 1.0
            norm.train()
        model(*inputs)
    model.eval()


def write(name, folder):
    network = NETWORKS[name]
    torch.backends.mha.set_fastpath_enabled(False)  # an operator that ONNX does not have
    torch.manual_seed(SEED)
    model = network.make().eval()
    random = np.random.default_rng(SEED)
    inputs = {key: make(random) for key, make in network.inputs.items()}
    batch = [torch.cat([torch.from_numpy(make(random)) for _ in range(4)]) for make in network.inputs.values()]
    with torch.no_grad():
        settle(model, batch)
        path = os.path.join(folder, name)
        torch.onnx.export(
            model, tuple(map(torch.from_numpy, inputs.values())), f"{path}.new", dynamo=False, opset_version=OPSET,
            input_names=list(inputs), dynamic_axes=network.open or None)
    np.savez(f"{path}.npz", **inputs)
    os.replace(f"{path}.new", f"{path}.onnx")


def main():
    if sys.argv[1] == "--list":
        return print("\n".join(NETWORKS))
    warnings.simplefilter("ignore")
    os.makedirs(sys.argv[1], exist_ok=True)
    for name in sys.argv[2:]:
        write(name, sys.argv[1])


if __name__ == "__main__":
    main()

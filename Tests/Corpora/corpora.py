"""What the corpus scripts share: where things lie, and files that appear whole or not at all."""
import hashlib
import json
import os
import shutil

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
CACHE = os.environ.get("MLC_CACHE", os.path.join(ROOT, ".cache"))
MODELS = os.path.join(CACHE, "models")
ZOO = os.path.join(CACHE, "zoo")
GOLDEN = os.path.join(CACHE, "golden")


def catalog(*suffixes):
    """The entries of models.json, by name: ONNX models, or those with these suffixes."""
    with open(os.path.join(HERE, "models.json")) as file:
        return {entry["name"]: entry for entry in json.load(file) if suffix(entry) in (suffixes or (".onnx",))}


def suffix(entry):
    return os.path.splitext(entry["path"])[1]


def zoo_names():
    return sorted(name[: -len(".onnx")] for name in os.listdir(os.path.join(HERE, "zoo")) if name.endswith(".onnx"))


def network_names():
    """The networks that `dynamic/networks.py` writes down."""
    from dynamic.networks import NETWORKS

    return sorted(NETWORKS)


def sha256(path):
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def make(folder, sources, versions, fill):
    """Fills a folder anew where these files or versions are not those that it was made from; says whether it did."""
    parts = [sha256(source) for source in sources] + list(versions)
    wanted = hashlib.sha256("\n".join(parts).encode()).hexdigest()
    stamp = os.path.join(folder, "stamp")
    if os.path.exists(stamp):
        with open(stamp) as file:
            if file.read() == wanted:
                return False
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    fill()

    def write(path):
        with open(path, "w") as file:
            file.write(wanted)

    replace(stamp, write)
    return True


def replace(path, write):
    """Calls write(temporary path), then renames that file to path."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    # The extension stays last: numpy.savez would append it otherwise.
    base, extension = os.path.splitext(path)
    temporary = f"{base}.{os.getpid()}.tmp{extension}"
    try:
        write(temporary)
        os.replace(temporary, path)
    finally:
        if os.path.exists(temporary):
            os.unlink(temporary)

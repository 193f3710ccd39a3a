extension Explanation {
  /// What is wrong with files other than models.
  static let files: [Explanation] =
    [
      .init("file.map", "The system does not map this file into memory. Copy it to an ordinary folder."),
      .init("file.not-a-file", "A file is expected here, and this is a folder, a device, a pipe or a socket."),
      .init("file.open", "The file does not exist or may not be read."),
      .init(
        "file.rename",
        "The finished result could not be moved to its place; what stood there before is untouched. Name another place "
          + "with -o."
      ),
    ] + tensorFiles + pictures + packages

  private static let tensorFiles: [Explanation] = [
    .init("json.element", "A tensor in JSON is an array of numbers, of booleans or of texts, without a mixture."),
    .init("json.shape", "A tensor in JSON is an array of arrays of equal lengths."),
    .init("json.syntax", "The file is not JSON. The message names the byte where it ceases to be."),
    .init("json.too-large", "JSON of more than 64 MiB, or nested more than 64 deep, is refused. Write .npz instead."),
    .init("npy.count", "A .npy file holds one tensor. Write several to .npz."),
    .init(
      "npy.dtype",
      "mlc has no such element type: save floats, integers, booleans or text of kind U, as with "
        + "array.astype(numpy.float32) and array.astype(str)."
    ),
    .init("npy.header", "The file is no .npy file, or was damaged or cut off."),
    .init("npy.length", "The file has more or fewer bytes than its shape says: it was cut off, or written wrongly."),
    .init("npy.text", "A text in the file is no Unicode: the file was damaged or written wrongly."),
    .init(
      "npy.object",
      "The array holds Python objects, which mlc never unpickles. Save numbers: array.astype(numpy.float32)."
    ),
    .init("npy.shape", "The shape in the file is negative, or larger than memory."),
    .init("npz.entry", "The archive holds something else than .npy arrays of different names."),
    .init("npz.size", "The archive would unpack to far more than its own size, as an attack would."),
    .init("npz.zip", "The file is no .npz archive, or was damaged or cut off."),
    .init("tensor-file.extension", "Tensors are written to files that end with .npz, .npy or .json."),
    .init(
      "tensor-file.unknown",
      "The file is none that holds tensors: .npy, .npz, .json, or a picture: PNG, JPEG, BMP or PNM."
    ),
  ]

  private static let pictures: [Explanation] = [
    .init(
      "ctc.shape",
      "CTC decodes an output of floats [batch, columns, labels + 1]. Give --labels the model's own alphabet."
    ),
    .init(
      "image.bmp",
      "The BMP file is damaged or cut off, or its pixels are in runs, which are not read: save it without compression."
    ),
    .init("image.format", "Pictures are PNG, JPEG, BMP or PNM files; save others as PNG."),
    .init("image.jpeg", "The JPEG file is damaged, cut off, or of a kind that libjpeg does not read."),
    .init(
      "image.normalization",
      "--image-mean and --image-std take one number, or one for each channel; a deviation is not 0."
    ),
    .init("image.pnm", "The PNM file (PBM, PGM, PPM) is damaged or cut off."),
    .init("image.png", "The PNG file is damaged, cut off, or of a kind that libpng does not read."),
    .init(
      "image.shape",
      "The input takes no picture: it has the shape [batch, channels, height, width], or with channels last. See "
        + "--image-layout."
    ),
    .init("image.size", "The picture is empty, or has more pixels than mlc reads."),
    .init("image.syntax", "--image-mean and --image-std take numbers, --image-size takes HxW, Hx or xW."),
    .init(
      "labels.count",
      "There are more or fewer labels than classes in the output. The file of labels belongs to another model, or has "
        + "empty lines."
    ),
    .init("labels.encoding", "The file of labels is not UTF-8 text."),
    .init(
      "labels.missing",
      "--labels names a file, or with metadata:KEY an entry of the model's metadata; 'mlc inspect MODEL' shows them."
    ),
    .init(
      "labels.shape",
      "--top, --labels and --ctc read scores: the first output must be floats with the classes along its last axis."
    ),
    .init("labels.top", "--top takes a number above 0."),
  ]

  private static let packages: [Explanation] = [
    .init(
      "package.contradiction",
      "The code of the package was made for other inputs and outputs, another processor, other weights or another plan "
        + "than stand beside it: files of different packages were mixed, or one was edited. Compile the model again."
    ),
    .init(
      "package.expected-digest",
      "The package is not the one whose digest was demanded. 'mlc package list' prints the digest that it has; it "
        + "changes with any byte of the package."
    ),
    .init(
      "package.field",
      "A file of the compiled package lacks a field, or has one of the wrong kind. Compile the model again."
    ),
    .init(
      "package.format",
      "The folder is something else than a package compiled by mlc; Apple's compiled models have the same suffix."
    ),
    .init(
      "package.in-the-way",
      "Something else stands where the package is to be written, and mlc does not delete it. Remove it, or name "
        + "another place."
    ),
    .init("package.json", "A file of the compiled package is no JSON. Compile the model again."),
    .init(
      "package.no-program",
      "Compiled packages hold code only. 'mlc inspect --text' shows the graph of the source model."
    ),
    .init(
      "package.not-a-file",
      "A part of the compiled package is a symbolic link, a folder, a pipe or a device. Packages hold plain files "
        + "only; copy them with what the links lead to."
    ),
    .init(
      "package.not-compiled",
      "--expect-digest and --check-files say what a compiled package must be. Compile the model, and give them with "
        + "the package."
    ),
    .init(
      "package.size",
      "A file of the compiled package is longer or shorter than it was written. Copy the whole folder again."
    ),
    .init(
      "package.unbound-size",
      "The package has a size that no input determines. It is damaged; compile the model again."
    ),
  ]
}

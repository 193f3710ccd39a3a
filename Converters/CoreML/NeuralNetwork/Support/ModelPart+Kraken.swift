import CoreMLProto

extension ModelPart {
  /// Whether [kraken](https://kraken.re) wrote the network: the key `vgsl` says what its layers are. Core ML does not
  /// run such files: an extent of 0 is open, recurrent layers take lines of planes (`NNLines`), and the output has a
  /// name that no layer knows; it is what the last one gives.
  var isKraken: Bool { description.metadata.userDefined["vgsl"] != nil }
}

/// What a reader takes of a package at most. Nothing that a model needs comes near.
enum PackageLimits {
  /// Bytes of a JSON file, of a string in it, of a folder's or file's name.
  static let (jsonBytes, stringBytes, nameBytes) = (1 << 24, 1 << 20, 255)
  /// Items of any array.
  static let items = 1 << 18
  /// Functions, devices, features of a device, folders of a path and its file.
  static let (functions, devices, features, folders) = (1024, 64, 256, 16)
  /// Inputs or outputs of a function, sizes that it names.
  static let (ports, symbols) = (1 << 16, 1 << 12)
  /// Entries of the package's folder that are looked at for files that the manifest does not name.
  static let entries = 1 << 16
}

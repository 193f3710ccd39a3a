import MLCCore

/// What an HDF5 file holds: every object that its root group reaches, by path.
///
/// Links into other files are listed and not followed, datasets whose elements lie in other files are not read.
package struct HDF5File: Sendable {
  /// Groups before what they hold, siblings by name.
  package let objects: [HDF5Object]
  private let places: [String: Int]

  package init(_ objects: [HDF5Object]) {
    self.objects = objects
    places = Dictionary(objects.enumerated().map { ($1.path, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The object at `path`, which begins with a slash; `/` is the root group.
  package subscript(path: String) -> HDF5Object? { places[path].map { objects[$0] } }

  /// The names in the group `path`, in order.
  package func members(of path: String) -> [String] {
    let prefix = path == "/" ? "/" : path + "/"
    return objects.compactMap { object in
      guard object.path.hasPrefix(prefix), object.path.utf8.count > prefix.utf8.count else { return nil }
      let rest = object.path.dropFirst(prefix.count)
      return rest.contains("/") ? nil : String(rest)
    }
  }
}

/// A group, a dataset, or something else that a name in an HDF5 file stands for.
package struct HDF5Object: Sendable {
  package enum Kind: String, Sendable {
    case group, dataset
    /// A second name of an object, a soft link or a link into another file; `target` says which.
    case link
    case other
  }
  package var path: String, kind: Kind
  package var attributes: [HDF5Attribute] = []
  package var dataset: HDF5Dataset?
  package var target: String?

  package init(_ path: String, _ kind: Kind) { (self.path, self.kind) = (path, kind) }

  package subscript(attribute name: String) -> HDF5Attribute? { attributes.first { $0.name == name } }
}

/// A dataset: its elements' type in words, extents (`nil` for a null dataspace), and elements where mlc reads the type.
package struct HDF5Dataset: Sendable {
  package var type: String, shape: [Int]?
  /// `compact`, `contiguous`, `chunked`, `virtual` or `external`.
  package var storage: String
  package var filters: [String]
  /// `nil` when only the structure was asked for, and for types that tensors do not have.
  package var tensor: Tensor?

  package init(type: String, shape: [Int]?, storage: String, filters: [String], tensor: Tensor? = nil) {
    (self.type, self.shape, self.storage, self.filters, self.tensor) = (type, shape, storage, filters, tensor)
  }
}

/// A named value of an object, row-major; `nil` for types without a counterpart and for long lists.
package struct HDF5Attribute: Sendable {
  package enum Value: Hashable, Sendable {
    case strings([String])
    case numbers([Double])
    case integers([Int])
  }
  package var name: String, type: String, shape: [Int]?, value: Value?

  package init(name: String, type: String, shape: [Int]?, value: Value?) {
    (self.name, self.type, self.shape, self.value) = (name, type, shape, value)
  }

  /// The one string that it is.
  package var string: String? {
    if case .strings(let strings) = value, strings.count == 1 { strings[0] } else { nil }
  }
  /// The list of strings that it is.
  package var strings: [String]? {
    switch value {
    case .strings(let strings): strings
    // numpy writes an empty list as floats.
    case .numbers([]): []
    default: shape?.contains(0) == true ? [] : nil
    }
  }
}

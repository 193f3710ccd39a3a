/// What an input or output is to an application, where that is more than an array.
///
/// Functions take and give tensors, their ports. A port that no feature names is an array; a port of strings is a text,
/// or a list of texts where it has an axis. Source: Core ML's `FeatureDescription`.
package struct Feature: Hashable, Codable, Sendable {
  package enum Form: Hashable, Codable, Sendable {
    case array
    /// One integer or one double: a port of one element.
    case number
    /// A list of integers: a port with one axis.
    case sequence
    /// Pixels `[1, C, H, W]` or `[C, H, W]`, from 0 to 255.
    case image(ColorSpace)
    /// Keys and numbers, whatever they are: the ports `NAME.keys: K[n]`, strings or int64, and `NAME.values: T[n]`.
    case dictionary(isText: Bool)
    /// Keys that are always the same: a port with a number for each, in their order, axes of 1 beside.
    case scores(ClassLabels)
  }

  /// The order of an image's channels. Gray has one, in bytes or in halves.
  package enum ColorSpace: String, Hashable, Codable, Sendable, CaseIterable {
    case gray, gray16, rgb, bgr
    package var channels: Int { self == .rgb || self == .bgr ? 3 : 1 }
  }

  package var name: String
  package var form: Form
  /// Whether a caller may leave it out.
  package var isOptional: Bool
  /// What every element of an input is then.
  package var defaultValue: Double?
  /// The model's own words about it.
  package var summary: String

  package init(
    _ name: String,
    _ form: Form = .array,
    isOptional: Bool = false,
    defaultValue: Double? = nil,
    summary: String = ""
  ) {
    (self.name, self.form, self.isOptional) = (name, form, isOptional)
    (self.defaultValue, self.summary) = (defaultValue, summary)
  }

  /// The names of its ports.
  package var ports: [String] {
    if case .dictionary = form { return ["\(name).keys", "\(name).values"] }
    return [name]
  }

  /// Whether it says anything that its port does not.
  package var isPlain: Bool { form == .array && !isOptional && summary.isEmpty }
}

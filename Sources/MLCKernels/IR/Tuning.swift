/// What was measured of the ways to compute contractions on one machine: what choosing between them goes by, before
/// estimates.
package struct Tuning: Hashable, Sendable, Codable {
  /// One way to compute a contraction.
  package struct Choice: Hashable, Sendable, Codable {
    package var strategy: String
    /// One of the strategy's own ways to divide the work, `8x3`; `nil` for the one that it takes by itself.
    package var variant: String?

    package init(_ strategy: String, _ variant: String? = nil) { (self.strategy, self.variant) = (strategy, variant) }

    /// `PackedGemm 8x3`
    package var name: String { variant.map { "\(strategy) \($0)" } ?? strategy }
  }

  /// Nanoseconds, by the key of a contraction (`Kernel.problem`).
  package var measured: [String: [Choice: Double]] = [:]
  /// What is taken whatever it costs, by the same key: for measuring.
  package var pinned: [String: Choice] = [:]
  /// Whether every variant is listed among what was weighed, not the best of each strategy alone.
  package var listsVariants = false

  package init() {}
}

extension DeviceDescription {
  /// The device with the variant that strategies shall take; `nil` leaves them what they take by themselves.
  package func taking(_ variant: String?) -> DeviceDescription {
    var device = self
    device.variant = variant
    return device
  }

  /// Those of `items` that the wanted variant names; all of them where it names none.
  package func wanted<Item>(_ items: [Item], _ name: (Item) -> String) -> [Item] {
    guard let variant else { return items }
    let named = items.filter { name($0) == variant }
    return named.isEmpty ? items : named
  }
}

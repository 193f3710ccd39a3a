/// Things that are costly to make and used by one run at a time, kept between runs.
///
/// As many are kept, those in use counted, as were in use at once among the last runs, so that a steady load makes none and frees
/// none; what a busier time leaves goes within `2 · window` runs.
package struct Shelf<Item: Sendable>: Sendable {
  /// Runs after which the busiest moment before them is forgotten.
  package static var window: Int { 1024 }

  private let least: Int
  private var waiting: [Item] = []
  private var inUse = 0, runs = 0
  /// The most in use at once, in this window and in the one before.
  private var most = 0, mostBefore = 0

  /// Keeps up to `least` in any case; none at all when it is 0.
  package init(keeping least: Int) { self.least = least }

  /// One that `fits`, the last given back first; else, once `least` wait, the one that has waited longest. With `nil` the caller
  /// makes another, or says `abandon`.
  package mutating func take(_ fits: (Item) -> Bool) -> Item? {
    inUse += 1
    most = max(most, inUse)
    runs += 1
    if runs == Self.window { (mostBefore, most, runs) = (most, inUse, 0) }
    if let index = waiting.lastIndex(where: fits) { return waiting.remove(at: index) }
    return waiting.count >= max(1, least) ? waiting.removeFirst() : nil
  }

  package mutating func giveBack(_ item: Item) {
    inUse -= 1
    if least > 0, waiting.count + inUse < max(least, most, mostBefore) { waiting.append(item) }
  }

  /// Takes back a `take` whose thing could not be made or is of no use any more.
  package mutating func abandon() { inUse -= 1 }

  /// How many wait.
  package var count: Int { waiting.count }
}

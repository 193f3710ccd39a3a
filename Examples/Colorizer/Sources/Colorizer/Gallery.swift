/// Many items at once, but not all.
enum Gallery {
  /// What `work` makes of each item, in the order of the items; at most `limit` are worked on at any time.
  ///
  /// When one fails, or the task is cancelled, no further one begins, those under way are cancelled, and the error is
  /// thrown after the last of them has ended.
  static func map<Item: Sendable, Result: Sendable>(
    _ items: [Item],
    limit: Int,
    _ work: @escaping @Sendable (Item) async throws -> Result
  ) async throws -> [Result] {
    precondition(limit > 0, "nothing can be done by nobody")
    return try await withThrowingTaskGroup(of: (Int, Result).self) { group in
      var results = [Result?](repeating: nil, count: items.count)
      for (index, item) in items.enumerated() {
        if index >= limit, let (place, result) = try await group.next() { results[place] = result }
        try Task.checkCancellation()
        group.addTask { (index, try await work(item)) }
      }
      while let (place, result) = try await group.next() { results[place] = result }
      return results.compactMap { $0 }
    }
  }
}

import Foundation

/// Long lists of cases on several levels of a CPU: the levels take turns, so that each case is played on one of them
/// and each level plays its share. With `MLC_EVERY_LEVEL` in the environment each case is played on every level.
package enum Turns {
  package static let everyLevel = ProcessInfo.processInfo.environment["MLC_EVERY_LEVEL"] != nil

  /// Those of `levels` that case `number` is played on.
  package static func levels<Level>(_ levels: [Level], of number: Int) -> [Level] {
    everyLevel || levels.isEmpty ? levels : [levels[number % levels.count]]
  }

  /// Those of `cases` that level `place` of `count` plays.
  package static func cases<Case>(_ cases: [Case], on place: Int, of count: Int) -> [Case] {
    everyLevel ? cases : cases.indices.filter { $0 % count == place }.map { cases[$0] }
  }
}

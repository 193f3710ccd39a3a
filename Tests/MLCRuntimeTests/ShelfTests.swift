import MLCRuntime
import Testing

@Suite struct ShelfTests {
  /// `count` runs at once; answers how many things had to be made.
  private func burst(_ count: Int, on shelf: inout Shelf<Int>) -> Int {
    var (held, made): ([Int], Int) = ([], 0)
    for number in 0..<count {
      if let item = shelf.take({ _ in true }) {
        held.append(item)
      } else {
        held.append(number)
        made += 1
      }
    }
    for item in held { shelf.giveBack(item) }
    return made
  }

  @Test func steadyLoadMakesNothing() {
    var shelf = Shelf<Int>(keeping: 4)
    let first = burst(16, on: &shelf)
    #expect(first == 16 && shelf.count == 16)
    for _ in 0..<500 {
      let made = burst(16, on: &shelf)
      #expect(made == 0 && shelf.count == 16)
    }
  }

  @Test func whatABusyTimeLeavesGoes() {
    var shelf = Shelf<Int>(keeping: 4)
    _ = burst(16, on: &shelf)
    for _ in 0..<2 * Shelf<Int>.window { _ = burst(1, on: &shelf) }
    #expect(shelf.count == 4)
  }

  @Test func takesWhatFitsElseTheOldest() {
    var shelf = Shelf<Int>(keeping: 2)
    for item in [1, 2] {
      let found = shelf.take { $0 == item }
      #expect(found == nil)
      shelf.giveBack(item)
    }
    let fitting = shelf.take { $0 == 2 }
    shelf.giveBack(2)
    let oldest = shelf.take { $0 == 3 }
    let none = shelf.take { $0 == 3 }
    shelf.abandon()
    #expect(fitting == 2 && oldest == 1 && none == nil && shelf.count == 1)
  }

  @Test func keepsNoneWhereNoneShallWait() {
    var shelf = Shelf<Int>(keeping: 0)
    let made = burst(3, on: &shelf)
    #expect(made == 3 && shelf.count == 0)
  }
}

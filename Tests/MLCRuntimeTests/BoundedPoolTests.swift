import Dispatch
import MLCCore
import MLCRuntime
import Testing

@Suite struct BoundedPoolTests {
  @Test func neverLendsMoreThanTheLimit() {
    let pool = BoundedPool<Int>(limit: 3)
    let (made, inUse, tooMany) = (Counter(), Counter(), Counter())
    DispatchQueue.concurrentPerform(iterations: 16) { _ in
      for _ in 0..<500 {
        let item = try? pool.take(orMake: made.next()) { _ in true }
        inUse.increment()
        if inUse.value > 3 { tooMany.increment() }
        inUse.decrement()
        if let item { pool.giveBack(item) }
      }
    }
    #expect(made.value <= 3 && tooMany.value == 0)
  }

  @Test func givesWhatFitsElseTheOldest() throws {
    let pool = BoundedPool<Int>(limit: 2)
    func take(_ wanted: Int) throws -> Int {
      try pool.take(orMake: wanted) { $0 == wanted }
    }
    for item in [1, 2] { #expect(try take(item) == item) }
    for item in [1, 2] { pool.giveBack(item) }
    #expect(try take(2) == 2)
    pool.giveBack(2)
    #expect(try take(3) == 1)
    pool.drop()
    #expect(try take(3) == 3)
  }

  @Test func whatCannotBeMadeIsNotCounted() throws {
    let pool = BoundedPool<Int>(limit: 1)
    func fail() throws(Diagnostic) -> Int { throw Diagnostic("test.no", "") }
    for _ in 0..<3 { expect("test.no") { try pool.take(orMake: try fail()) { _ in true } } }
    #expect(try pool.take(orMake: 7) { _ in true } == 7)
  }
}

import MLCCore
import Testing

@Suite struct BudgetTests {
  @Test func limitsFollowFromTheModel() {
    let small = Budget(modelBytes: 1000)
    #expect(small.constantLimit == 64 << 20 && small.memory == 4 << 30 && small.time == .seconds(1800))
    let large = Budget(modelBytes: 1000)
    large.found(modelBytes: 1 << 30)
    #expect(large.constantLimit == 16 << 30 && large.memory == 32 << 30 && large.time == .seconds(1800 + 1024 * 60))
    let given = Budget(modelBytes: 1 << 30, memory: 1 << 20, time: .seconds(3))
    #expect(given.constantLimit == 1 << 20 && given.memory == 1 << 20 && given.time == .seconds(3))
    #expect(Budget(modelBytes: .max).constantLimit == .max)
    let none = Budget()
    #expect(none.constantLimit == .max && none.memory == .max && none.time == nil && none.remaining == nil)
  }

  @Test func constantsAreCountedTogether() {
    let budget = Budget(modelBytes: 0, memory: 10_000)
    let node = Location(node: "n")
    #expect(budget.takeConstant(6000, for: node) && !budget.takeConstant(6000, for: node))
    #expect(!budget.takeConstant(6000, for: node) && budget.declined == [node])
    #expect(budget.takeConstant(4096, for: node) && budget.constantBytes == 6000)
  }

  @Test func problemsSayTheLimit() {
    let budget = Budget(modelBytes: 0, memory: 1_500_000, time: .zero)
    #expect(throws: Never.self) { try budget.check(memory: 1_500_000, for: "it") }
    let memory = #expect(throws: Diagnostic.self) { try budget.check(memory: 2_000_000_000, for: "it") }
    #expect(memory?.message == "it would take 2 GB, the limit is 1.5 MB; --limit-memory changes it")
    let time = #expect(throws: Diagnostic.self) { try budget.checkTime() }
    #expect(time?.id == "budget.time" && time?.kind == .badModel)
  }
}

import MLCCore

extension KernelProgram {
  /// Checks what every rewrite of kernels must keep, for all sizes:
  ///
  /// - indices have the rank of what they index and name loops that surround them;
  /// - stores and loads stay within their tensors; indices that data decides are clamped by the target;
  /// - every element of a tensor is written exactly once before the tensor is read, on each side of a branch;
  /// - extents agree where operands share an axis; late sizes are set before they are used.
  ///
  /// Affine indices are proved, where `requirements` keep sizes that do not fit away. What is not proved is tried at
  /// sample sizes and positions, and counted in the result. Throws `kernel.invalid` with the first problem; it is a
  /// fault of the compiler, said at the user's node.
  @discardableResult package func verify(after pass: String) throws(Diagnostic) -> KernelVerification {
    let verification = KernelVerification(self)
    guard let problem = verification.problems.first else { return verification }
    throw Diagnostic(
      "kernel.invalid",
      "after \(pass), kernel '\(problem.family)' \(problem.what)",
      kind: .bug,
      at: problem.origin,
      notes: verification.problems.dropFirst().prefix(7).map { "kernel '\($0.family)' \($0.what)" }
    )
  }
}

extension KernelProgram {
  /// Adds the requirements of kernels as they are lowered: what makes their affine indices stay within their tensors,
  /// and aliases have as many elements as what they are aliases of.
  package mutating func addRequirements() {
    if symbols.isEmpty { return }
    var found: [SizeRequirement] = []
    for tensor in tensors {
      guard case .alias(let target) = tensor.kind else { continue }
      let (own, other) = (tensor.shape.reduce(1, *), self[target].shape.reduce(1, *))
      if own != other { found += SizeRequirement.equality(own, other) }
    }
    found += KernelVerification(self, isLowered: true).requirements
    let late = Set(lateSymbols.map { $0.name })
    var known = Set(requirements)
    for item in found where item.isOpen(without: late) && known.insert(item).inserted { requirements.append(item) }
  }
}

extension SizeRequirement {
  /// Whether sizes decide it, and none that only the run knows.
  fileprivate func isOpen(without late: Set<String>) -> Bool {
    value.constant == nil && ([value] + extents).allSatisfy { $0.symbols.isDisjoint(with: late) }
  }
}

/// What is wrong with the kernels of a program, and what could not be proved.
package struct KernelVerification: Sendable {
  package struct Problem: Hashable, Sendable {
    package var family: String, what: String
    package var origin: Location
  }
  package private(set) var problems: [Problem] = []
  /// Accesses and covers that hold at all sample sizes and positions tried, without a proof for the rest.
  package private(set) var unproven: [Problem] = []
  /// What would prove more, where the program is still as it was lowered.
  private(set) var requirements: [SizeRequirement] = []

  private var coverage: Coverage
  private var checker: AccessChecker

  init(_ program: KernelProgram, isLowered: Bool = false) {
    coverage = Coverage(program)
    checker = AccessChecker(program, isLowered: isLowered)
    walk(program.steps)
    for index in program.tensors.indices {
      guard case .output = program.tensors[index].kind else { continue }
      if let verdict = coverage.read(TensorID(index), checker) { note(verdict, nil) }
    }
  }

  private mutating func note(_ verdict: Verdict, _ kernel: Kernel?) {
    let family = kernel?.family ?? "output"
    let origin = kernel?.origins.first ?? Location()
    switch verdict {
    case .holds: break
    case .requires(let items): requirements += items
    case .unproven(let what): unproven.append(Problem(family: family, what: what, origin: origin))
    case .broken(let what): problems.append(Problem(family: family, what: what, origin: origin))
    }
  }

  private mutating func walk(_ steps: [KernelProgram.Step]) {
    for step in steps {
      switch step {
      case .kernel(let kernel): check(kernel)
      case .branch(let condition, let then, let otherwise):
        if let verdict = coverage.read(condition, checker) { note(verdict, nil) }
        let before = (coverage, checker)
        checker.isConditional = checker.isConditional || checker.hasOpenSizes
        walk(then)
        let first = coverage
        (coverage, checker.sizes) = (before.0, before.1.sizes)
        walk(otherwise)
        coverage.join(first)
        checker.isConditional = before.1.isConditional
        checker.sizes.leaveBranch(before.1.sizes)
      case .loop(let loop): check(loop)
      case .bindSize(let name, let tensor):
        if let verdict = coverage.read(tensor, checker) { note(verdict, nil) }
        checker.sizes.bind(name)
      case .setSize(let name, let value): checker.sizes.set(name, to: value)
      case .checkSizes(let items): checker.sizes.hold(items)
      }
    }
  }

  /// A round as if it were the only one: what a later one reads is there, since states are whole before the first.
  private mutating func check(_ loop: KernelProgram.Loop) {
    let known = checker.sizes
    checker.sizes.forget()
    let isConditional = checker.isConditional
    checker.isConditional = isConditional || checker.hasOpenSizes
    for carried in loop.carried {
      if let verdict = coverage.read(carried.state, checker) { note(verdict, nil) }
    }
    walk(loop.head)
    if let verdict = coverage.read(loop.condition, checker) { note(verdict, nil) }
    let afterHead = coverage
    walk(loop.body)
    for carried in loop.carried {
      if let verdict = coverage.read(carried.next, checker) { note(verdict, nil) }
    }
    coverage = afterHead
    checker.isConditional = isConditional
    checker.sizes.leaveBranch(known)
    checker.sizes.forget()
  }

  private mutating func check(_ kernel: Kernel) {
    let verdicts = checker.check(kernel)
    for verdict in verdicts { note(verdict, kernel) }
    // Without its structure a kernel does not say what it writes.
    if verdicts.contains(where: { if case .broken = $0 { true } else { false } }) { return }
    for param in kernel.params where param.access == .read {
      if let verdict = coverage.read(param.tensor, checker) { note(verdict, kernel) }
    }
    for write in checker.writes(of: kernel) {
      if let verdict = coverage.write(write, checker) { note(verdict, kernel) }
    }
  }
}

/// What a check came to.
enum Verdict: Hashable, Sendable {
  case holds
  /// It holds where these are required.
  case requires([SizeRequirement])
  case unproven(String)
  case broken(String)
}

import MLCCore
import MLCGraph
import MLCOps
import MLCPasses
import Testing

private let cleanup = PassPipeline([])

@Test func namesAreKebabCase() {
  #expect(FoldConstants.name == "fold-constants")
  #expect(EliminateCommonSubexpressions.name == "eliminate-common-subexpressions")
}

@Test func constantsFold() throws {
  let before = try function(
    "%x: fp32[2]",
    "y",
    """
    %a = const {val = fp32[2](1.0, 2.0)}
    %b = const {val = fp32[2](3.0, 4.0)}
    %c = mul(x = %a, y = %b)
    %d = exp(x = %c)
    %y = add(x = %x, y = %d) loc(node "sum" op "Add")
    """
  )
  let after = try expectRewrite(before, cleanup, "add")
  #expect(after.body.operations.last?.origin.node == "sum")
  #expect(after.body.operations.count == 2)
}

@Test func shapeArithmeticFoldsAndRefinesTypes() throws {
  let before = try function(
    "%x: fp32[2, 3]",
    "y",
    """
    %s = shape(x = %x)
    %f = cast(x = %s) {dtype = fp32}
    %r = sqrt(x = %f)
    %q = mul(x = %r, y = %r)
    %i = round(x = %q)
    %t = cast(x = %i) {dtype = int64}
    %z = reshape(x = %x, shape = %t) : fp32[a, b]
    %y = abs(x = %z) : fp32[a, b]
    """
  )
  let after = try expectRewrite(before, cleanup, "abs")
  #expect(after.type(after.outputs[0]).staticShape == [2, 3])
}

@Test func largeResultsStayComputed() throws {
  let before = try function(
    "%x: fp32[]",
    "y",
    """
    %s = const {val = int64[2](3000, 3000)}
    %o = const {val = fp32[](1.5)}
    %f = fill(shape = %s, value = %o)
    %y = add(x = %f, y = %x)
    """
  )
  var after = before
  try cleanup.run(&after)
  #expect(operators(after) == "fill add")
}

@Test func equalOperationsMerge() throws {
  let before = try function(
    "%x: fp32[2], %p: bool[]",
    "y",
    """
    %a = exp(x = %x)
    %b = exp(x = %x)
    %c = clip(x = %a) {alpha = 0.5}
    %d = clip(x = %b) {alpha = 0.25}
    %e = cond(pred = %p) {
      true_branch() {
        %f = exp(x = %x)
      } yield (%f)
      false_branch() {
        %g = tanh(x = %x)
        %h = tanh(x = %x)
        %i = add(x = %g, y = %h)
      } yield (%i)
    }
    %k = tanh(x = %x)
    %l = add(x = %c, y = %d)
    %m = add(x = %l, y = %e)
    %y = add(x = %m, y = %k)
    """
  )
  try expectRewrite(before, cleanup, "exp clip clip cond{ | tanh add} tanh add add add")
}

@Test func deadCodeGoes() throws {
  let before = try function(
    "%x: fp32[2], %p: bool[]",
    "y",
    """
    %a = exp(x = %x)
    %b = tanh(x = %a)
    %y = cond(pred = %p) {
      true_branch() {
        %f = sin(x = %x)
        %g = tanh(x = %f)
      } yield (%f)
      false_branch() {
      } yield (%x)
    }
    """
  )
  let after = try expectRewrite(before, PassPipeline([]), "cond{sin | }")
  #expect(after.values.count == 4)
}

@Test func noOpsGo() throws {
  let before = try function(
    "%x: fp32[2, h]",
    "y",
    """
    %zero = const {val = fp32[](0.0)}
    %one = const {val = fp32[1](1.0)}
    %zeros = const {val = int32[4](0, 0, 0, 0)}
    %ones = const {val = int32[2](1, 1)}
    %two = const {val = int64[2](2, -1)}
    %a = add(x = %x, y = %zero)
    %b = mul(x = %one, y = %a)
    %c = pow(x = %b, y = %one)
    %d = identity(x = %c)
    %e = cast(x = %d) {dtype = fp32}
    %f = transpose(x = %e) {perm = [0, -1]}
    %g = pad(x = %f, pad = %zeros)
    %h = tile(x = %g, reps = %ones)
    %i = concat(values = (%h)) {axis = 0}
    %j = split(x = %i) {num_splits = 1}
    %k = clip(x = %j)
    %l = reshape(x = %k, shape = %two)
    %m = slice_by_index(x = %l, begin = %two, end = %two) {begin_mask = [true, true], end_mask = [true, true]}
    %y = abs(x = %m)
    """
  )
  try expectRewrite(before, cleanup, "abs", sizes: ["h": 3])
}

@Test func outputsKeepValuesOfTheirOwn() throws {
  let before = try function(
    "%x: fp32[2]",
    "y z w v",
    """
    %y = identity(x = %x)
    %z = exp(x = %x)
    %w = exp(x = %y)
    %v = const {val = fp32[1](1.0)}
    """
  )
  try expectRewrite(before, cleanup, "exp identity identity identity")
}

@Test func knownConditionsAreInlined() throws {
  let before = try function(
    "%x: fp32[2]",
    "y",
    """
    %n = const {val = int32[](2)}
    %s = shape(x = %x)
    %k = squeeze(x = %s) {axes = [0]}
    %p = equal(x = %k, y = %n)
    %c = cond(pred = %p) {
      true_branch() {
        %f = exp(x = %x)
      } yield (%f)
      false_branch() {
      } yield (%x)
    }
    %y = abs(x = %c)
    """
  )
  try expectRewrite(before, PassPipeline([InlineConstantCond()]), "exp abs")
}

@Test func theReportCountsAndTheCallbackSees() throws {
  var graph = try function("%x: fp32[2]", "y", "%a = exp(x = %x)\n%b = identity(x = %x)\n%y = abs(x = %b)")
  let report = try cleanup.run(&graph)
  let removed = report.entries.first { $0.name == "remove-no-ops" }
  #expect(removed?.change == PassChange(removed: 1, added: 0))
  #expect(report.entries.first { $0.name == "eliminate-dead-code" }?.change.removed == 1)
}

/// A pass that breaks an invariant is found by the verifier, which names it.
@Test func brokenPassesAreNamed() throws {
  struct ForgetBody: Pass {
    static let phase = Phase.fuse
    func run(_ function: inout Function, under _: Budget) -> PassChange {
      function.body.operations = []
      return PassChange(removed: 1)
    }
  }
  var graph = try function("%x: fp32[2]", "y", "%y = exp(x = %x)")
  var options = PassOptions()
  options.verifies = true
  let error = #expect(throws: Diagnostic.self) { try PassPipeline([ForgetBody()]).run(&graph, options: options) }
  #expect(error?.id == "verify.undefined")
  #expect(error?.location.pass == "forget-body")
}

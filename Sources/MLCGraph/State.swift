/// Memory that outlives a call of a function: one of the inputs brings its contents, one of the outputs takes them on.
package struct State: Hashable, Sendable {
  package var name: String
  /// Places among the function's inputs and outputs.
  package var input: Int, output: Int

  package init(_ name: String, input: Int, output: Int) { (self.name, self.input, self.output) = (name, input, output) }
}

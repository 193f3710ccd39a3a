/// What one step of a model took over all runs since it was loaded.
package struct StepProfile: Hashable, Sendable {
  package let step: ExecutableStep
  package var runs: Int, nanoseconds: UInt64
}

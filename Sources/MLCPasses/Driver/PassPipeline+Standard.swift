extension PassPipeline {
  /// What every compilation runs.
  package static let standard = PassPipeline([
    InlineConstantCond()
  ])
}

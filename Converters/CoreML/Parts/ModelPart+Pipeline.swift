import CoreMLProto

extension ModelPart {
  /// The models that a pipeline chains, in their order; none where it is none.
  var pipelined: [ModelPart] {
    let pipeline: CoreML_Specification_Pipeline
    switch spec.type {
    case .pipeline(let own)?: pipeline = own
    case .pipelineClassifier(let own)?: pipeline = own.pipeline
    case .pipelineRegressor(let own)?: pipeline = own.pipeline
    default: return []
    }
    return pipeline.models.enumerated().map { place, model in
      let given = place < pipeline.names.count ? pipeline.names[place] : ""
      let name = given.isEmpty ? "\(PartTable.kind(model))_\(place)" : given
      return part(model, self.name.isEmpty || kind == self.name ? name : "\(self.name).\(name)")
    }
  }
}

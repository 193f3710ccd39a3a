import MLCCore

/// How a model is to be trained, by options and by its file.
struct TrainingWish {
  let file: FileTraining?
  let recipe: LearningRecipe

  /// Looks into the Keras file at `path` where `respectsTrainable`. Throws `update.respect-trainable`, `update.loss`.
  init(_ path: String, _ request: RecipeRequest, respectsTrainable: Bool) throws(Diagnostic) {
    file = respectsTrainable ? try FileTraining(keras: path, besides: request) : nil
    recipe = try request.recipe(file)
  }
}

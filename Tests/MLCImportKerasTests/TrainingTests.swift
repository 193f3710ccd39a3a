import MLCCore
import MLCImportKeras
import Testing

/// What files say of how their models are trained, in the forms that versions of Keras write.
@Suite struct TrainingTests {
  private static let dense = Written.sequence("[null, 4]", [("Dense", #""units":1"#)])

  private func training(_ model: String = dense, _ config: String? = nil) throws(Diagnostic) -> KerasTraining {
    try KerasTraining(try Written.file(model, training: config))
  }

  private func loss(_ loss: String, _ model: String = dense) throws(Diagnostic) -> KerasLoss {
    try training(model, #"{"loss":\#(loss)}"#).loss()
  }

  private func optimizer(_ optimizer: String, key: String = "optimizer_config") throws(Diagnostic) -> KerasOptimizer {
    try training(Self.dense, #"{"\#(key)":\#(optimizer)}"#).optimizer()
  }

  private func problem(_ body: () throws(Diagnostic) -> Void) -> Diagnostic? {
    do throws(Diagnostic) { try body() } catch { return error }
    return nil
  }

  /// Each loss as a name, a function, a class, and an object with its settings.
  @Test func losses() throws {
    let kinds: [(KerasLoss.Kind, names: [String])] = [
      (.crossEntropy, ["categorical_crossentropy", "CategoricalCrossentropy"]),
      (.crossEntropy, ["sparse_categorical_crossentropy", "SparseCategoricalCrossentropy"]),
      (.binaryCrossEntropy, ["binary_crossentropy", "BinaryCrossentropy", "bce"]),
      (.meanSquaredError, ["mean_squared_error", "MeanSquaredError", "mse", "MSE"]),
    ]
    for (kind, names) in kinds {
      for name in names {
        let function = #"{"module":"builtins","class_name":"function","config":"\#(name)"}"#
        for form in [#""\#(name)""#, function, #"["\#(name)"]"#, #"{"class_name":"\#(name)","config":{}}"#] {
          let found = try loss(form)
          #expect(found.kind == kind && !found.isOfLogits && found.output == nil && found.name == name, "\(form)")
        }
        for isOfLogits in [true, false] {
          let settings = """
            {"reduction":"sum_over_batch_size","name":"x","from_logits":\(isOfLogits),"label_smoothing":0.0,"axis":-1,\
            "ignore_class":null,"fn":"f"}
            """
          let found = try loss(#"{"module":"keras.losses","class_name":"\#(name)","config":\#(settings)}"#)
          #expect(found.kind == kind && found.isOfLogits == isOfLogits, "\(name)")
        }
      }
    }
    #expect(try loss(#"{"b":"mse","a":null}"#).output == "b")
    #expect(try loss(#"["mse",null]"#).output == nil)
  }

  @Test func optimizers() throws {
    let sgd = #"{"class_name":"SGD","config":{"name":"SGD","learning_rate":0.5,"momentum":0.9,"nesterov":false}}"#
    for key in ["optimizer_config", "optimizer"] {
      let found = try optimizer(sgd, key: key)
      #expect(found.kind == .sgd && found.learningRate == 0.5 && found.momentum == 0.9 && found.weightDecay == nil)
    }
    #expect(try optimizer(#""sgd""#).learningRate == 0.01)
    #expect(try optimizer(#""adam""#).learningRate == 0.001 && optimizer(#""adam""#).epsilon == 1e-7)
    #expect(try optimizer(#""adamw""#).weightDecay == 0.004)
    let settings = #""beta_1":0.8,"beta_2":0.9,"epsilon":0.1,"weight_decay":0.2,"global_clipnorm":2,"amsgrad":false"#
    for (name, kind) in [("Adam", KerasOptimizer.Kind.adam), ("AdamW", .adamw), ("Custom>Adam", .adam)] {
      let found = try optimizer(#"{"class_name":"\#(name)","config":{"clipnorm":null,\#(settings)}}"#)
      #expect(found.kind == kind && found.beta1 == 0.8 && found.beta2 == 0.9 && found.epsilon == 0.1)
      #expect(found.weightDecay == 0.2 && found.clipNorm == 2)
    }
    for rate in ["0.25", #"{"class_name":"__numpy__","config":{"value":0.25,"dtype":"float32"}}"#, #"{"value":0.25}"#] {
      for key in ["learning_rate", "lr"] {
        let found = try optimizer(#"{"class_name":"Adam","config":{"\#(key)":\#(rate)}}"#)
        #expect(found.learningRate == 0.25, "\(rate)")
      }
    }
  }

  /// What training could not do as Keras does is refused, and the message names it.
  @Test func whatHasNoEqual() {
    let schedule = #"{"class_name":"ExponentialDecay","config":{"initial_learning_rate":1}}"#
    let optimizers: [(named: String, optimizer: String)] = [
      ("'RMSprop'", #""RMSprop""#), ("'LossScaleOptimizer'", #"{"class_name":"LossScaleOptimizer","config":{}}"#),
      ("'ExponentialDecay'", #"{"class_name":"SGD","config":{"learning_rate":\#(schedule)}}"#),
      ("'nesterov'", #"{"class_name":"SGD","config":{"nesterov":true}}"#),
      ("'amsgrad'", #"{"class_name":"Adam","config":{"amsgrad":true}}"#),
      ("'clipnorm'", #"{"class_name":"Adam","config":{"clipnorm":1}}"#),
      ("'clipvalue'", #"{"class_name":"Adam","config":{"clipvalue":0.5}}"#),
      ("'use_ema'", #"{"class_name":"Adam","config":{"use_ema":true}}"#),
      ("'decay'", #"{"class_name":"SGD","config":{"decay":0.1}}"#),
      ("'gradient_accumulation_steps'", #"{"class_name":"SGD","config":{"gradient_accumulation_steps":4}}"#),
    ]
    for (named, json) in optimizers {
      let found = problem { () throws(Diagnostic) in _ = try optimizer(json) }
      #expect(found?.id == "keras.training" && found?.message.contains(named) == true, "\(json)")
    }
    let losses: [(named: String, loss: String)] = [
      ("'hinge'", #""hinge""#), ("'KLDivergence'", #"{"class_name":"KLDivergence","config":{}}"#),
      ("several", #"["mse","mse"]"#), ("several", #"[null,"mse"]"#), ("several", #"{"a":"mse","b":"mse"}"#),
      ("'label_smoothing'", #"{"class_name":"CategoricalCrossentropy","config":{"label_smoothing":0.1}}"#),
      ("'reduction'", #"{"class_name":"MeanSquaredError","config":{"reduction":"sum"}}"#),
      ("'ignore_class'", #"{"class_name":"SparseCategoricalCrossentropy","config":{"ignore_class":0}}"#),
    ]
    for (named, json) in losses {
      let found = problem { () throws(Diagnostic) in _ = try loss(json) }
      #expect(found?.id == "keras.training" && found?.message.contains(named) == true, "\(json)")
    }
    let weighted = problem { () throws(Diagnostic) in
      _ = try training(Self.dense, #"{"loss":"mse","loss_weights":[2]}"#).loss()
    }
    #expect(weighted?.id == "keras.training")
  }

  /// What layers add to a loss or to a step is refused where they learn.
  @Test func layersThatTakePart() {
    let compiled = #"{"loss":"mse","optimizer_config":"sgd"}"#
    let l2 = #"{"class_name":"L2","config":{"l2":0.01}}"#
    for isTrainable in [true, false] {
      let rest = #""units":1,"trainable":\#(isTrainable)"#
      let regular = Written.sequence("[null, 4]", [("Dense", #""kernel_regularizer":\#(l2),\#(rest)"#)])
      let bound = Written.sequence("[null, 4]", [("Dense", #""bias_constraint":"non_neg",\#(rest)"#)])
      let loss = problem { () throws(Diagnostic) in _ = try training(regular, compiled).loss() }
      let optimizer = problem { () throws(Diagnostic) in _ = try training(bound, compiled).optimizer() }
      #expect(loss?.message.contains("'kernel_regularizer' of the layer 'l0'") == (isTrainable ? true : nil))
      #expect(optimizer?.message.contains("'bias_constraint' of the layer 'l0'") == (isTrainable ? true : nil))
    }
    let added = Written.sequence("[null, 4]", [("ActivityRegularization", #""l1":1"#)])
    #expect(problem { () throws(Diagnostic) in _ = try training(added, compiled).loss() }?.id == "keras.training")
  }

  @Test func whatIsNotCompiledOrDamaged() {
    #expect(problem { () throws(Diagnostic) in _ = try training().loss() }?.id == "keras.not-compiled")
    #expect(problem { () throws(Diagnostic) in _ = try training().optimizer() }?.id == "keras.not-compiled")
    for damaged in ["3", #"{"class_name":3}"#, "[]", #"{"class_name":"SGD","config":3}"#] {
      let found = problem { () throws(Diagnostic) in _ = try optimizer(damaged) }
      #expect(found?.id == "keras.config", "\(damaged)")
    }
    #expect(problem { () throws(Diagnostic) in _ = try loss("3") }?.id == "keras.config")
    #expect(problem { () throws(Diagnostic) in _ = try loss("[]") }?.id == "keras.training")
    let text = problem { () throws(Diagnostic) in
      _ = try optimizer(#"{"class_name":"SGD","config":{"learning_rate":"fast"}}"#)
    }
    #expect(text?.id == "keras.config")
    #expect(problem { () throws(Diagnostic) in _ = try training(Self.dense, "{") }?.id == "keras.json")
  }

  /// What is no weight of Keras', and what stands within a layer that does not learn, stays.
  @Test func weightsThatLearn() throws {
    func layer(_ name: String, _ className: String, _ settings: String) -> String {
      #"{"class_name":"\#(className)","config":{"name":"\#(name)",\#(settings)}}"#
    }
    for outer in [true, false] {
      for own in [true, false] {
        let inner = layer("inner", "Dense", #""units":1,"trainable":\#(own)"#)
        let model = layer("m", "Sequential", #""trainable":\#(outer),"layers":[\#(inner)]"#)
        let wrapped = layer("t", "TimeDistributed", #""trainable":\#(outer),"layer":\#(inner)"#)
        let norm = layer("n", "BatchNormalization", #""scale":false,"trainable":\#(own)"#)
        let all = [model, wrapped, norm, layer("c", "Normalization", #""axis":-1"#)].joined(separator: ",")
        let found = try training(#"{"class_name":"Sequential","config":{"name":"s","layers":[\#(all)]}}"#).weights
        let inside: Set = ["m/inner.kernel", "m/inner.bias", "t/inner.kernel", "t/inner.bias"]
        #expect(found == (outer && own ? inside : []).union(own ? ["n.beta"] : []), "\(outer) \(own)")
      }
    }
  }
}

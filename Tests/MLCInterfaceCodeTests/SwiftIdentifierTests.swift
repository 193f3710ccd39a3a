import MLCInterfaceCode
import Testing

@Suite struct SwiftIdentifierTests {
  @Test func charactersThatNoIdentifierHasBecomeUnderscores() {
    #expect(SwiftIdentifier.spelling("images/x:0") == "images_x_0")
    #expect(SwiftIdentifier.spelling("2d") == "_2d")
    #expect(SwiftIdentifier.spelling("température") == "température")
    #expect(SwiftIdentifier.spelling("画像") == "画像")
    #expect(SwiftIdentifier.spelling("a\u{0}b\nc") == "a_b_c")
    #expect(SwiftIdentifier.spelling("") == "_0" && SwiftIdentifier.spelling("///") == "____0")
  }

  @Test func wordsOfTheLanguageAreQuoted() {
    #expect(SwiftIdentifier.quoted("in") == "`in`" && SwiftIdentifier.quoted("input") == "input")
    #expect(!SwiftIdentifier.isValid("class") && !SwiftIdentifier.isValid("self") && !SwiftIdentifier.isValid("a-b"))
    #expect(SwiftIdentifier.isValid("Détecteur") && !SwiftIdentifier.isValid("") && !SwiftIdentifier.isValid("_"))
  }

  @Test func namesThatCollideGetNumbers() {
    #expect(SwiftIdentifier.distinct(["a.b", "a/b", "a_b"]) == ["a_b", "a_b_2", "a_b_3"])
    #expect(SwiftIdentifier.distinct(["self", "init"]) == ["self_2", "init_2"])
    #expect(SwiftIdentifier.distinct(["model"], taken: ["model"]) == ["model_2"])
    #expect(SwiftIdentifier.distinct(["x", "xShapedArray"], suffixes: ["ShapedArray"]) == ["x", "xShapedArray_2"])
    #expect(SwiftIdentifier.distinct(["xShapedArray", "x"], suffixes: ["ShapedArray"]) == ["xShapedArray", "x_2"])
  }

  @Test func classesAreNamedAfterFiles() {
    #expect(ModelClass.name(ofFile: "/a.b/PP-OCR det.onnx") == "PP_OCR_det")
    #expect(ModelClass.name(ofFile: "class.mlpackage") == "class_")
    #expect(ModelClass.name(ofFile: "7.onnx") == "_7")
  }
}

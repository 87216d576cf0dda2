import Foundation
import Testing

/// The check that the tests of the description rely on can fail.
struct SchemaCheckTests {
  private let check = SchemaCheck(document: ["a": ["b": ["type": "string"]]])

  private func errors(_ json: String, _ schema: String) throws -> [String] {
    func value(_ text: String) throws -> Any {
      try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
    }
    return check.errors(in: try value(json), against: try value(schema))
  }

  @Test(arguments: [
    ("1", #"{"type":"integer","minimum":1}"#), ("1.5", #"{"type":"number"}"#),
    ("null", #"{"type":["string","null"]}"#), (#""x""#, ##"{"$ref":"#/a/b"}"##),
    (#"{"a":1}"#, #"{"type":"object","required":["a"],"properties":{"a":{"type":"integer"}}}"#),
    (#"{"a":1}"#, #"{"additionalProperties":{"type":"integer"}}"#), ("[1]", #"{"type":"array"}"#),
    (#""a""#, #"{"type":"string","enum":["a","b"]}"#),
  ])
  func `A valid value is accepted`(json: String, schema: String) throws {
    #expect(try errors(json, schema) == [])
  }

  @Test(arguments: [
    ("0", #"{"type":"integer","minimum":1}"#), ("2", #"{"type":"integer","maximum":1}"#),
    ("1.5", #"{"type":"integer"}"#), ("null", #"{"type":"string"}"#),
    ("1", ##"{"$ref":"#/a/b"}"##), (#""x""#, ##"{"$ref":"#/a/c"}"##),
    (#"{"a":"1"}"#, #"{"properties":{"a":{"type":"integer"}}}"#),
    ("{}", #"{"required":["a"]}"#), (#"{"a":1}"#, #"{"additionalProperties":false}"#),
    (#"{"a":1}"#, #"{"additionalProperties":{"type":"string"}}"#),
    (#"[1,"x"]"#, #"{"items":{"type":"integer"}}"#), (#""c""#, #"{"type":"string","enum":["a"]}"#),
    (#""x""#, #"{"format":"uuid"}"#), ("1", #"{"oneOf":[]}"#),
  ])
  func `An invalid value or an unknown keyword is reported`(json: String, schema: String) throws {
    let found = try errors(json, schema)
    #expect(!found.isEmpty)
  }
}

import Foundation

/// The schemas of JSON in requests and responses, as JSON Schema
/// (<https://json-schema.org/draft/2020-12>).
enum JSONSchema {
  static let text: JSONNode = ["type": "string"]
  static let id: JSONNode = ["type": "string", "format": "uuid"]
  static let milliseconds: JSONNode = [
    "type": "integer", "description": "Milliseconds since 1970-01-01 00:00 UTC.",
  ]
  static let count: JSONNode = ["type": "integer", "minimum": 0]
  static let role: JSONNode = ["type": "string", "enum": ["owner", "editor", "viewer"]]

  static func object(
    _ properties: [String: JSONNode], optional: Set<String> = []
  ) -> JSONNode {
    let required = properties.keys.filter { !optional.contains($0) }.sorted()
    return [
      "type": "object", "properties": .object(properties), "additionalProperties": false,
      "required": .array(required.map(JSONNode.string)),
    ]
  }

  static func list(_ items: JSONNode) -> JSONNode { ["type": "array", "items": items] }

  static func map(_ values: JSONNode, _ about: String) -> JSONNode {
    ["type": "object", "additionalProperties": values, "description": .string(about)]
  }

  /// Returns a reference to a schema in ``components``.
  static func named(_ name: String) -> JSONNode {
    ["$ref": .string("#/components/schemas/\(name)")]
  }

  static let problem = named("Problem")

  /// The named schemas of the document.
  static let components: [String: JSONNode] = [
    "Problem": object(
      [
        "code": ["type": "string", "description": "The kind of reason, for programs."],
        "message": ["type": "string", "description": "What is wrong and what to do."],
        "field": ["type": "string", "description": "The column or the parameter concerned."],
      ], optional: ["field"]),
    "Account": object(["account": id, "name": text]),
    "Token": object(["account": id, "name": text, "token": text, "expires": milliseconds]),
    "Member": object(["account": id, "name": text, "role": role, "devices": list(id)]),
    "Value": [
      "description": .string(
        """
        A value of a column: null; an integer of 64 bits, without point and exponent; a real, with one of \
        them; a text; {"base64": "…"} for a BLOB; {"real": "Infinity"} and {"real": "-Infinity"}; \
        {"textBase64": "…"} for a text that is not UTF-8; an array for a set, an object for a keyed map.
        """),
      "type": ["null", "number", "string", "array", "object"],
    ],
    "Row": object([
      "etag": ["type": "string", "description": "The validator, as the header has it."],
      "id": text, "scope": text, "values": map(named("Value"), "The columns by name."),
    ]),
  ]
}

/// A JSON value, for documents written in code.
indirect enum JSONNode: Sendable, Hashable {
  case string(String)
  case number(Int)
  case flag(Bool)
  case array([JSONNode])
  case object([String: JSONNode])

  /// Returns the object with additional or replaced members.
  func with(_ members: [String: JSONNode]) -> JSONNode {
    guard case .object(let own) = self else { return self }
    return .object(own.merging(members) { $1 })
  }
}

extension JSONNode: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  init(stringLiteral text: String) { self = .string(text) }
  init(integerLiteral number: Int) { self = .number(number) }
  init(booleanLiteral flag: Bool) { self = .flag(flag) }
  init(arrayLiteral elements: JSONNode...) { self = .array(elements) }
  init(dictionaryLiteral members: (String, JSONNode)...) {
    self = .object(Dictionary(members) { $1 })
  }
}

extension JSONNode: Encodable {
  func encode(to encoder: any Encoder) throws {
    var single = encoder.singleValueContainer()
    switch self {
    case .string(let text): try single.encode(text)
    case .number(let number): try single.encode(number)
    case .flag(let flag): try single.encode(flag)
    case .array(let elements): try single.encode(elements)
    case .object(let members): try single.encode(members)
    }
  }
}

import Foundation

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

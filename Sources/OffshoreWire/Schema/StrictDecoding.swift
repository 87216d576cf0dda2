import Foundation

extension Decoder {
  /// Returns an object that has no other keys than those of a type.
  /// - Throws: `DecodingError` if the value is not an object or has an unknown key.
  func object<Key: CodingKey & CaseIterable>(
    of _: Key.Type
  ) throws -> KeyedDecodingContainer<Key> {
    let known = Set(Key.allCases.map(\.stringValue))
    let found = try container(keyedBy: AnyKey.self).allKeys.map(\.stringValue)
    if let unknown = found.sorted().first(where: { !known.contains($0) }) {
      throw failure("an unknown key", at: unknown)
    }
    return try container(keyedBy: Key.self)
  }

  /// Returns the error of the value at this place, or of one of its keys.
  func failure(_ description: String, at key: String? = nil) -> DecodingError {
    let path = codingPath + (key.flatMap(AnyKey.init).map { [$0] } ?? [])
    return .dataCorrupted(.init(codingPath: path, debugDescription: description))
  }
}

/// A coding key with any name.
private struct AnyKey: CodingKey {
  let stringValue: String
  let intValue: Int? = nil

  init?(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { return nil }
}

extension WireError {
  /// Creates the error of a manifest that Foundation cannot decode or encode.
  init(manifest error: any Error) {
    let (path, reason) = Self.explain(error)
    self.init(
      .invalidManifest, "The manifest has \(reason). Export it again from the declared tables.",
      place: path.isEmpty ? nil : path.map(Self.name).joined(separator: "."))
  }

  private static func name(of key: any CodingKey) -> String {
    key.intValue.map(String.init) ?? key.stringValue
  }

  private static func explain(_ error: any Error) -> (path: [any CodingKey], reason: String) {
    switch error {
    case DecodingError.keyNotFound(let key, let context):
      (context.codingPath + [key], "a key that is missing")
    case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
      (context.codingPath, "a value of another type than is expected")
    case DecodingError.dataCorrupted(let context) where context.codingPath.isEmpty:
      ([], "a text that is not JSON")
    case DecodingError.dataCorrupted(let context): (context.codingPath, context.debugDescription)
    default: ([], "a text that is not JSON")
    }
  }
}

import Foundation

/// A check of JSON against the subset of JSON Schema that the server's description uses.
///
/// An unknown keyword is an error, so that no constraint stays unchecked.
struct SchemaCheck {
  /// The document that `$ref` refers to.
  let document: [String: Any]

  private static let annotations: Set<String> = ["description", "default", "format"]
  private static let checked: Set<String> = [
    "$ref", "type", "enum", "properties", "required", "additionalProperties", "items", "minimum",
    "maximum",
  ]

  /// - Returns: The errors, each with its place.
  func errors(in value: Any, against schema: Any, at place: String = "") -> [String] {
    guard let schema = schema as? [String: Any] else { return ["\(place): no schema"] }
    let unknown = Set(schema.keys).subtracting(Self.annotations).subtracting(Self.checked)
    guard unknown.isEmpty else { return ["\(place): unknown keywords \(unknown.sorted())"] }
    if let reference = schema["$ref"] as? String {
      guard let target = resolved(reference) else { return ["\(place): no \(reference)"] }
      return errors(in: value, against: target, at: place)
    }
    return typeErrors(value, schema, place) + formatErrors(value, schema, place)
      + objectErrors(value, schema, place) + arrayErrors(value, schema, place)
  }

  private func resolved(_ reference: String) -> Any? {
    reference.split(separator: "/").dropFirst().reduce(document as Any?) { node, name in
      (node as? [String: Any])?[String(name)]
    }
  }

  private func typeErrors(_ value: Any, _ schema: [String: Any], _ place: String) -> [String] {
    guard let type = schema["type"] else { return [] }
    let types = type as? [String] ?? [type as? String ?? ""]
    let isOne = types.contains { Self.is(value, $0) }
    guard isOne else { return ["\(place): \(value) is none of \(types)"] }
    if let allowed = schema["enum"] as? [String], !allowed.contains(value as? String ?? "") {
      return ["\(place): \(value) is none of \(allowed)"]
    }
    return []
  }

  private func formatErrors(_ value: Any, _ schema: [String: Any], _ place: String) -> [String] {
    if schema["format"] as? String == "uuid", UUID(uuidString: value as? String ?? "") == nil {
      return ["\(place): no UUID"]
    }
    guard let number = value as? Double else { return [] }
    if let minimum = schema["minimum"] as? Double, number < minimum { return ["\(place): too low"] }
    if let maximum = schema["maximum"] as? Double, number > maximum {
      return ["\(place): too high"]
    }
    return []
  }

  private func objectErrors(_ value: Any, _ schema: [String: Any], _ place: String) -> [String] {
    guard let object = value as? [String: Any] else { return [] }
    let properties = schema["properties"] as? [String: Any] ?? [:]
    let missing = (schema["required"] as? [String] ?? []).filter { object[$0] == nil }
    return missing.map { "\(place): lacks \($0)" }
      + object.sorted { $0.key < $1.key }.flatMap { key, member -> [String] in
        if let schema = properties[key] {
          return errors(in: member, against: schema, at: "\(place)/\(key)")
        }
        switch schema["additionalProperties"] {
        case nil: return []
        case let allowed as Bool: return allowed ? [] : ["\(place): has \(key)"]
        case let other?: return errors(in: member, against: other, at: "\(place)/\(key)")
        }
      }
  }

  private func arrayErrors(_ value: Any, _ schema: [String: Any], _ place: String) -> [String] {
    guard let array = value as? [Any], let items = schema["items"] else { return [] }
    return array.enumerated().flatMap { index, element in
      errors(in: element, against: items, at: "\(place)/\(index)")
    }
  }

  private static func `is`(_ value: Any, _ type: String) -> Bool {
    switch type {
    case "null": value is NSNull
    case "string": value is String
    case "boolean": value is Bool
    case "number": value is Double
    case "integer": (value as? Double).map { $0 == $0.rounded() } ?? false
    case "array": value is [Any]
    case "object": value is [String: Any]
    default: false
    }
  }
}

/// A `Codable` type whose values a column stores as JSON text.
///
/// ```swift
/// struct Charter: Record {
///   let id: UUID
///   var crew: [CrewMember]  // CrewMember is Codable, Equatable and Sendable.
///   var budget: Budget?     // So is Budget.
///
///   static let table = Table(
///     "charters", Charter.init,
///     Column("id", \.id).primaryKey(),
///     Column("crew", \.crew, as: .json),
///     Column("budget", \.budget, as: .json))
/// }
/// ```
///
/// Arrays and dictionaries of such values conform, and an optional needs no conformance. Any other type
/// states two values:
///
/// ```swift
/// extension Preferences: JSONColumnValue {
///   static let samples = (Preferences(), Preferences(isCompact: true))
/// }
/// ```
public protocol JSONColumnValue: Codable, Equatable {
  /// Two different values, which the check of a table's declaration tells columns apart by. The first
  /// also stands in a row that cannot be read, and is discarded with it.
  static var samples: (Self, Self) { get }
}

extension Array: JSONColumnValue where Element: Codable & Equatable {
  /// No element, and one if the element has a sample.
  public static var samples: ([Element], [Element]) {
    ([], JSONSample.of(Element.self).map { [$0] } ?? [])
  }
}

// NB: Keys of other types are written in no fixed order, as are sets: equal values would have
// different texts.
extension Dictionary: JSONColumnValue where Key == String, Value: Codable & Equatable {
  /// No element, and one if the value has a sample.
  public static var samples: ([String: Value], [String: Value]) {
    ([:], JSONSample.of(Value.self).map { ["": $0] } ?? [:])
  }
}

/// Finds a value of a type, to tell columns apart by.
enum JSONSample {
  /// A value, or `nil` for a type that has no samples. Two columns of such a type are not told apart.
  static func of<Value>(_ type: Value.Type) -> Value? {
    if let type = type as? any JSONColumnValue.Type { return first(type) as? Value }
    if let type = type as? any ColumnValue.Type { return native(type) as? Value }
    return nil
  }

  private static func first<Value: JSONColumnValue>(_: Value.Type) -> Value { Value.samples.0 }

  private static func native<Value: ColumnValue>(_: Value.Type) -> Value { Value.Codec.samples.0 }
}

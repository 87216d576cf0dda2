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
/// The keys of the JSON are sorted, so equal values have equal texts, and dates are in ISO 8601 with
/// milliseconds. A stored text that is not the JSON of a value is a ``DatabaseError`` with code
/// `invalidValue`, which names row and column.
///
/// Arrays, and dictionaries with keys of type `String`, conform; their elements and the type of an
/// optional property need no conformance. Any other type declares two values:
///
/// ```swift
/// extension Preferences: JSONColumnValue {
///   static let samples = (Preferences(), Preferences(isCompact: true))
/// }
/// ```
public protocol JSONColumnValue: Codable, Equatable {
  /// Two different values, by which the check of a table's declaration distinguishes columns.
  ///
  /// The first one is also the placeholder in a row that cannot be read, and is discarded with the
  /// row.
  static var samples: (Self, Self) { get }
}

@_documentation(visibility: internal)
extension Array: JSONColumnValue where Element: Codable & Equatable {
  /// An empty array, and an array with a sample of the element if it has one.
  public static var samples: ([Element], [Element]) {
    ([], JSONSample.of(Element.self).map { [$0] } ?? [])
  }
}

// NB: Sets, and dictionaries with keys of other types, are encoded in no fixed order: equal values
// would have different texts.
@_documentation(visibility: internal)
extension Dictionary: JSONColumnValue where Key == String, Value: Codable & Equatable {
  /// An empty dictionary, and a dictionary with a sample of the value if it has one.
  public static var samples: ([String: Value], [String: Value]) {
    ([:], JSONSample.of(Value.self).map { ["": $0] } ?? [:])
  }
}

/// Samples of types, by which columns are distinguished.
enum JSONSample {
  /// Returns a value of a type, or `nil` if the type has no samples. Two columns of a type without
  /// samples are not distinguished.
  static func of<Value>(_ type: Value.Type) -> Value? {
    if let type = type as? any JSONColumnValue.Type { return first(type) as? Value }
    if let type = type as? any ColumnValue.Type { return native(type) as? Value }
    return nil
  }

  private static func first<Value: JSONColumnValue>(_: Value.Type) -> Value { Value.samples.0 }

  private static func native<Value: ColumnValue>(_: Value.Type) -> Value { Value.Codec.samples.0 }
}

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
/// The keys of the JSON are sorted, so equal values have equal texts, and dates are in ISO 8601
/// with milliseconds. A stored text that is not the JSON of a value is a ``DatabaseError`` with
/// code `invalidValue`, which names row and column.
///
/// Arrays, dictionaries with keys of type `String`, and optionals can be stored without further
/// code, if the type of their elements, values or content is `Codable` and `Equatable`. The type of
/// any other property must conform to this protocol, by two samples:
///
/// ```swift
/// extension Preferences: JSONColumnValue {
///   static let samples = (Preferences(), Preferences(isCompact: true))
/// }
/// ```
public protocol JSONColumnValue: Codable, Equatable {
  /// Two different values, with which the library checks the order of a table's columns.
  ///
  /// When a table is first used, the library makes rows of samples, and reads their properties. So
  /// it detects columns that are not in the order of the initializer's parameters. The first sample
  /// is also the placeholder for a stored text that cannot be read; the row with it is discarded.
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

/// Samples of types, with which the order of a table's columns is checked.
enum JSONSample {
  /// Returns a value of a type, or `nil` if the type has no samples. If two columns of a type
  /// without samples are swapped, the check does not detect it.
  static func of<Value>(_ type: Value.Type) -> Value? {
    if let type = type as? any JSONColumnValue.Type { return first(type) as? Value }
    if let type = type as? any ColumnValue.Type { return native(type) as? Value }
    return nil
  }

  private static func first<Value: JSONColumnValue>(_: Value.Type) -> Value { Value.samples.0 }

  private static func native<Value: ColumnValue>(_: Value.Type) -> Value { Value.Codec.samples.0 }
}

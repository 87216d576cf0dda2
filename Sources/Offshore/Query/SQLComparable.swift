public import Foundation

/// A type whose stored values sort in SQL as its values do in Swift.
///
/// Columns of such a type can be sorted, compared by `<`, and passed to `min` and `max`. Numbers,
/// `String`, `Bool`, `Date`, `UUID` and `Data` conform, and so do optionals of such types: NULL
/// sorts before all values. `Decimal` does not conform, because it is stored as text. An enum that
/// sorts by its raw value can conform: `extension Rank: SQLComparable {}`.
public protocol SQLComparable {
  /// The type without optionality.
  @_documentation(visibility: internal)
  associatedtype Unwrapped = Self
}

/// A number that SQL can add, subtract, multiply, and sum.
///
/// `Float` does not conform: SQLite calculates with 64 bits, and few of its results are exact as
/// `Float`.
@_documentation(visibility: internal)
public protocol SQLNumeric: SQLComparable, AdditiveArithmetic {}

/// A text or an optional text.
@_documentation(visibility: internal)
public protocol SQLText {}

extension Int: SQLNumeric {}
extension Int8: SQLNumeric {}
extension Int16: SQLNumeric {}
extension Int32: SQLNumeric {}
extension Int64: SQLNumeric {}
extension UInt: SQLNumeric {}
extension UInt8: SQLNumeric {}
extension UInt16: SQLNumeric {}
extension UInt32: SQLNumeric {}
extension UInt64: SQLNumeric {}
extension Double: SQLNumeric {}

extension Bool: SQLComparable {}
extension Data: SQLComparable {}
extension Date: SQLComparable {}
extension Float: SQLComparable {}
extension String: SQLComparable, SQLText {}
extension UUID: SQLComparable {}

/// NULL sorts before all values.
@_documentation(visibility: internal)
extension Optional: SQLComparable where Wrapped: SQLComparable {
  public typealias Unwrapped = Wrapped
}
extension Optional: SQLText where Wrapped == String {}

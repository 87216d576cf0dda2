public import Foundation

/// A type whose stored values sort in SQL as its values do.
///
/// Columns of such a type can be ordered and compared by `<`. `Decimal` is none, because it is
/// stored as text. An enum that sorts by its raw value says so: `extension Rank: SQLComparable {}`.
public protocol SQLComparable {}

/// A number that SQL can add, subtract, multiply, and sum.
///
/// `Float` is none: SQLite calculates with 64 bits, and few of its results are a `Float` exactly.
public protocol SQLNumeric: SQLComparable, AdditiveArithmetic {}

/// A text or an optional text.
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

/// NULL sorts before all else.
extension Optional: SQLComparable where Wrapped: SQLComparable {}
extension Optional: SQLText where Wrapped == String {}

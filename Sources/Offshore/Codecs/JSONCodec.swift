import CSQLite
import Foundation
import OffshoreJSON

/// The kind of a column that stores `Codable` values as JSON text.
@_documentation(visibility: internal)
public struct JSONKind: Sendable {
  /// JSON text. Its keys are sorted, so equal values have equal texts. Dates are in ISO 8601 with
  /// milliseconds.
  public static let json = JSONKind()
}

@_documentation(visibility: internal)
extension Column {
  /// Declares a column that stores values as JSON text.
  ///
  /// A stored text that is not the JSON of a value is an error that names row and column.
  public init<Value: JSONColumnValue & Sendable>(
    _ name: String, _ keyPath: any KeyPath<Row, Value> & Sendable, as kind: JSONKind
  ) where Codec == JSONCodec<Value> {
    self.init(name, keyPath, Codec.self)
  }

  /// Declares a column that stores optional values as JSON text, and `nil` as NULL.
  public init<Content: Codable & Equatable & Sendable>(
    _ name: String, _ keyPath: any KeyPath<Row, Content?> & Sendable, as kind: JSONKind
  ) where Codec == OptionalJSONCodec<Content> {
    self.init(name, keyPath, Codec.self)
  }
}

/// A codec that stores a `Codable` value as JSON text.
@_documentation(visibility: internal)
public enum JSONCodec<Value: JSONColumnValue & Sendable>: ColumnCodec {
  public static var sqlType: String { "TEXT" }
  public static var samples: (Value, Value) { Value.samples }

  public static func read(_ row: inout RowReader, _ index: Int32) -> Value {
    JSONEncoding.read(&row, index) ?? samples.0
  }

  public static func bind(_ value: Value, _ row: inout RowWriter, _ index: Int32) {
    JSONEncoding.bind(value, &row, index)
  }
}

/// A codec that stores an optional `Codable` value as JSON text, and `nil` as NULL.
@_documentation(visibility: internal)
public enum OptionalJSONCodec<Content: Codable & Equatable & Sendable>: ColumnCodec {
  public static var sqlType: String { "TEXT" }
  public static var isNullable: Bool { true }
  public static var samples: (Content?, Content?) { (nil, JSONSample.of(Content.self)) }

  public static func read(_ row: inout RowReader, _ index: Int32) -> Content? {
    row.storageClass(index) == SQLITE_NULL ? nil : JSONEncoding.read(&row, index)
  }

  public static func bind(_ value: Content?, _ row: inout RowWriter, _ index: Int32) {
    guard let value else { return row.bindNull(index) }
    JSONEncoding.bind(value, &row, index)
  }
}

/// Functions that read and write JSON texts.
private enum JSONEncoding {
  /// Decodes the value of a text, or returns `nil` after it has marked the row as failed.
  static func read<Content: Codable>(_ row: inout RowReader, _ index: Int32) -> Content? {
    guard let text = row.text(index) else {
      row.fail(index, expected: "JSON text")
      return nil
    }
    if let content: Content = scanned(text) { return content }
    do {
      let decoder = JSONDecoder()
      decoder.dateDecodingStrategy = .custom(JSONDates.decode)
      return try decoder.decode(Content.self, from: Data(text))
    } catch {
      let (place, problem) = explain(error)
      row.fail(index, expected: "JSON of \(Content.self): \(problem)", detail: place)
      return nil
    }
  }

  private static func scanned<Content>(_ text: UnsafeBufferPointer<UInt8>) -> Content? {
    guard let type = Content.self as? any ScannedJSON.Type else { return nil }
    return try? type.init(json: text) as? Content
  }

  static func bind<Content: Codable>(_ content: Content, _ row: inout RowWriter, _ index: Int32) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .custom(JSONDates.encode)
    do {
      let data = try encoder.encode(content)
      data.withUnsafeBytes { row.bind(utf8: $0.assumingMemoryBound(to: UInt8.self), index) }
    } catch {
      let (place, problem) = explain(error)
      row.fail(index, expected: "a value that JSON can express: \(problem)", detail: place)
    }
  }

  /// Describes a coding error without any value: the place, which may include a stored dictionary
  /// key, and the problem.
  private static func explain(_ error: any Error) -> (place: String?, problem: String) {
    let (path, reason): ([any CodingKey], String) =
      switch error {
      case DecodingError.keyNotFound(let key, let context):
        (context.codingPath + [key], "is missing")
      case DecodingError.typeMismatch(let type, let context),
        DecodingError.valueNotFound(let type, let context):
        (context.codingPath, "is no \(type)")
      case DecodingError.dataCorrupted(let context): (context.codingPath, "is not readable")
      case EncodingError.invalidValue(_, let context): (context.codingPath, "cannot be written")
      default: ([], "is not readable")
      }
    let name = path.map(\.stringValue).joined(separator: ".")
    return name.isEmpty ? (nil, "the text \(reason)") : ("“\(name)”", "a part \(reason)")
  }
}

/// Dates in JSON: ISO 8601 in UTC, written with milliseconds, read with or without a fraction.
enum JSONDates {
  private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

  /// Parses a date; returns `nil` if the text is not one.
  static func date(_ text: String) -> Date? {
    (try? Date(text, strategy: style)) ?? (try? Date(text, strategy: .iso8601))
  }

  @Sendable static func encode(_ date: Date, to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    // Foundation's style truncates the fraction, so a date would lose a millisecond each time.
    guard let text = UTCText.text(of: date) else {
      throw EncodingError.invalidValue(
        date, .init(codingPath: encoder.codingPath, debugDescription: "a year after 9999"))
    }
    try container.encode(text.replacing(" ", with: "T") + "Z")
  }

  @Sendable static func decode(from decoder: any Decoder) throws -> Date {
    let container = try decoder.singleValueContainer()
    guard let date = date(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "expected a date in ISO 8601")
    }
    return date
  }
}

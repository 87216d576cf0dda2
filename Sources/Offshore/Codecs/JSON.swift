import CSQLite
import Foundation

/// A `Codable` value that a column stores as JSON text.
///
/// ```swift
/// struct Template: Record {
///   let id: UUID
///   var sections: JSON<[Section]>
///   …
/// }
/// template.sections.value.append(section)
/// ```
///
/// Keys are sorted, so equal values have equal texts; dates are ISO 8601 with milliseconds.
public struct JSON<Value: Codable & Equatable & Sendable>: Equatable, Sendable {
  @usableFromInline
  enum Storage: Equatable, Sendable {
    case value(Value)
    /// Stands in a row whose column could not be read, which is discarded, and in the samples.
    case sample(Int)
  }

  @usableFromInline var storage: Storage

  /// Wraps a value.
  public init(_ value: Value) { storage = .value(value) }

  init(sample: Int) { storage = .sample(sample) }

  /// The value itself.
  ///
  /// - Precondition: it is not read by the initializer of a row. That is called before the row is
  ///   known to be readable, and a JSON text that is not has no value.
  public var value: Value {
    get {
      guard case .value(let value) = storage else {
        preconditionFailure(
          "A row's initializer read JSON that may be unreadable. Read it from the finished row.")
      }
      return value
    }
    set { storage = .value(newValue) }
  }
}

/// Stores a `Codable` value as JSON text.
public enum JSONCodec<Content: Codable & Equatable & Sendable>: ColumnCodec {
  public static var sqlType: String { "TEXT" }
  public static var samples: (JSON<Content>, JSON<Content>) {
    (JSON(sample: 0), JSON(sample: 1))
  }

  public static func read(_ row: inout RowReader, _ index: Int32) -> JSON<Content> {
    guard row.storageClass(index) == SQLITE_TEXT else {
      row.fail(index, expected: "JSON text")
      return samples.0
    }
    do {
      let decoder = JSONDecoder()
      decoder.dateDecodingStrategy = .custom(JSONDates.decode)
      return JSON(try decoder.decode(Content.self, from: Data(row.bytes(index))))
    } catch {
      let (place, problem) = JSONFailure.explain(error)
      row.fail(index, expected: "JSON of \(Content.self): \(problem)", detail: place)
      return samples.0
    }
  }

  public static func bind(_ value: JSON<Content>, _ row: inout RowWriter, _ index: Int32) {
    switch value.storage {
    case .sample(let number):
      row.bind(Int64(number), index)
    case .value(let content):
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      encoder.dateEncodingStrategy = .custom(JSONDates.encode)
      do {
        let data = try encoder.encode(content)
        data.withUnsafeBytes { row.bind(utf8: $0.assumingMemoryBound(to: UInt8.self), index) }
      } catch {
        let (place, problem) = JSONFailure.explain(error)
        row.fail(index, reason: "a value that JSON can express: \(problem)", detail: place)
      }
    }
  }
}

extension JSON: ColumnValue { public typealias Codec = JSONCodec<Value> }

/// Explanations of errors in coding JSON.
private enum JSONFailure {
  /// Returns the place of the failure, which may be a stored key of a dictionary, and its reason, without
  /// any value.
  static func explain(_ error: any Error) -> (place: String?, problem: String) {
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

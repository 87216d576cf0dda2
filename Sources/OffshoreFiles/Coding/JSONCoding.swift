import Foundation
import Synchronization

/// The encoding and decoding of values as stable JSON: sorted, indented, with dates in ISO 8601.
struct JSONCoding: Sendable {
  /// The JSON of a value.
  struct Encoded {
    var bytes: Data
    /// Whether decoding leads to the same dates. If not, they had fractions of seconds.
    var isExact: Bool
  }

  let precision: JSONConfiguration.DatePrecision

  /// Encodes a value.
  /// - Throws: `EncodingError` if JSON cannot express a part of it.
  func encode(_ value: some Encodable) throws -> Encoded {
    let isRounded = Flag()
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .custom { [precision] date, encoder in
      guard let text = DateDigits.text(of: date, precision) else {
        throw EncodingError.invalidValue(
          date,
          .init(codingPath: encoder.codingPath, debugDescription: "a date outside years 0 to 9999"))
      }
      let seconds = date.timeIntervalSinceReferenceDate
      if precision == .seconds, seconds != seconds.rounded() { isRounded.set() }
      var container = encoder.singleValueContainer()
      try container.encode(text)
    }
    return Encoded(bytes: try encoder.encode(value), isExact: !isRounded.isSet)
  }

  /// Decodes a value.
  /// - Throws: `DecodingError`, or the error of the type's own initializer.
  func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .custom { decoder in
      let container = try decoder.singleValueContainer()
      guard let date = DateDigits.date(try container.decode(String.self)) else {
        throw DecodingError.dataCorruptedError(
          in: container, debugDescription: "expected a date in ISO 8601")
      }
      return date
    }
    return try decoder.decode(type, from: data)
  }

  /// A flag that a closure sets.
  private final class Flag: Sendable {
    private let value = Atomic(false)
    var isSet: Bool { value.load(ordering: .relaxed) }
    func set() { value.store(true, ordering: .relaxed) }
  }
}

package import Foundation
package import OffshoreJSON

/// A value that is parsed from JSON without a decoder, which would be several times slower.
///
/// Only the usual form is accepted: each member that the value needs, once, and no others. Columns
/// pass any other text to the decoder, which decodes it or reports the error.
package protocol ScannedJSON: Codable, Equatable, Sendable {
  /// Parses a value.
  /// - Throws: `JSONScanner.Fault` if the value does not have the usual form.
  init(_ scanner: inout JSONScanner) throws
}

extension ScannedJSON {
  /// Parses a JSON text in UTF-8.
  /// - Throws: `JSONScanner.Fault` if the text is not a value of the usual form.
  package init(json: UnsafeBufferPointer<UInt8>) throws {
    var scanner = JSONScanner(json)
    try self.init(&scanner)
    try scanner.finish()
  }
}

extension Array: ScannedJSON where Element: ScannedJSON {
  package init(_ scanner: inout JSONScanner) throws {
    self.init()
    try scanner.scanArray { append(try Element(&$0)) }
  }
}

extension JSONScanner.Fault {
  /// The error of a value with a missing, unknown or repeated member.
  package static let unusualMembers = JSONScanner.Fault("has members that are not the usual ones")
}

extension JSONScanner {
  /// Parses a string, and returns its UUID or `nil` if it is not one.
  package mutating func uuid() throws -> UUID? {
    let text = try scanQuotedText()
    return HexText.uuid(UnsafeBufferPointer(rebasing: text))
      ?? JSONEscapes.decoded(text).flatMap { UUID(uuidString: $0) }
  }

  /// Parses a string with a date in ISO 8601, to the millisecond.
  /// - Throws: `JSONScanner.Fault` if it is not one.
  package mutating func date() throws -> Date {
    let text = try scanQuotedText()
    if let milliseconds = UTCText.milliseconds(iso8601: UnsafeBufferPointer(rebasing: text)) {
      return Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    }
    guard let date = JSONEscapes.decoded(text).flatMap(JSONDates.date) else {
      throw Fault("has a date that is not ISO 8601")
    }
    return Date(timeIntervalSince1970: (date.timeIntervalSince1970 * 1000).rounded() / 1000)
  }
}

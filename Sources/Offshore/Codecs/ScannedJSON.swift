package import Foundation
package import OffshoreJSON

/// A value that is read from JSON without a decoder, which takes several times as long.
///
/// Only the usual form is understood: all members that a value needs, each once, and no others. A
/// column leaves any other text to the decoder, which understands it or reports what is wrong.
package protocol ScannedJSON: Codable, Equatable, Sendable {
  /// Consumes a value.
  /// - Throws: `JSONScanner.Fault` if it is not of the usual form.
  init(_ scanner: inout JSONScanner) throws
}

extension ScannedJSON {
  /// Reads a JSON text in UTF-8.
  /// - Throws: `JSONScanner.Fault` if it is not a value of the usual form.
  package init(json: UnsafeBufferPointer<UInt8>) throws {
    var scanner = JSONScanner(json)
    try self.init(&scanner)
    try scanner.end()
  }
}

extension Array: ScannedJSON where Element: ScannedJSON {
  package init(_ scanner: inout JSONScanner) throws {
    self.init()
    try scanner.array { append(try Element(&$0)) }
  }
}

extension JSONScanner.Fault {
  /// A value lacks a member, or has one that is unknown or a second time.
  package static let unusualMembers = JSONScanner.Fault("has members that are not the usual ones")
}

extension JSONScanner {
  /// Consumes a string and returns the UUID that it spells, or `nil` if it spells none.
  package mutating func uuid() throws -> UUID? {
    let text = try quoted()
    return HexText.uuid(UnsafeBufferPointer(rebasing: text))
      ?? JSONEscapes.string(text).flatMap { UUID(uuidString: $0) }
  }

  /// Consumes a string and returns the date in ISO 8601 that it spells, to the millisecond.
  package mutating func date() throws -> Date {
    let text = try quoted()
    if let milliseconds = UTCText.milliseconds(iso8601: UnsafeBufferPointer(rebasing: text)) {
      return Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    }
    guard let date = JSONEscapes.string(text).flatMap(JSONDates.date) else {
      throw Fault("has a date that is not ISO 8601")
    }
    return Date(timeIntervalSince1970: (date.timeIntervalSince1970 * 1000).rounded() / 1000)
  }
}

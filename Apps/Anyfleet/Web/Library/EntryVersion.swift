import Foundation
import OffshoreHTTP

/// The version of what is stored that a form was filled from, as a browser keeps it beside the fields.
enum EntryVersion {
  /// Whole milliseconds since 1970; nothing where nothing is stored.
  static func text(of date: Date?) -> String {
    let milliseconds = date.map { ($0.timeIntervalSince1970 * 1000).rounded() }
    return milliseconds.flatMap(Int64.init(exactly:)).map(String.init) ?? ""
  }

  /// Reads the version of a form.
  /// - Throws: ``HTTPError`` with 400 where the form has none, or none that a page gave out.
  static func date(_ fields: Fields) throws -> Date? {
    if fields["version"] == "" { return nil }
    guard let milliseconds = fields["version"].flatMap(Int64.init) else {
      throw HTTPError(.badRequest, "The form has no field version of whole milliseconds.")
    }
    return Date(timeIntervalSince1970: Double(milliseconds) / 1000)
  }
}

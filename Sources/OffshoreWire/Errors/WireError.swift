/// An error in bytes, a text or a declaration from outside.
///
/// ``description`` names the place and the remedy but never a value of a row, so it is safe to show
/// and to log.
public struct WireError: Error, Hashable, Sendable {
  /// The kind of failure.
  public let code: Code
  /// The failure and its remedy, in a sentence or two without any value of a row.
  public let message: String
  /// The number of bytes before the error, if bytes were parsed.
  public let offset: Int?
  /// The part of a declaration that is wrong, for example `tables.charters.columns.name`.
  public let place: String?

  /// Creates an error of a kind with a message that names the remedy.
  public init(_ code: Code, _ message: String, offset: Int? = nil, place: String? = nil) {
    self.code = code
    self.message = message
    self.offset = offset
    self.place = place
  }
}

extension WireError: CustomStringConvertible {
  public var description: String {
    let offset = offset.map { "byte \($0)" }
    let place = [place, offset].compactMap(\.self).joined(separator: ", ")
    return place.isEmpty ? "\(code): \(message)" : "\(code) (\(place)): \(message)"
  }
}

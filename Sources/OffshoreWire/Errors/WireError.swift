/// What is wrong with bytes, a text or a declaration that came from elsewhere.
///
/// ``description`` names places and remedies but never a value of a row, so it is safe to show and
/// to log.
public struct WireError: Error, Hashable, Sendable {
  /// The kind of failure.
  public let code: Code
  /// What is wrong and what to do, in a sentence or two without any value of a row.
  public let message: String
  /// How many bytes came before what is wrong, where bytes were read.
  public let offset: Int?
  /// The part of a declaration that is wrong, for example `tables.charters.columns.name`.
  public let place: String?

  /// Creates an error of a kind with a message that says what to do.
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

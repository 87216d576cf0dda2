/// An error in bytes, a text or a manifest that was received or loaded.
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
  package init(_ code: Code, _ message: String, offset: Int? = nil, place: String? = nil) {
    self.code = code
    self.message = message
    self.offset = offset
    self.place = place
  }
}

extension WireError: CustomStringConvertible {
  /// The code and the message, with the place.
  public var description: String {
    let offset = offset.map { "byte \($0)" }
    let place = [place, offset].compactMap(\.self).joined(separator: ", ")
    return place.isEmpty ? "\(code): \(message)" : "\(code) (\(place)): \(message)"
  }
}

extension WireError {
  /// A kind of failure. More may be added, so a `switch` over codes needs a default.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Kind: String {
      case truncated, malformed, tooLarge, unsupportedVersion, invalidName, invalidManifest
    }

    private let kind: Kind
    private init(_ kind: Kind) { self.kind = kind }

    /// The bytes end before the message does.
    public static let truncated = Code(.truncated)
    /// The bytes or the text are not a message of this kind.
    public static let malformed = Code(.malformed)
    /// A value is larger than ``WireLimits`` allows.
    public static let tooLarge = Code(.tooLarge)
    /// The version of the message's protocol is not supported.
    public static let unsupportedVersion = Code(.unsupportedVersion)
    /// The text of a scope, or the bytes of a hash, do not have the required form.
    public static let invalidName = Code(.invalidName)
    /// A schema manifest contradicts itself or cannot be read.
    public static let invalidManifest = Code(.invalidManifest)

    /// The name of the kind, stable across releases.
    public var description: String { kind.rawValue }
  }
}

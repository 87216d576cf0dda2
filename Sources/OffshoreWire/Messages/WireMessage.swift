/// A message between client and server, the body of a request or a response.
///
/// The encoding has the letters `OFSW`, the version of the protocol, the kind of message, and the
/// content.
public protocol WireMessage: WireCodable {
  /// The kind, which is encoded as a byte.
  static var kind: WireKind { get }
}

/// The kinds of messages.
public enum WireKind: UInt8, Hashable, Sendable {
  /// A ``PushRequest``.
  case pushRequest = 1
  /// A ``PushResponse``.
  case pushResponse
  /// A ``PullRequest``.
  case pullRequest
  /// A ``PullResponse``.
  case pullResponse
  /// A ``WireProblem``.
  case problem
}

/// The protocol of the messages.
public enum WireProtocol {
  /// The version of the messages that this release sends.
  public static let version: UInt8 = 1
  /// The oldest version that this release accepts.
  public static let oldestVersion: UInt8 = 1
  /// The media type of bodies, for the header `Content-Type`.
  public static let contentType = "application/vnd.offshore.sync"

  static let magic = Array("OFSW".utf8)
}

extension WireMessage {
  /// The encoded message.
  public var body: [UInt8] {
    var writer = WireWriter()
    writer.raw(WireProtocol.magic)
    writer.byte(WireProtocol.version)
    writer.byte(Self.kind.rawValue)
    encode(into: &writer)
    return writer.bytes
  }

  /// Parses a message.
  /// - Throws: `WireError` with the code `unsupportedVersion` if the version is not supported,
  ///   which a server answers with ``WireProblem/Code/upgradeRequired``; with `tooLarge`,
  ///   `truncated` or `malformed` if the bytes are not a message of this kind.
  public init(body: [UInt8]) throws(WireError) {
    guard body.count <= WireLimits.bodyBytes else {
      throw WireError(
        .tooLarge, "A body has \(WireLimits.bodyBytes) bytes at the most. Send less at once.")
    }
    var reader = WireReader(body)
    guard try reader.raw(WireProtocol.magic.count) == WireProtocol.magic else {
      throw reader.malformed("This is not a message of Offshore. Check the address.")
    }
    let version = try reader.byte()
    guard WireProtocol.oldestVersion...WireProtocol.version ~= version else {
      throw WireError(
        .unsupportedVersion,
        "The message is of version \(version) of the protocol, which is not supported here. Update.",
        offset: reader.offset)
    }
    guard try reader.byte() == Self.kind.rawValue else {
      throw reader.malformed("This is a message of another kind.")
    }
    try self.init(from: &reader)
    try reader.finish()
  }
}

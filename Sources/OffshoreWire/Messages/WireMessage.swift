/// A message between client and server, the body of a request or a response.
///
/// Its bytes are the letters `OFSW`, the version of the protocol, the kind of message, and the
/// content.
public protocol WireMessage: WireCodable {
  /// The kind, which is a byte of the message.
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
  /// The version that is written.
  public static let version: UInt8 = 1
  /// The oldest version that is still read.
  public static let oldestVersion: UInt8 = 1
  /// The type of bodies, for the header `Content-Type`.
  public static let contentType = "application/vnd.offshore.sync"

  static let magic = Array("OFSW".utf8)
}

extension WireMessage {
  /// The bytes of the message.
  public var body: [UInt8] {
    var writer = WireWriter()
    writer.raw(WireProtocol.magic)
    writer.byte(WireProtocol.version)
    writer.byte(Self.kind.rawValue)
    encode(into: &writer)
    return writer.bytes
  }

  /// Reads the bytes of a message.
  /// - Throws: `WireError`: `unsupportedVersion` for a version that is not supported here, which a server
  ///   answers with ``WireProblem/upgradeRequired``; `tooLarge`, `truncated` or `malformed` for
  ///   any other bytes than a message of this kind.
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

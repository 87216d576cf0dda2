/// A message between client and server that is the body of a request or a response.
public protocol BodyConvertible: Sendable {
  /// The encoded message.
  var body: [UInt8] { get }

  /// Parses a message.
  /// - Throws: `WireError` with the code `unsupportedVersion` if the version is not supported,
  ///   which a server answers with ``WireProblem/Code/upgradeRequired``; with `tooLarge`,
  ///   `truncated` or `malformed` if the bytes are not a message of this kind.
  init(body: [UInt8]) throws(WireError)
}

/// The content of a message.
///
/// The body has the letters `OFSW`, the version of the protocol, the kind of message, and the
/// encoding of the content.
package protocol WireMessage: WireCodable, BodyConvertible {
  /// The kind, which is encoded as a byte.
  static var kind: WireKind { get }
}

/// The kinds of messages.
package enum WireKind: UInt8, Hashable, Sendable {
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
  public var body: [UInt8] {
    var writer = WireWriter()
    writer.raw(WireProtocol.magic)
    writer.byte(WireProtocol.version)
    writer.byte(Self.kind.rawValue)
    encode(into: &writer)
    return writer.bytes
  }

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

/// The limits of messages, which are the same for client and server.
public enum WireLimits {
  /// The bytes of a body, after decompression.
  public static let bodyBytes = 8 << 20
  /// The ops of all batches of a push.
  public static let opsPerPush = 5_000
  /// The batches of a push.
  public static let batchesPerPush = 500
  /// The scopes of a pull, each once. A device with more of them pulls them in turn.
  public static let scopesPerPull = 1_000
  /// The bytes of one value. Larger content is sent separately, as a blob.
  public static let valueBytes = 1 << 20
  /// The bytes of an op, so that any op fits into a body. They are counted like ``rowBytes``.
  public static let opBytes = 4 << 20
  /// The bytes of a row, so that any row fits into a body with the rest of the message. An edit
  /// that makes a row larger is refused.
  ///
  /// For each field, the bytes of its name and its value count, and 44 more for its version.
  public static let rowBytes = 4 << 20
  /// The fields of an op.
  public static let fieldsPerOp = 4_000
  /// The fields of all ops of a message. A device divides a push with more of them.
  package static let fieldsPerMessage = 200_000
  /// The bytes of a field's name.
  package static let fieldNameBytes = 512
  /// The bytes of a row's id.
  public static let idBytes = 200
  /// The access rules of an app.
  package static let accessRules = 20
  /// The accounts that may read scopes of an account by rules: the members of all its shared scopes.
  package static let accountsPerRules = 10_000
  /// The choices by which an access rule lets others read.
  package static let valuesPerRule = 100
  /// The largest generation in an op.
  package static let generation: Int64 = 1 << 48
  /// The largest number of changes, batches, conflicts and grants, and the largest generation of a
  /// row. It is never reached in practice, and can be incremented without overflow.
  package static let number: Int64 = 1 << 53
  /// The rows of a page of one scope.
  public static let rowsPerPage = 10_000
  /// The conflicts of a page of one scope.
  package static let conflictsPerPage = 500
  /// The values in all pages of a message, including missing ones.
  package static let cellsPerPage = 4_000_000
  /// The synced tables of an app.
  public static let tables = 1_000
  /// The columns of a synced table.
  public static let columns = 1_000
}

/// A device's request for the changes that it is missing, the body of `POST /v1/pull`.
public struct PullRequest: Hashable, Sendable {
  /// The device.
  package let device: DeviceID
  /// The version of the device's ``Manifest``.
  package let manifestVersion: Int
  /// The capabilities of the device.
  package let capabilities: Capabilities
  /// The number of the last ``Grant`` that the device has, or 0.
  package let grantsAfter: Int64
  /// The scopes to pull, each once and at most ``WireLimits/scopesPerPull``.
  package let cursors: [PullCursor]
  /// The maximum number of rows of each scope in the answer, at most ``WireLimits/rowsPerPage``.
  package let limit: Int

  /// Creates a request.
  package init(
    device: DeviceID, manifestVersion: Int, capabilities: Capabilities = .all,
    grantsAfter: Int64, cursors: [PullCursor], limit: Int
  ) {
    self.device = device
    self.manifestVersion = manifestVersion
    self.capabilities = capabilities
    self.grantsAfter = grantsAfter
    self.cursors = cursors
    self.limit = limit
  }
}

extension PullRequest: WireMessage {
  package static var kind: WireKind { .pullRequest }

  package func encode(into writer: inout WireWriter) {
    writer.value(device)
    writer.count(manifestVersion)
    writer.value(capabilities)
    writer.signed(grantsAfter)
    writer.count(limit)
    writer.list(cursors)
  }

  package init(from reader: inout WireReader) throws(WireError) {
    device = try reader.value()
    manifestVersion = Int(clamping: try reader.natural())
    capabilities = try reader.value()
    grantsAfter = try reader.ordinal()
    limit = Int(clamping: try reader.natural())
    cursors = try reader.list(upTo: WireLimits.scopesPerPull)
    guard Set(cursors.map(\.scope)).count == cursors.count else {
      throw reader.malformed("A pull asks for a scope twice.")
    }
    guard 1...WireLimits.rowsPerPage ~= limit else {
      throw WireError(
        .tooLarge, "A page has 1 to \(WireLimits.rowsPerPage) rows of a scope. Ask for as many.",
        offset: reader.offset)
    }
  }
}

/// The optional features of the protocol that a client or a server supports.
///
/// A request names those of the client, and the answer those of them that the server supports too.
/// A message has only parts that both support, so either side can be newer than the other. Unknown
/// bits are retained and ignored.
public struct Capabilities: OptionSet, Hashable, Sendable {
  /// The bits of a message.
  public let rawValue: UInt64

  /// Creates capabilities from the bits of a message.
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// Pages have conflicts; see ``ScopePage/conflicts``.
  public static let conflicts = Capabilities(rawValue: 1)
  /// Ranges of a scope are compared and fetched again; see ``RangeDigests``.
  public static let repair = Capabilities(rawValue: 2)

  /// All capabilities of this release.
  public static let all: Capabilities = [.conflicts, .repair]
}

/// The encoding is the bits as a number.
extension Capabilities: WireCodable {
  package func encode(into writer: inout WireWriter) { writer.number(rawValue) }

  package init(from reader: inout WireReader) throws(WireError) {
    self.init(rawValue: try reader.number())
  }
}

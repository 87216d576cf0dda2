/// The changes that a device is missing, scope by scope.
public struct PullResponse: Hashable, Sendable {
  /// The server's clock, in milliseconds since 1970.
  public let serverTime: Int64
  /// The epoch of the server's data, which does not depend on the pulled scopes.
  ///
  /// A server that was restored begins a new epoch, and continues the numbers of the restored
  /// grants.
  public let epoch: UInt64
  /// The capabilities that both the device and the server have.
  public let capabilities: Capabilities
  /// The account's grants after the number in the request, in their order.
  public let grants: [Grant]
  /// An answer for each cursor, in the order of the request.
  public let scopes: [ScopeAnswer]

  /// Creates a response.
  public init(
    serverTime: Int64, epoch: UInt64, capabilities: Capabilities = .all, grants: [Grant],
    scopes: [ScopeAnswer]
  ) {
    self.serverTime = serverTime
    self.epoch = epoch
    self.capabilities = capabilities
    self.grants = grants
    self.scopes = scopes
  }
}

/// The role of an account in a scope.
public struct Grant: Hashable, Sendable {
  /// The scope.
  public let scope: ScopeID
  /// The role.
  public let role: Role
  /// The number of this change among the changes of all of the account's roles.
  public let seq: Int64

  /// Creates a grant.
  public init(_ scope: ScopeID, _ role: Role, seq: Int64) {
    self.scope = scope
    self.role = role
    self.seq = seq
  }
}

extension PullResponse: WireMessage {
  package static var kind: WireKind { .pullResponse }

  package func encode(into writer: inout WireWriter) {
    writer.signed(serverTime)
    writer.number(epoch)
    writer.value(capabilities)
    writer.list(grants)
    writer.list(scopes)
  }

  package init(from reader: inout WireReader) throws(WireError) {
    self.init(
      serverTime: try reader.signed(), epoch: try reader.number(),
      capabilities: try reader.value(),
      grants: try reader.list(), scopes: try reader.list())
  }
}

/// The encoding has the scope, the role, then the number.
extension Grant: WireCodable {
  package static var leastByteCount: Int { ScopeID.leastByteCount + 2 }

  package func encode(into writer: inout WireWriter) {
    writer.value(scope)
    writer.byte(role.rawValue)
    writer.signed(seq)
  }

  package init(from reader: inout WireReader) throws(WireError) {
    let scope = try reader.value(ScopeID.self)
    guard let role = Role(rawValue: try reader.byte()) else {
      throw reader.malformed("A grant is of no known role.")
    }
    self.init(scope, role, seq: try reader.ordinal())
  }
}

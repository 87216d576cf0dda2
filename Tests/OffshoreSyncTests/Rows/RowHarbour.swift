import Foundation
import OffshoreServer
import OffshoreWire
import ServerSupport

@testable import OffshoreSync

/// A real server, and clients of single rows with roles in the scope `charter/c1`.
struct RowHarbour {
  let server: LoopbackServer
  let scope: ScopeID

  init(_ schema: SyncSchema) throws {
    server = try LoopbackServer(schema.manifest)
    scope = try ScopeID("charter/c1")
  }

  /// Creates an account with a role, or without one, and returns its client.
  func client(_ role: Role?, _ schema: SyncSchema) async throws -> RowClient {
    let (client, id) = (ServerClient(HTTPTransport(server.url)), UUID())
    let account = try await AccountClient(client).signUp(
      "member-\(id.uuidString.prefix(8))", "correct horse", as: id)
    if let role {
      try await server.storage.write { [scope] log in
        _ = try log.grant(role, to: AccountID(id), in: scope)
      }
    }
    return RowClient(client, schema, token: account.token)
  }

  /// Returns the server's fields of a row, or `nil` if there is no such row.
  func fields(_ table: String, _ id: String) async throws -> [String: WireValue]? {
    try await server.storage.read { [scope] log in
      try log.row(RowID(table: table, id: id), in: scope)?.state.fields
    }
  }
}

/// Returns the code of the failure of a call, or `nil` if it succeeds.
func failureCode<Result>(
  _ call: () async throws -> Result
) async -> ServerClient.Failure.Code? {
  do {
    _ = try await call()
    return nil
  } catch {
    return (error as? ServerClient.Failure)?.code
  }
}

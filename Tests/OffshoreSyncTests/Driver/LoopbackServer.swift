import OffshoreServer
import OffshoreWire
import ServerSupport

@testable import OffshoreSync

extension LoopbackServer {
  /// Starts a server for charters, or continues one that has stopped. Account 1 owns charter c1 and
  /// account 2 edits it.
  static func fleet(continuing former: LoopbackServer? = nil) async throws -> LoopbackServer {
    let server = try LoopbackServer(
      SyncSchema.fleet(claimableKinds: ["charter"]).manifest, continuing: former)
    guard former == nil else { return server }
    try await server.storage.write { log in
      for (number, role) in [(1, Role.owner), (2, .editor)] {
        let account = AccountID(Ship.uuid(2, number))
        try log.setAccount(
          Account(
            id: account, name: AccountName("person-\(number)"),
            password: .none, created: 0))
        try log.addToken(
          AccessToken(
            hash: secret(number).hash, account: account, label: "", created: 0, expires: .max))
        try log.grant(role, to: account, in: ScopeID(kind: "charter", value: "c1"))
      }
    }
    return server
  }

  /// Grants an account a role in a charter. Devices find out with their next requests.
  func grant(_ role: Role, to number: Int, _ charter: String = "c1") async throws {
    let scope = try ScopeID(kind: "charter", value: charter)
    let account = AccountID(Ship.uuid(2, number))
    _ = try await storage.write { log in try log.grant(role, to: account, in: scope) }
  }

  static func secret(_ number: Int) -> Secret {
    Secret(bytes: Array(repeating: UInt8(number), count: Secret.byteCount))
  }

  static func token(_ number: Int) -> String { secret(number).text }
}

import OffshoreServer
import OffshoreSync
import OffshoreWire
import ServerSupport

/// The expected access to the memos of others, computed anew from all roles and rows.
struct ModelAccess {
  /// The roles of accounts in boards.
  let roles: [AccountID: [ScopeID: Role]]
  /// The rows of the server's model.
  let scopes: [ScopeID: [RowID: ModelRow]]

  /// Returns whether an account reads the memos of another one.
  func reads(_ reader: AccountID, _ owner: AccountID) -> Bool {
    let boards = (roles[owner] ?? [:]).filter { board, role in
      board.kind == "board" && role.canRead && roles[reader]?[board]?.canRead == true
    }
    let picked = Set(
      rows("picks", of: owner).filter { $0["shows"]?.string == Pick.all }
        .compactMap { $0["boardID"]?.string })
    guard boards.keys.contains(where: { picked.contains($0.value) }) else { return false }
    return !bans(owner).contains(reader.description) && !bans(reader).contains(owner.description)
  }

  private func bans(_ account: AccountID) -> [String] {
    rows("bans", of: account).compactMap { $0["otherID"]?.string }
  }

  private func rows(_ table: String, of account: AccountID) -> [[String: WireValue]] {
    guard let scope = try? ScopeID(kind: "desk", value: account.description) else { return [] }
    return (scopes[scope] ?? [:]).filter { $0.key.table == table && $0.value.isLiving }
      .map { $0.value.fields.mapValues(\.value) }
  }
}

extension SimulatedServer {
  /// Derives the readers of memos after a write, and compares them with the model's.
  mutating func settleAccess(_ breach: Breach?) throws -> [Violation] {
    defer { log.changes = GrantChanges() }
    switch breach {
    case .lateAccess: break
    case .openBans: try unbannedRules.settle(on: &log)
    default: try pushRules.access.settle(on: &log)
    }
    return try checkAccess()
  }

  private mutating func checkAccess() throws -> [Violation] {
    let model = ModelAccess(roles: history.roles, scopes: self.model.scopes)
    var violations: [Violation] = []
    let accounts = history.roles.keys.sorted()
    for owner in accounts {
      let scope = try ScopeID(kind: "person", value: owner.description)
      for reader in accounts where reader != owner {
        let (found, expected) = (log.grant(of: reader, in: scope), model.reads(reader, owner))
        if found?.role.canRead ?? false != expected {
          violations.append(
            Violation(.access, "\(reader) \(expected ? "cannot read" : "reads") \(scope)."))
        }
        if expected {
          // A reader by a rule receives no conflict.
          history.note(.viewer, of: reader, in: scope, after: .max)
        } else if history.role(of: reader, in: scope) != nil {
          history.note(.revoked, of: reader, in: scope, after: 0)
        }
      }
    }
    return violations
  }

  /// The rules of a server that does not know bans.
  private var unbannedRules: AccessRules {
    get throws {
      let manifest = pushRules.manifest
      return AccessRules(
        try Manifest(
          version: manifest.version, tables: manifest.tables,
          personalKinds: manifest.personalKinds, memberLimits: manifest.memberLimits,
          membershipLimits: manifest.membershipLimits,
          accessRules: manifest.accessRules.map { rule in
            var rule = rule
            rule.block = nil
            return rule
          }))
    }
  }
}

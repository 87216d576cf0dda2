import Foundation
public import Offshore
public import OffshoreWire

extension SQLiteAccess: AccountReader {
  public func account(_ id: AccountID) throws -> Account? {
    try account("id = \(id.data)")
  }

  public func account(named name: AccountName) throws -> Account? {
    try account("name = \(name.text)")
  }

  private func account(_ condition: SQL) throws -> Account? {
    let found = try SQL(
      "SELECT id, name, password, created FROM account WHERE \(condition)"
    ).first(access, as: Data.self, String.self, String.self, Int64.self)
    return try found.map { id, name, password, created in
      Account(
        id: try AccountID(data: id), name: try AccountName(name),
        password: PasswordHash(stored: password), created: created)
    }
  }

  public func token(_ hash: ContentHash) throws -> AccessToken? {
    try tokens("hash = \(hash.data)").first
  }

  public func tokens(of account: AccountID) throws -> [AccessToken] {
    try tokens("account = \(account.data)")
  }

  private func tokens(_ condition: SQL) throws -> [AccessToken] {
    try SQL(
      """
      SELECT hash, account, label, created, expires FROM token
      WHERE \(condition) ORDER BY created, hash
      """
    ).all(access, as: Data.self, Data.self, String.self, Int64.self, Int64.self)
      .map { hash, account, label, created, expires in
        AccessToken(
          hash: try ContentHash(bytes: Array(hash)), account: try AccountID(data: account),
          label: label, created: created, expires: expires)
      }
  }

  public func invitation(_ hash: ContentHash) throws -> Invitation? {
    try invitations("hash = \(hash.data)").first
  }

  public func invitations(to scope: ScopeID) throws -> [Invitation] {
    try invitations("scope = \(scope.text)")
  }

  private func invitations(_ condition: SQL) throws -> [Invitation] {
    try SQL(
      """
      SELECT hash, scope, role, inviter, expires FROM invitation
      WHERE \(condition) ORDER BY expires, hash
      """
    ).all(access, as: Data.self, String.self, Int64.self, Data.self, Int64.self)
      .map { hash, scope, role, inviter, expires in
        Invitation(
          hash: try ContentHash(bytes: Array(hash)), scope: try ScopeID(scope),
          role: try Self.role(role), inviter: try AccountID(data: inviter), expires: expires)
      }
  }

  public func members(of scope: ScopeID) throws -> [Member] {
    try SQL(
      """
      SELECT account.id, account.name, "grant".role FROM "grant"
      JOIN account ON account.id = "grant".account
      WHERE "grant".scope = \(scope.text) ORDER BY account.name
      """
    ).all(access, as: Data.self, String.self, Int64.self).map { id, name, role in
      Member(try AccountID(data: id), name: try AccountName(name), role: try Self.role(role))
    }
  }
}

extension SQLiteAccess: AccountWriter where Access == Writer {
  public func setAccount(_ account: Account) throws {
    try SQL(
      """
      INSERT INTO account(id, name, password, created) VALUES (\(account.id.data),
        \(account.name.text), \(account.password.text), \(account.created))
      ON CONFLICT (id) DO UPDATE SET name = excluded.name, password = excluded.password
      """
    ).run(access)
  }

  public func addToken(_ token: AccessToken) throws {
    try SQL(
      """
      INSERT INTO token(hash, account, label, created, expires) VALUES (\(token.hash.data),
        \(token.account.data), \(token.label), \(token.created), \(token.expires))
      """
    ).run(access)
  }

  public func removeToken(_ hash: ContentHash) throws {
    try SQL("DELETE FROM token WHERE hash = \(hash.data)").run(access)
  }

  public func addInvitation(_ invitation: Invitation) throws {
    try SQL(
      """
      INSERT INTO invitation(hash, scope, role, inviter, expires) VALUES (\(invitation.hash.data),
        \(invitation.scope.text), \(Int64(invitation.role.rawValue)), \(invitation.inviter.data),
        \(invitation.expires))
      """
    ).run(access)
  }

  public func removeInvitation(_ hash: ContentHash) throws {
    try SQL("DELETE FROM invitation WHERE hash = \(hash.data)").run(access)
  }

  public func removeInvitations(to scope: ScopeID) throws {
    try SQL("DELETE FROM invitation WHERE scope = \(scope.text)").run(access)
  }

  public func removeExpired(at now: Int64) throws {
    try SQL("DELETE FROM token WHERE expires <= \(now)").run(access)
    try SQL("DELETE FROM invitation WHERE expires <= \(now)").run(access)
  }
}

extension ContentHash {
  /// The 32 bytes.
  var data: Data { Data(bytes) }
}

extension AccountID {
  init(data: Data) throws {
    self.init(try UUID(decoding: Array(data)))
  }
}

import Foundation
import OffshoreHost
import OffshoreServer
import OffshoreWire
import Testing

@testable import offshore_apps

struct DockAccountsTests {
  private let home = FileManager.default.temporaryDirectory
    .appending(path: "offshore-accounts-\(UUID().uuidString)").path(percentEncoded: false)
  private let storage: SQLiteStorage
  private let hasher = PasswordHasher(cost: .least)

  init() throws { storage = try SQLiteStorage.temporary(epoch: 7) }

  /// Prepares the accounts of the dock, as a start does.
  private func prepare() async throws -> DockAccounts {
    try await DockAccounts.prepare(
      in: DataFolder(home, for: [DockAccounts.fileName]),
      on: [DockAccounts.Server(storage: storage, personalKinds: ["person"])], hasher: hasher,
      using: SystemRandomNumberGenerator())
  }

  private func account(_ name: String) async throws -> Account? {
    try await storage.read { try $0.account(named: AccountName(name)) }
  }

  /// Returns whether a password is that of an account.
  private func isPassword(_ password: String, of name: String) async throws -> Bool {
    try await hasher.matches(password, account(name)?.password)
  }

  @Test func `The first start creates the accounts, with a random password for its user only`()
    async throws
  {
    let accounts = try await prepare()
    #expect(accounts.password.wholeMatch(of: /([a-z2-9]{4}-){2}[a-z2-9]{4}/) != nil)
    for name in ["skipper", "crew"] {
      #expect(try await isPassword(accounts.password, of: name))
      let id = try #require(try await account(name)?.id)
      let scope = try ScopeID(kind: "person", value: id.description)
      #expect(try await storage.read { try $0.grant(of: id, in: scope)?.role } == .owner)
    }
    let file = "\(home)/\(DockAccounts.fileName)"
    #expect(try String(contentsOfFile: file, encoding: .utf8) == accounts.password)
    let attributes = try FileManager.default.attributesOfItem(atPath: file)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    try? FileManager.default.removeItem(atPath: home)
  }

  @Test func `The next start has the same password, and leaves one that the user has changed`()
    async throws
  {
    let first = try await prepare()
    let own = try await hasher.hash("my own words")
    try await storage.write { transaction in
      var account = try #require(try transaction.account(named: AccountName("crew")))
      account.password = own
      try transaction.setAccount(account)
    }
    #expect(try await prepare().password == first.password)
    #expect(try await isPassword("my own words", of: "crew"))
    #expect(try await isPassword(first.password, of: "skipper"))
    try? FileManager.default.removeItem(atPath: home)
  }

  @Test func `The published password of a former version is replaced, and its tokens end`()
    async throws
  {
    let published = try await hasher.hash("two phones")
    let former = AccountID(UUID())
    try await storage.write { transaction in
      let rules = AccountRules(personalKinds: ["person"])
      try rules.signUp(AccountName("skipper"), published, as: former, at: 0, in: &transaction)
      _ = try rules.addToken(.random(), for: former, label: "", at: 0, in: &transaction)
    }
    let accounts = try await prepare()
    #expect(try await account("skipper")?.id == former, "its data still belongs to it")
    #expect(try await !isPassword("two phones", of: "skipper"))
    for name in ["skipper", "crew"] {
      #expect(try await isPassword(accounts.password, of: name))
    }
    #expect(try await storage.read { try $0.tokens(of: former) }.isEmpty)
    try? FileManager.default.removeItem(atPath: home)
  }

  @Test func `A password file that was written in part is replaced, with the password`()
    async throws
  {
    let first = try await prepare()
    try Data("k3v".utf8).write(to: URL(filePath: "\(home)/\(DockAccounts.fileName)"))
    let second = try await prepare()
    #expect(second.password != first.password && second.password.count == 14)
    #expect(try await isPassword(second.password, of: "skipper"))
    try? FileManager.default.removeItem(atPath: home)
  }

  @Test func `A server without data gets the accounts with the stored password`() async throws {
    let first = try await prepare()
    let empty = try SQLiteStorage.temporary(epoch: 8)
    let second = try await DockAccounts.prepare(
      in: DataFolder(home, for: [DockAccounts.fileName]),
      on: [DockAccounts.Server(storage: empty, personalKinds: [])], hasher: hasher,
      using: SystemRandomNumberGenerator())
    #expect(second.password == first.password)
    let account = try await empty.read { try $0.account(named: AccountName("crew")) }
    #expect(try await hasher.matches(first.password, account?.password))
    try? FileManager.default.removeItem(atPath: home)
  }
}

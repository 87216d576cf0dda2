import Foundation
import OffshoreHost
import OffshoreServer
import OffshoreWire

/// The accounts of a dock's phones on its server, and their password.
///
/// The password is random, and stored in the dock's folder for its user only. The dock's page shows
/// it, because the user needs it to sign in on a phone's page.
struct DockAccounts: Sendable {
  /// The names of the accounts by the number of the phone. The first owns the sample charter, the
  /// second is a member.
  static let names = [1: "skipper", 2: "crew"]
  /// The name of the file with the password.
  static let fileName = "phones-password"

  /// The password of all accounts.
  let password: String

  /// Returns the name of a phone's account.
  static func name(ofPhone number: Int) -> String { names[number] ?? "phone \(number)" }

  /// Returns the accounts after they exist on the server of each app.
  ///
  /// If the folder has no password, a random one is stored, and replaces that of existing accounts:
  /// former versions gave all docks the same. Their access tokens end, because any user of this
  /// machine could have signed in; the phones sign in again.
  ///
  /// - Parameters:
  ///   - servers: the data of each app's server, with the kinds of its personal scopes.
  ///   - hasher: the hasher of the servers' passwords.
  ///   - generator: the source of randomness for a new password.
  /// - Throws: ``HostError`` if the password cannot be hashed or stored; `DatabaseError`.
  static func prepare(
    in folder: DataFolder, on servers: [Server], hasher: PasswordHasher,
    using generator: some RandomNumberGenerator
  ) async throws -> DockAccounts {
    let file = SecretFile(fileName, in: folder, minimumLength: minimumLength)
    if let password = file.load() {
      let accounts = DockAccounts(password: password)
      for server in servers { try await accounts.addMissing(to: server, hasher) }
      return accounts
    }
    var generator = generator
    let accounts = DockAccounts(password: randomPassword(using: &generator))
    for server in servers { try await accounts.store(on: server, replaces: true, hasher) }
    // It is stored last: after a crash, the next start replaces the passwords again.
    try file.store(accounts.password)
    return accounts
  }

  /// The data of an app's server, which is not running yet.
  struct Server: Sendable {
    let storage: SQLiteStorage
    /// The kinds of scopes that each account has for itself.
    let personalKinds: Set<String>
  }

  // MARK: - The password

  private static let minimumLength = 12
  /// Lower-case letters and digits that are not mistaken for each other.
  private static let characters = Array("abcdefghjkmnpqrstuvwxyz23456789")

  /// Returns a password such as `k3vd-9xwm-2hqt`, with 59 random bits.
  static func randomPassword(using generator: inout some RandomNumberGenerator) -> String {
    var groups: [String] = []
    for _ in 0..<3 {
      groups.append(
        String(
          (0..<4).map { _ in characters[Int.random(in: 0..<characters.count, using: &generator)] }))
    }
    return groups.joined(separator: "-")
  }

  // MARK: - The accounts

  private func addMissing(to server: Server, _ hasher: PasswordHasher) async throws {
    let names = try Self.accountNames
    let areComplete = try await server.storage.read { transaction in
      try names.allSatisfy { try transaction.account(named: $0) != nil }
    }
    if !areComplete { try await store(on: server, replaces: false, hasher) }
  }

  /// Creates missing accounts.
  /// - Parameter replaces: whether existing accounts get the password, and lose their tokens.
  private func store(
    on server: Server, replaces: Bool, _ hasher: PasswordHasher
  ) async throws {
    let (names, hash) = (try Self.accountNames, try await hash(hasher))
    let rules = AccountRules(personalKinds: server.personalKinds)
    try await server.storage.write { transaction in
      for name in names {
        guard var account = try transaction.account(named: name) else {
          try rules.signUp(
            name, hash, as: AccountID(UUID()), at: SystemClock.now(), in: &transaction)
          continue
        }
        guard replaces else { continue }
        account.password = hash
        try transaction.setAccount(account)
        for token in try transaction.tokens(of: account.id) {
          try transaction.removeToken(token.hash)
        }
      }
    }
  }

  private func hash(_ hasher: PasswordHasher) async throws -> PasswordHash {
    do {
      return try await hasher.hash(password)
    } catch let error as AccountError {
      throw HostError("The password of the phones cannot be stored. \(error.message)")
    }
  }

  private static var accountNames: [AccountName] {
    get throws { try names.values.sorted().map { try AccountName($0) } }
  }
}

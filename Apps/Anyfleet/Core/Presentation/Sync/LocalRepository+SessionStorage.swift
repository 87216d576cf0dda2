import Foundation
import Offshore
public import OffshorePresentation
import OffshoreSync
import OffshoreWire

/// How this device's data comes to belong to an account.
extension LocalRepository: SessionStorage {
  private static let accountSetting = "account"
  private static let tokenSetting = "accountToken"

  public func credentials() async throws -> Session.Credentials? {
    try await read("credentials") { reader in
      guard let account = try Self.account(reader) else { return nil }
      return Session.Credentials(
        account: account, token: try Setting.find(Self.tokenSetting).one(reader)?.value)
    }
  }

  public func link(_ credentials: Session.Credentials) async throws {
    let (replica, makeID, now) = (replica, makeID, now)
    let account = credentials.account
    try await write("link") { writer in
      if let linked = try Self.account(writer), linked.id != account.id {
        throw RepositoryError(.conflict(with: nil), cause: AuthError.otherAccount(linked.name))
      }
      if let local = try Self.userID(writer), local != account.id {
        try Self.hand(over: local, to: account.id, writer)
      }
      try Setting(name: Self.userIDSetting, value: account.id.uuidString).save(writer)
      let text = String(decoding: try JSONEncoder().encode(account), as: UTF8.self)
      try Setting(name: Self.accountSetting, value: text).save(writer)
      try Self.keep(credentials.token, writer)
      try Self.prepare(replica, writer, makeID, now)
    }
  }

  public func keepToken(_ token: String?) async throws {
    try await write("keepToken") { try Self.keep(token, $0) }
  }

  /// Prepares a file that belongs to an account for syncing, each time that it is opened.
  func prepareForSync() async throws {
    let (replica, makeID, now) = (replica, makeID, now)
    try await write("prepareForSync") { writer in
      guard try Self.account(writer) != nil else { return }
      try Self.prepare(replica, writer, makeID, now)
    }
  }

  private static func prepare(
    _ replica: Replica, _ writer: Writer, _ makeID: () -> UUID,
    _ now: @escaping @Sendable () -> Date
  ) throws {
    try replica.outbox.install(
      writer, device: DeviceID(makeID()),
      now: { Int64((now().timeIntervalSince1970 * 1_000).rounded()) })
  }

  /// The account that the file belongs to, if it belongs to one; without one nothing is captured.
  static func account(_ reader: Reader) throws -> Account? {
    guard let kept = try Setting.find(accountSetting).one(reader) else { return nil }
    guard let account = try? JSONDecoder().decode(Account.self, from: Data(kept.value.utf8)) else {
      throw RepositoryError.serializationFailed(row: kept.name, column: "value")
    }
    return account
  }

  private static func keep(_ token: String?, _ writer: Writer) throws {
    if let token {
      try Setting(name: tokenSetting, value: token).save(writer)
    } else {
      try Setting.find(tokenSetting).delete(writer)
    }
  }

  // MARK: - Other owners

  /// Gives what one user owns to another, before any of it was sent.
  private static func hand(over old: UUID, to new: UUID, _ writer: Writer) throws {
    try removeUntouchedSeeds(of: old, writer)
    for table in [
      Checklist.table.name, PracticeGuide.table.name, FlashcardDeck.table.name,
      CharterChecklistRow.table.name,
    ] {
      try SQL("UPDATE \(identifier: table) SET creatorID = \(new) WHERE creatorID = \(old)")
        .run(writer)
    }
    try SQL("UPDATE OR REPLACE activeCharters SET userID = \(new) WHERE userID = \(old)")
      .run(writer)
    for row in try CardProgressRow.where({ $0.userID == old }).readable(writer).rows {
      try CardProgressRow.find(row.id).delete(writer)
      try CardProgressRow(row.progress, userID: new, deckID: row.deckID, at: row.lastUpdated)
        .save(writer)
    }
  }

  /// Removes the checklists of the first start that nobody has changed or uses: the account has its
  /// own, or gets them.
  private static func removeUntouchedSeeds(of userID: UUID, _ writer: Writer) throws {
    for seed in SeedChecklist.all {
      let versions = Language.allCases.map { seed.checklist(of: userID, in: $0, at: Date()) }
      guard let id = versions.first?.id, let kept = try Checklist.find(id).one(writer),
        versions.contains(where: {
          $0.title == kept.title && $0.description == kept.description
            && $0.sections == kept.sections
        }),
        try !CharterChecklistRow.where({ $0.checklistID == id }).exists(writer),
        try !ExecutionRow.where({ $0.checklistID == id }).exists(writer)
      else { continue }
      try Checklist.find(id).delete(writer)
    }
  }
}

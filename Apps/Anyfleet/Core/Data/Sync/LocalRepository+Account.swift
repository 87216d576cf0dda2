import Foundation
import Offshore
import OffshoreSync
import OffshoreWire

/// How this device's data comes to belong to an account.
extension LocalRepository {
  /// The account that the data belongs to, and what lets the device in.
  func linkedAccount() async throws -> (account: LinkedAccount, token: String?)? {
    try await read("linkedAccount") { reader in
      try LinkedAccount.kept(reader).map { ($0, try LinkedAccount.token(reader)) }
    }
  }

  /// Gives the data to an account, in one transaction.
  /// - Parameter isSeed: whether a checklist is as it was at the first start of a user, who needs it no
  ///   more: the account has its own, or gets them.
  /// - Throws: ``RepositoryError``: `otherAccount` where it belongs to another one.
  func link(
    _ account: LinkedAccount, token: String?,
    isSeed: @escaping @Sendable (Checklist, _ userID: UUID) -> Bool
  ) async throws {
    let (replica, makeID, now) = (replica, makeID, now)
    try await write("link") { writer in
      if let linked = try LinkedAccount.kept(writer), linked.id != account.id {
        throw RepositoryError.otherAccount(linked.name)
      }
      if let local = try Self.userID(writer), local != account.id {
        try Self.removeUnused(of: local, writer) { isSeed($0, local) }
        try Self.hand(over: local, to: account.id, writer)
      }
      try Setting(name: Self.userIDSetting, value: account.id.uuidString).save(writer)
      try account.keep(writer)
      try LinkedAccount.keep(token: token, writer)
      try Self.prepare(replica, writer, makeID, now)
    }
  }

  public func keepToken(_ token: String?) async throws {
    try await write("keepToken") { try LinkedAccount.keep(token: token, $0) }
  }

  /// Prepares a file that belongs to an account for syncing, each time that it is opened.
  func prepareForSync() async throws {
    let (replica, makeID, now) = (replica, makeID, now)
    try await write("prepareForSync") { writer in
      guard try LinkedAccount.isKept(writer) else { return }
      try Self.prepare(replica, writer, makeID, now)
    }
  }

  private static func prepare(
    _ replica: Replica, _ writer: Writer, _ makeID: () -> UUID,
    _ now: @escaping @Sendable () -> Date
  ) throws {
    try replica.outbox.install(
      writer, device: DeviceID(makeID()), now: { now().millisecondsSince1970 })
  }

  // MARK: - Other owners

  /// Gives what one user owns to another, before any of it was sent.
  private static func hand(over old: UUID, to new: UUID, _ writer: Writer) throws {
    for table in libraryTables + [CharterChecklistRow.table.name] {
      try SQL("UPDATE \(identifier: table) SET creatorID = \(new) WHERE creatorID = \(old)")
        .run(writer)
    }
    try SQL("UPDATE OR REPLACE activeCharters SET userID = \(new) WHERE userID = \(old)")
      .run(writer)
    try handProgress(CardProgressRow.where { $0.userID == old }, to: new, writer)
  }

  private static let libraryTables = [
    Checklist.table.name, PracticeGuide.table.name, FlashcardDeck.table.name,
  ]

  /// Gives progress with cards to another user; its ids follow from whose it is.
  private static func handProgress(
    _ rows: Query<CardProgressRow>, to user: UUID, _ writer: Writer
  ) throws {
    for row in try rows.readable(writer).rows {
      try CardProgressRow.find(row.id).delete(writer)
      try CardProgressRow(row.progress, userID: user, deckID: row.deckID, at: row.lastUpdated)
        .save(writer)
    }
  }

  /// Removes checklists of a user that no charter uses.
  private static func removeUnused(
    of userID: UUID, _ writer: Writer, where isSeed: (Checklist) -> Bool
  ) throws {
    for checklist in try Checklist.where({ $0.creatorID == userID }).readable(writer).rows
    where isSeed(checklist) {
      guard try !CharterChecklistRow.where({ $0.checklistID == checklist.id }).exists(writer),
        try !ExecutionRow.where({ $0.checklistID == checklist.id }).exists(writer)
      else { continue }
      try Checklist.find(checklist.id).delete(writer)
    }
  }

  /// Whose something of the library is that is written now; none but an account's is sent.
  ///
  /// NB: A page may have been opened, and an entry deleted, before the device was linked.
  /// - Returns: the account's id, or `nil` where there is no account and it stays whose it is.
  static func owner(_ reader: Reader) throws -> UUID? { try LinkedAccount.kept(reader)?.id }

  /// Gives an entry of the library that was put back to the account.
  static func own(_ id: UUID, _ writer: Writer) throws {
    guard let owner = try owner(writer) else { return }
    for table in libraryTables {
      try SQL(
        """
        UPDATE \(identifier: table) SET creatorID = \(owner)
        WHERE id = \(id) AND creatorID <> \(owner)
        """
      ).run(writer)
    }
    try handProgress(
      CardProgressRow.where { $0.deckID == id && $0.userID != owner }, to: owner, writer)
  }
}

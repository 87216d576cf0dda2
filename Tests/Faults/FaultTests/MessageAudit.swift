import Foundation
import MessAI
import Offshore
import OffshoreServer
import OffshoreSync
import OffshoreWire
import TestSupport

/// The checks of a conversation after all processes have ended, from the files alone.
struct MessageAudit {
  /// The file of a device.
  private struct Side {
    let name: String
    let messages: [Message]
    let conversation: Conversation?
    let unsynced: Int
    /// The numbers of changes that are pending or refused.
    let changes: (pending: Int, refused: Int)
    let integrity: [String]
    /// The contents of the files that messages refer to, `nil` for missing ones.
    let files: [String: ContentHash?]
  }

  private let sides: [Side]
  private let expected: Set<String>
  private let written: [String]
  /// The ids and texts of the messages on the server.
  private let served: [String: String]
  private let receiptCount: Int
  private let isSound: Bool
  /// The number of messages that were cancelled, and the files of the server with a trace of one.
  private let withdrawn: (count: Int, places: [String])

  /// Reads the files of a fleet.
  /// - Parameter count: the number of messages that each person has written.
  init(_ fleet: MessageFleet, count: Int) async throws {
    expected = Set(
      MessageFleet.names.flatMap { name in (0..<count).map { "\(name) \($0)" } })
    written = fleet.written
    withdrawn = (fleet.withdrawnCount, try Self.traces(in: fleet.folder.path))
    var sides: [Side] = []
    for name in MessageFleet.names {
      sides.append(try await Self.side(name, fleet.file(of: name), fleet.conversation))
    }
    self.sides = sides
    let scope = try ScopeID(kind: "conversation", value: fleet.conversation)
    let storage = try SQLiteStorage(fleet.serverFile, epoch: 7)
    let (rows, digest) = try await storage.read { log in
      (try log.rows(in: scope, after: 0, limit: .max), try log.scope(scope).digest)
    }
    await storage.close()
    var sum = Digest()
    for row in rows { sum.add(row.state, of: row.row) }
    isSound = sum == digest
    let living = rows.filter(\.state.isLiving)
    receiptCount = living.count { $0.row.table == "receipts" }
    served = Dictionary(
      living.filter { $0.row.table == "messages" }.map { row in
        (row.row.id, Self.text(row.state.fields["text"]))
      }, uniquingKeysWith: { first, second in "\(first) and \(second)" })
  }

  /// Returns the server's files, those of photos included, that have the text of cancelled messages.
  private static func traces(in folder: String) throws -> [String] {
    let mark = Data("never leaves".utf8)
    let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    return try names.filter { name in
      let path = "\(folder)/\(name)"
      var isFolder: ObjCBool = false
      guard name.hasPrefix("server"),
        FileManager.default.fileExists(atPath: path, isDirectory: &isFolder),
        !isFolder.boolValue
      else { return false }
      return try Data(contentsOf: URL(filePath: path)).range(of: mark) != nil
    }
  }

  private static func text(_ value: WireValue?) -> String {
    if case .text(let bytes)? = value { String(decoding: bytes, as: UTF8.self) } else { "" }
  }

  private static func side(_ name: String, _ path: String, _ id: String) async throws -> Side {
    let controller = try PersistenceController(path: path)
    let (manager, store) = (LocalDataManager(controller), controller.store)
    let messages = try await manager.fetchMessages(conversationId: id)
    let references = try await store.read { reader in
      try SQL(
        """
        SELECT imageURL FROM messages WHERE imageURL IS NOT NULL
        UNION SELECT thumbnailURL FROM messages WHERE thumbnailURL IS NOT NULL
        """
      ).all(reader, as: String.self)
    }
    var files: [String: ContentHash?] = [:]
    for reference in references {
      let url = BlobReference(reference).flatMap { store.files.url(of: $0) }
      files[reference] = .some(
        try url.map { ContentHash(of: Array(try Data(contentsOf: $0))) })
    }
    let (pending, refused, integrity) = try await store.read { reader in
      (
        try store.replica.status(reader).pending, try store.replica.refusedCount(reader),
        try SQL("PRAGMA integrity_check").all(reader, as: String.self)
      )
    }
    let side = Side(
      name: name, messages: messages,
      conversation: try await manager.fetchConversations().first { $0.id == id },
      unsynced: try await manager.fetchUnsyncedMessages().count, changes: (pending, refused),
      integrity: integrity, files: files)
    await store.close()
    return side
  }

  // MARK: - Checks

  /// Returns a description of each failed check.
  func complaints() -> [String] { sides.flatMap { complaints(of: $0) } + together() }

  private func complaints(of side: Side) -> [String] {
    var found: [String] = []
    func check(_ condition: Bool, _ complaint: @autoclosure () -> String) {
      if !condition { found.append("\(side.name): \(complaint())") }
    }
    let texts = side.messages.map(\.text)
    check(Set(texts) == expected, "\(Set(texts).symmetricDifference(expected).sorted()) differ")
    check(texts.count == expected.count, "\(texts.count) messages")
    check(
      side.messages.allSatisfy { $0.status == .read && $0.deliveredAt != nil && $0.readAt != nil },
      "not all are read")
    check(side.conversation?.unreadCount == 0, "some count as unread")
    check(side.conversation?.lastMessage == texts.last, "the last message is another one")
    check(side.unsynced == 0, "\(side.unsynced) messages wait")
    check(side.changes == (0, 0), "pending and refused: \(side.changes)")
    check(side.integrity == ["ok"], "\(side.integrity)")
    let missing = side.files.filter { reference, hash in
      BlobReference(reference)?.hash != hash
    }
    check(missing.isEmpty, "\(missing.count) files are missing or damaged")
    return found
  }

  private func together() -> [String] {
    var found: [String] = []
    let orders = sides.map { $0.messages.map { "\($0.sentAt.timeIntervalSince1970) \($0.id)" } }
    if Set(orders).count > 1 { found.append("The messages have different orders.") }
    let images = sides.map { $0.messages.map(\.imageURL) }
    if Set(images).count > 1 { found.append("The messages have different images.") }
    // A device writes the messages that it lacks. One that it has written twice was lost.
    let again = Dictionary(grouping: written) { $0 }.filter { $1.count > 1 }.keys.sorted()
    if !again.isEmpty { found.append("A kill has undone “\(again)”.") }
    let texts = sides.first?.messages.map { ($0.id, $0.text) } ?? []
    if served != Dictionary(texts, uniquingKeysWith: { first, _ in first }) {
      found.append("The server has other messages: \(served.count).")
    }
    if withdrawn.count == 0 { found.append("No message was cancelled.") }
    if !withdrawn.places.isEmpty { found.append("Cancelled ones are in \(withdrawn.places).") }
    if receiptCount != expected.count { found.append("The server has \(receiptCount) receipts.") }
    if !isSound { found.append("The digest is not that of the rows.") }
    return found
  }
}

import Foundation
import MessAI
import Offshore
import OffshorePresentation
import OffshoreSync
import OffshoreWire
import TestSupport

/// The device of one of two people who write texts and images to each other in MessAI.
///
/// It continues where a killed process has stopped. It prints `joined` when it knows both members of the
/// conversation, and `shows MESSAGES READ FILES` after each change: the numbers of messages, of those that
/// both people have read, and of files that are here and on the server. It performs the commands of its input:
///
///     found    creates the conversation, and prints `found` when the server has it
///     write    writes the messages that are missing, with `wrote ID` after each, and prints `written`. Some
///              others with a photo are written and cancelled, with `withdrew ID` after each
///     read     from now on reads the messages of the other person, and fetches the images
///     settle   prints `settled` when no change waits
@MainActor
final class MessageDevice {
  private let store: SyncedStore
  private let app: MessAIDependencies
  private let account: String
  private let name: String
  private let conversation: String
  private let count: Int
  private var tasks: [Task<Void, Never>] = []

  /// - Parameter arguments: the file, the address of the server, the account, its token, its name, the
  ///   conversation, and the number of messages to write.
  init?(_ arguments: [String]) async throws {
    guard arguments.count == 7, let server = URL(string: arguments[1]),
      let id = UUID(uuidString: arguments[2]), let count = Int(arguments[6])
    else { return nil }
    (account, name, conversation) = (id.uuidString, arguments[4], arguments[5])
    self.count = count
    let store = try PersistenceController(path: arguments[0]).store
    try await store.link(
      LinkedAccount(id: id, name: name, server: server.serverAddress), token: arguments[3])
    self.store = store
    app = try await MessAIDependencies(store, server: server, networkMonitor: NetworkMonitor())
  }

  /// Performs the commands of lines until their end.
  func run(_ lines: AsyncStream<String>) async throws {
    await app.service.start()
    start { try await $0.printMembership() }
    start { try await $0.printProgress() }
    start { try await $0.retry() }
    for await line in lines {
      switch line {
      case "found": try await found()
      case "write": try await write()
      case "read":
        start { try await $0.read() }
        start { try await $0.fetchImages() }
      case "settle": try await settle()
      default: Self.say("unknown: \(line)")
      }
    }
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
    await app.syncManager.stop()
    await app.service.stop()
    await store.close()
  }

  /// Runs a closure in the background. Its failure ends the process.
  private func start(_ body: @escaping @MainActor (MessageDevice) async throws -> Void) {
    let task = Task {
      do {
        try await body(self)
      } catch {
        guard !Task.isCancelled else { return }
        FileHandle.standardError.write(Data("\(error)\n".utf8))
        exit(1)
      }
    }
    tasks.append(task)
  }

  // MARK: - Printing

  /// Prints a line with one call, so that the output contains it as a whole or not at all.
  private static func say(_ line: String) {
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
  }

  private func printMembership() async throws {
    let counts = store.values { reader in
      try SQL("SELECT ifnull(max(json_array_length(participantIds)), 0) FROM conversations")
        .first(reader, as: Int.self) ?? 0
    }
    for try await count in counts where count == 2 { return Self.say("joined") }
  }

  private func printProgress() async throws {
    let lines = store.values { [store] reader in
      let (messages, read) =
        try SQL("SELECT count(*), count(*) FILTER (WHERE status = 'read') FROM messages")
        .first(reader, as: Int.self, Int.self) ?? (0, 0)
      let files = try SQL(
        """
        SELECT imageURL FROM messages WHERE imageURL IS NOT NULL
        UNION SELECT thumbnailURL FROM messages WHERE thumbnailURL IS NOT NULL
        """
      ).all(reader, as: String.self).compactMap { BlobReference($0) }
      let stored = try files.filter { try store.status(of: $0, reader) == .here }
      return "shows \(messages) \(read) \(stored.count)"
    }
    for try await line in lines { Self.say(line) }
  }

  /// Syncs five times a second, as a user who presses the button: the delays after failures are longer than
  /// the faults of these tests. The results do not depend on this interval.
  private func retry() async throws {
    while true {
      try await Task.sleep(for: .milliseconds(200))
      await app.service.syncNow()
    }
  }

  // MARK: - Commands

  private func found() async throws {
    let now = Date()
    try await app.localDataManager.saveConversation(
      Conversation(
        id: conversation, participantIds: [account], isGroup: false, lastMessage: "",
        lastMessageAt: now, createdBy: account, createdAt: now))
    try await app.service.drain()
    Self.say("found")
  }

  /// The text of messages that are cancelled, which is also in their photos. It never leaves the device.
  private nonisolated static let withdrawnMark = "never leaves"

  private func write() async throws {
    // The process was killed before it has cancelled them.
    let left = try await store.read { reader in
      try SQL("SELECT id FROM messages WHERE text = \(Self.withdrawnMark)")
        .all(reader, as: String.self)
    }
    for id in left { try await withdraw(id) }
    try await app.service.setAirplane(false)
    for number in 0..<count {
      if number % 5 == 3 { try await writeAndWithdraw(number) }
      let id = "\(name)-\(number)"
      let (isStored, sentAt) = try await store.read { reader in
        (
          try SQL("SELECT count(*) FROM messages WHERE id = \(id)").first(reader, as: Int.self)
            == 1,
          try SyncedStore.serverTime(at: Date(), reader)
        )
      }
      guard !isStored else { continue }
      let files = try await addFiles(number)
      try await app.syncManager.send(
        Message(
          id: id, conversationId: conversation, senderId: account, text: "\(name) \(number)",
          imageURL: files?.image, sentAt: sentAt, status: .sending),
        thumbnailURL: files?.thumbnail, spareID: UUID().uuidString)
      Self.say("wrote \(id)")
    }
    Self.say("written")
  }

  /// Writes a message with a photo and cancels it. Airplane mode, which outlasts a kill, prevents that it becomes
  /// part of a request before.
  private func writeAndWithdraw(_ number: Int) async throws {
    try await app.service.setAirplane(true)
    let photo =
      Array("\(Self.withdrawnMark) \(name) \(number)".utf8) + [UInt8](repeating: 7, count: 50_000)
    let id = "\(name)-withdrawn-\(number)"
    try await app.syncManager.send(
      Message(
        id: id, conversationId: conversation, senderId: account, text: Self.withdrawnMark,
        imageURL: try await store.files.add(photo).text, sentAt: Date(), status: .sending),
      thumbnailURL: nil, spareID: UUID().uuidString)
    try await withdraw(id)
    try await app.service.setAirplane(false)
  }

  private func withdraw(_ id: String) async throws {
    try await app.syncManager.cancel(messageId: id)
    Self.say("withdrew \(id)")
  }

  /// Stores the image and the thumbnail of every tenth message.
  private func addFiles(_ number: Int) async throws -> (image: String, thumbnail: String)? {
    guard number % 10 == 7 else { return nil }
    var random = SeededRandom(seed: UInt64(number) << 8 + UInt64(name.utf8.first ?? 0))
    func content(_ count: Int) -> [UInt8] {
      (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    }
    let image = try await store.files.add(content(150_000)).text
    return (image, try await store.files.add(content(4_000)).text)
  }

  private func read() async throws {
    let unread = store.values { reader in
      try SQL("SELECT id FROM messages WHERE isUnread = 1 ORDER BY sentAt, id")
        .all(reader, as: String.self)
    }
    for try await ids in unread {
      for id in ids {
        try await app.localDataManager.updateMessageStatus(id: id, status: .read)
      }
    }
  }

  private func fetchImages() async throws {
    let images = store.values { reader in
      try SQL("SELECT imageURL FROM messages WHERE imageURL IS NOT NULL ORDER BY id")
        .all(reader, as: String.self)
    }
    for try await images in images {
      for image in images.compactMap({ BlobReference($0) }) { try await store.fetch(image) }
    }
  }

  private func settle() async throws {
    try await app.service.drain()
    for try await status in store.status() where status.pendingCount == 0 { break }
    let unsynced = store.values { reader in
      try SQL("SELECT count(*) FROM messages WHERE isSynced = 0").first(reader, as: Int.self) ?? 0
    }
    for try await count in unsynced where count == 0 { break }
    Self.say("settled")
  }
}

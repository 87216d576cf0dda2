public import Foundation
public import Observation
import Offshore
public import OffshorePresentation
import OffshoreSync

/// Sends messages, keeps those that wait, and confirms those that arrive.
///
/// The queue is the outbox of the file, so it survives everything. Messages of a conversation are sent in
/// order; a refused one waits without holding up the others.
@MainActor @Observable
public final class SyncManager {
  /// Whether ``syncPendingMessages()`` is sending.
  public private(set) var isSyncing = false
  /// The number of messages that the server does not have, those that wait for the user included.
  public private(set) var pendingMessageCount = 0
  /// The error of the latest attempt to send, or `nil`.
  public private(set) var lastSyncError: AppError?

  /// The messages of this device.
  @ObservationIgnored public let localDataManager: LocalDataManager
  /// The monitor of the network.
  @ObservationIgnored public let networkMonitor: NetworkMonitor
  /// The service that syncs the file; `nil` without a server, so that everything waits.
  @ObservationIgnored public let service: SyncService?
  @ObservationIgnored private let receipts: Receipts
  @ObservationIgnored private let sleep: @Sendable (Duration) async throws -> Void
  @ObservationIgnored private var observers: [Task<Void, Never>] = []

  /// Creates a manager, with the number of messages that wait.
  /// - Parameters:
  ///   - localDataManager: the messages of this device.
  ///   - networkMonitor: the monitor of the network. Coming online starts to send.
  ///   - service: the service that syncs the file. Without it, messages wait.
  ///   - sleep: suspends for a duration.
  public init(
    localDataManager: LocalDataManager, networkMonitor: NetworkMonitor = .shared,
    service: SyncService? = nil,
    sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) {
    self.localDataManager = localDataManager
    self.networkMonitor = networkMonitor
    self.service = service
    self.sleep = sleep
    receipts = Receipts(manager: localDataManager)
    pendingMessageCount = localDataManager.controller.unsyncedCount()
  }

  isolated deinit { for observer in observers { observer.cancel() } }

  /// Creates a manager that syncs the messages with a server, and starts it.
  ///
  /// ```swift
  /// let data = LocalDataManager(try PersistenceController(path: path))
  /// let manager = try await SyncManager.syncing(data, with: server)
  /// try await manager.service?.signIn(name: "ann", password: password)
  /// ```
  /// - Throws: `DatabaseError`.
  public static func syncing(
    _ localDataManager: LocalDataManager, with server: URL?,
    networkMonitor: NetworkMonitor = .shared,
    sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) async throws -> SyncManager {
    let service = try await localDataManager.store.sync(with: server, sleep: sleep)
    networkMonitor.follow(service, server: server)
    let manager = SyncManager(
      localDataManager: localDataManager, networkMonitor: networkMonitor, service: service,
      sleep: sleep)
    manager.start()
    await service.start()
    return manager
  }

  private var store: SyncedStore { localDataManager.store }

  // MARK: - Running

  /// Starts to confirm messages that arrive, and to send when the network returns.
  public func start() {
    guard observers.isEmpty else { return }
    observers = [
      Task { [receipts, sleep] in await Self.confirmArrivals(receipts, sleep) },
      Task { [weak self, store] in
        await store.values { try MessageRow.unsynced.count($0) }.forEachResult { result in
          if case .success(let count) = result { self?.pendingMessageCount = count }
        }
      },
      Task { [weak self, networkMonitor] in
        let connections = Observations { networkMonitor.isConnected }
        for await isConnected in connections where isConnected {
          await self?.syncPendingMessages()
        }
      },
    ]
  }

  /// Stores receipts for the messages that arrive, until the task is cancelled or the file is closed.
  ///
  /// A failure is retried after a delay, because no change may follow it.
  private static func confirmArrivals(
    _ receipts: Receipts, _ sleep: @Sendable (Duration) async throws -> Void
  ) async {
    var missing = receipts.missing().makeAsyncIterator()
    while !Task.isCancelled {
      do {
        guard let ids = try await missing.next() else { return }
        if !ids.isEmpty { try await confirm(receipts, sleep) }
      } catch {
        // After another failure to read, the next change is observed.
        if error.isAboutClosedFile { return }
      }
    }
  }

  /// Stores the receipts for the messages that have arrived, with growing delays between attempts.
  /// - Throws: an error if the task is cancelled, or the file closed.
  private static func confirm(
    _ receipts: Receipts, _ sleep: @Sendable (Duration) async throws -> Void
  ) async throws {
    var delay = Duration.seconds(1)
    while true {
      do {
        return try await receipts.confirmArrivals()
      } catch {
        if error.isAboutClosedFile || Task.isCancelled { throw error }
      }
      try await sleep(delay)
      delay = min(delay * 2, .seconds(60))
    }
  }

  /// Stops all background work of the manager.
  public func stop() async {
    for observer in observers { observer.cancel() }
    for observer in observers { await observer.value }
    observers = []
  }

  // MARK: - Sending

  /// Saves a message, and sends it at once if the device is online.
  /// - Throws: ``PersistenceError/saveFailed(_:)``. Nothing was saved then.
  public func queueMessageForSync(_ message: Message) async throws {
    try await queue { try $0.save([message], isSynced: false) }
  }

  /// Saves a message that the user has posted, in place of the draft, and sends it at once if the device is online.
  /// - Parameter spareID: the id of the message if another one is stored under its id.
  package func send(_ message: Message, thumbnailURL: String?, spareID: String) async throws {
    try await queue { saving in
      try saving.insert(message, thumbnailURL: thumbnailURL, spareID: spareID)
      try ConversationRow.removeDraft(of: message.conversationId, saving.writer)
    }
  }

  private func queue(_ body: @escaping @Sendable (MessageSaving) throws -> Void) async throws {
    try await localDataManager.save(body)
    if networkMonitor.isConnected { await service?.syncNow() }
    await updateCount()
  }

  /// Sends the messages that wait, until each was sent or refused. It does nothing while the device is
  /// offline, or while another call runs.
  public func syncPendingMessages() async {
    guard networkMonitor.isConnected, !isSyncing, let service else { return await updateCount() }
    isSyncing = true
    do {
      try await service.drain()
      lastSyncError = nil
    } catch AppError.network(.cancelled) {
      // Syncing has not begun yet, or was stopped meanwhile: the messages wait, and nothing has failed.
    } catch {
      lastSyncError = error.asAppError
    }
    isSyncing = false
    await updateCount()
  }

  private func updateCount() async {
    if let count = try? await store.read({ try MessageRow.unsynced.count($0) }) {
      pendingMessageCount = count
    }
  }

  // MARK: - Messages that wait for the user

  /// Sends all failed messages again. Their attempts start anew.
  public func retryFailedMessages() async {
    var failure: AppError?
    do {
      let failed = try await store.read { try MessageRow.failed.select { $0.id }.all($0) }
      for id in failed {
        do { try await retry(messageId: id) } catch { failure = error.asAppError }
      }
    } catch {
      failure = error.asAppError
    }
    await syncPendingMessages()
    if let failure { lastSyncError = failure }
  }

  /// Sends a failed message again. Its attempts start anew.
  /// - Throws: ``PersistenceError``.
  package func retry(messageId: String) async throws {
    do {
      // NB: It updates the row in the same write. If the outbox has no refused change, it has written nothing.
      guard try await !store.changes.retry(MessageRow.find(messageId)) else { return }
    } catch {
      throw PersistenceError.saveFailed(error)
    }
    try await localDataManager.save { saving in
      try saving.change(messageId) { if $0.status == .failed { $0.move(to: .waiting) } }
    }
  }

  /// Forgets the reasons for which messages were not sent. The messages stay.
  public func clearSyncErrors() async {
    lastSyncError = nil
    _ = try? await store.write { writer in
      try MessageRow.withSyncErrors.update(writer) { [$0.lastSyncError.set(nil)] }
    }
  }

  /// Removes a message that has not left this device. It is never sent.
  /// - Throws: ``PersistenceError/messageNotFound``; ``PersistenceError/deleteFailed(_:)`` with a `ReplicaError`
  ///   of the code `alreadySent` as the cause if the server may have it.
  public func cancel(messageId: String) async throws {
    let row = try await storedRow(messageId)
    do {
      guard !row.isSynced, try await store.changes.cancel(MessageRow.find(messageId)) else {
        throw Self.alreadySent
      }
    } catch {
      throw PersistenceError.deleteFailed(error)
    }
    await updateCount()
  }

  /// Replaces the text of a message that has not left this device, and sends it without delay.
  /// - Throws: ``PersistenceError/messageNotFound``; ``PersistenceError/saveFailed(_:)`` with a `ReplicaError`
  ///   of the code `alreadySent` as the cause if the server may have it.
  public func edit(messageId: String, text: String) async throws {
    let row = try await storedRow(messageId)
    var message = row.message
    message.text = text
    do {
      guard !row.isSynced else { throw Self.alreadySent }
      try message.check()
    } catch {
      throw PersistenceError.saveFailed(error)
    }
    if try await !localDataManager.save({ try $0.editLocally(messageId, text) }) {
      do {
        // The columns that follow are derived in the same write.
        try await store.changes.edit(MessageRow.find(messageId)) { [$0.text.set(text)] }
      } catch {
        throw PersistenceError.saveFailed(error)
      }
    }
    await updateCount()
  }

  private static let alreadySent = ReplicaError(
    .alreadySent, "The message may have left this device. Delete it for all instead.")

  private func storedRow(_ id: String) async throws -> MessageRow {
    let row = try await localDataManager.fetch { try MessageRow.find(id).readable($0) }.first
    guard let row else { throw PersistenceError.messageNotFound }
    return row
  }

  // MARK: - Signing out

  /// Signs the device out.
  /// - Parameter isErasing: whether to remove everything of the user from this device. Messages that were not
  ///   sent are lost then.
  /// - Throws: `AppError`.
  public func signOut(erasing isErasing: Bool) async throws {
    do {
      if let service {
        try await service.signOut(erasing: isErasing)
      } else if isErasing {
        try await localDataManager.controller.deleteAllData()
      }
    } catch {
      throw error.asAppError
    }
    lastSyncError = nil
    await updateCount()
  }
}

extension Error {
  /// Whether the file was closed.
  fileprivate var isAboutClosedFile: Bool {
    let cause = (self as? PersistenceError)?.cause ?? self
    return (cause as? DatabaseError)?.code == .closed
  }
}

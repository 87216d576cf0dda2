import Foundation
import Offshore
import OffshorePresentation
import OffshoreSync
import ServerSupport
import TestSupport
import Testing

@testable import MessAI

/// Messages that the server refuses, because their author may only read meanwhile.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct RefusedMessagesTests {
  /// A refusal as the device has recorded it.
  private struct Refusal: Equatable {
    let attempts: Int
    /// The time of the next attempt, in milliseconds since 1970.
    let due: Int
  }

  private struct Progress: Equatable {
    let refusal: Refusal?
    let hasFailed: Bool
  }

  private func now() -> Int { Int(Date().timeIntervalSince1970 * 1_000) }

  /// Waits until a message was refused more than a number of times.
  /// - Returns: `nil` if it waits for the user.
  private func nextRefusal(
    of id: String, after attempts: Int, on device: ChatDevice
  ) async throws -> Refusal? {
    let values = device.store.values { reader in
      let row = try MessageRow.find(id).first(reader)
      let due = try SQL("SELECT due FROM _batch WHERE due > 1").first(reader, as: Int.self)
      return Progress(
        refusal: row.flatMap { row in due.map { Refusal(attempts: row.syncAttempts, due: $0) } },
        hasFailed: row?.status == .failed)
    }
    for try await progress in values {
      if progress.hasFailed { return nil }
      if let refusal = progress.refusal, refusal.attempts > attempts { return refusal }
    }
    return nil
  }

  /// Ends the delay before the next attempt.
  private func endDelay(on device: ChatDevice) async throws {
    try await device.run("UPDATE _batch SET due = 0 WHERE due > 0")
  }

  /// Refuses a message until it waits for the user.
  private func refuseForGood(_ id: String, on device: ChatDevice) async throws {
    var attempts = 0
    while let refusal = try await nextRefusal(of: id, after: attempts, on: device) {
      attempts = refusal.attempts
      try await endDelay(on: device)
    }
  }

  @Test func `After five refusals with growing delays a message waits for its author`()
    async throws
  {
    let shared = try await SharedConversation()
    let (ben, manager) = (shared.ben, shared.ben.manager)
    try await ben.send("Before", id: "m0")
    try await ben.wait(for: "m0") { $0.isSynced }
    try await shared.makeBenViewerMeanwhile()
    try await ben.send("Ahoy", id: "m1")
    var (attempts, before) = (0, now())
    try await ben.service.setAirplane(false)
    while let refusal = try await nextRefusal(of: "m1", after: attempts, on: ben) {
      attempts = refusal.attempts
      let delay = 1_000 << (attempts - 1)
      #expect((before + delay...now() + delay).contains(refusal.due), "attempt \(attempts)")
      let row = try #require(try await ben.row("m1"))
      #expect(row.lastSyncError != nil && !row.isSynced)
      #expect(manager.pendingMessageCount == 1)
      before = now()
      try await endDelay(on: ben)
    }
    #expect((1...4).contains(attempts))
    let row = try #require(try await ben.row("m1"))
    #expect(row.status == .failed && row.syncAttempts == 5 && !row.needsSync && !row.isSynced)
    #expect(try await ben.texts() == ["Before", "Ahoy"], "it stays in its place")
    #expect(try await ben.data.fetchUnsyncedMessages().map(\.id) == ["m1"])
    await manager.syncPendingMessages()
    #expect(manager.pendingMessageCount == 1)
    #expect(try await ben.row("m1")?.syncAttempts == 5, "it is not sent by itself")
    #expect(try await !shared.serverHas("m1"))
    await shared.end()
  }

  @Test func `A failed message is sent again on request, with its attempts counted anew`()
    async throws
  {
    let shared = try await SharedConversation()
    let (ben, manager) = (shared.ben, shared.ben.manager)
    try await shared.makeBenViewerMeanwhile()
    for number in 1...2 { try await ben.send("Ahoy \(number)", id: "m\(number)") }
    try await ben.service.setAirplane(false)
    for number in 1...2 { try await refuseForGood("m\(number)", on: ben) }
    await manager.syncPendingMessages()
    #expect(manager.pendingMessageCount == 2)
    try await shared.makeBenEditor()
    try await ben.service.setAirplane(true)
    await manager.retryFailedMessages()
    for number in 1...2 {
      let row = try #require(try await ben.row("m\(number)"))
      #expect(row.status == .sending && row.syncAttempts == 0 && row.needsSync)
      #expect(row.lastSyncError == nil)
    }
    #expect(manager.pendingMessageCount == 2)
    try await ben.service.setAirplane(false)
    try await shared.ann.waitForTexts(["Ahoy 1", "Ahoy 2"])
    await waitUntil { manager.pendingMessageCount == 0 }
    await shared.end()
  }

  @Test func `Later messages pass a refused one, and other conversations go on`() async throws {
    let shared = try await SharedConversation()
    let ben = shared.ben
    try await ben.makeConversation("c2")
    try await shared.makeBenViewerMeanwhile()
    try await ben.send("Refused", id: "m1")
    try await ben.send("Elsewhere", id: "m2", in: "c2")
    try await ben.service.setAirplane(false)
    try await ben.wait(for: "m2") { $0.isSynced }
    try await ben.wait(for: "m1") { $0.syncAttempts > 0 }
    // The next attempt is far away.
    let later = now() + 200_000
    try await ben.run("UPDATE _batch SET due = \(later) WHERE due > 0")
    try await shared.makeBenEditor()
    try await ben.send("Later", id: "m3")
    try await shared.ann.waitForTexts(["Later"])
    #expect(try await !shared.serverHas("m1"))
    #expect(try await ben.texts() == ["Refused", "Later"])
    try await endDelay(on: ben)
    try await shared.ann.waitForTexts(["Refused", "Later"])
    await shared.end()
  }

  @Test func `A refused message is edited, and only its new text arrives`() async throws {
    let shared = try await SharedConversation()
    let ben = shared.ben
    try await shared.makeBenViewerMeanwhile()
    try await ben.send("Ahoi", id: "m1")
    try await ben.service.setAirplane(false)
    try await refuseForGood("m1", on: ben)
    try await shared.makeBenEditor()
    try await ben.manager.edit(messageId: "m1", text: "Ahoy")
    #expect(try await ben.row("m1")?.syncAttempts == 0)
    try await shared.ann.waitForTexts(["Ahoy"])
    await waitUntil { ben.manager.pendingMessageCount == 0 }
    await shared.end()
  }

  @Test func `A refused message is cancelled, and no member has it`() async throws {
    let shared = try await SharedConversation()
    let ben = shared.ben
    try await shared.makeBenViewerMeanwhile()
    try await ben.send("Ahoy", id: "m1")
    try await ben.service.setAirplane(false)
    try await refuseForGood("m1", on: ben)
    try await ben.manager.cancel(messageId: "m1")
    #expect(ben.manager.pendingMessageCount == 0)
    #expect(try await ben.row("m1") == nil)
    try await shared.makeBenEditor()
    try await ben.send("Land", id: "m2")
    try await shared.ann.waitForTexts(["Land"])
    #expect(try await !shared.serverHas("m1"))
    #expect(try await ben.data.fetchConversations().first?.lastMessage == "Land")
    await shared.end()
  }

  @Test func `The reasons of refusals can be cleared, and the messages stay`() async throws {
    let shared = try await SharedConversation()
    let (ben, manager) = (shared.ben, shared.ben.manager)
    try await shared.makeBenViewerMeanwhile()
    try await ben.send("Ahoy", id: "m1")
    try await ben.service.setAirplane(false)
    try await refuseForGood("m1", on: ben)
    #expect(try await ben.row("m1")?.lastSyncError != nil)
    await manager.clearSyncErrors()
    let row = try #require(try await ben.row("m1"))
    #expect(row.lastSyncError == nil && row.status == .failed && manager.lastSyncError == nil)
    #expect(manager.pendingMessageCount == 1)
    await shared.end()
  }
}

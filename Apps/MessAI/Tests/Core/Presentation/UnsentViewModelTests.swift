import Foundation
import Offshore
import OffshorePresentation
import TestSupport
import Testing

@testable import MessAI

/// The model of the messages that wait or have failed.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct UnsentViewModelTests {
  private let device: ChatDevice
  private let model: UnsentViewModel

  /// Creates two messages that wait, the second of which has failed.
  init() async throws {
    device = try await ChatDevice()
    try await device.data.saveMessage(.sample("m0", "Ahoy", at: 0))
    for number in 1...2 { try await device.send("Land \(number)", id: "m\(number)") }
    for _ in 1...5 { try await device.data.incrementSyncAttempts(messageId: "m2", error: "no") }
    model = UnsentViewModel(device.manager)
    await model.load()
  }

  private var statuses: [String] {
    model.entries.state.data?.map { "\($0.id) \($0.message.status)" } ?? []
  }

  @Test func `All messages that the server lacks are listed in order`() async {
    #expect(statuses == ["m1 sending", "m2 failed"])
    await device.end()
  }

  @Test func `A damaged message is left out and named`() async throws {
    #expect(model.unreadable.state.data?.isEmpty != false)
    try await device.run("UPDATE messages SET status = 'lost' WHERE id = 'm1'")
    await model.entries.catchUp()
    await model.unreadable.catchUp()
    #expect(statuses == ["m2 failed"] && model.unreadable.state.data?.count == 1)
    await device.end()
  }

  @Test func `A failed message is sent again, alone or with all others`() async throws {
    #expect(await model.actions.retry("m2"))
    #expect(statuses == ["m1 sending", "m2 sending"])
    for _ in 1...5 { try await device.data.incrementSyncAttempts(messageId: "m1", error: "no") }
    await model.retryAll()
    await model.entries.catchUp()
    #expect(statuses == ["m1 sending", "m2 sending"])
    await device.end()
  }

  @Test func `A message is cancelled or edited`() async throws {
    #expect(await model.actions.cancel("m1"))
    #expect(await model.actions.edit("m2", to: " Land ho "))
    #expect(statuses == ["m2 sending"], "an edit sends a failed message again")
    #expect(model.entries.state.data?.first?.message.text == "Land ho")
    #expect(device.manager.pendingMessageCount == 1)
    await device.end()
  }

  @Test func `An edit that is not allowed stays typed, with its reason`() async {
    let long = String(repeating: "a", count: Message.textLimit + 1)
    #expect(await !model.actions.edit("m1", to: long))
    #expect(
      model.actions.refusedEdit
        == RefusedEdit(
          messageId: "m1", text: long,
          error: .validation(.tooLong(field: "text", maximum: Message.textLimit))))
    #expect(model.actions.failure == nil && statuses == ["m1 sending", "m2 failed"])
    #expect(await model.actions.edit("m1", to: "Land"))
    #expect(model.actions.refusedEdit == nil)
    await device.end()
  }

  @Test func `An action on a message that does not exist, or that was sent, has a reason`() async {
    #expect(await !model.actions.cancel("m9"))
    #expect(
      model.actions.failure?.messageId == "m9"
        && model.actions.failure?.error == .database(.notFound))
    #expect(await !model.actions.cancel("m0"))
    #expect(model.actions.failure?.messageId == "m0")
    #expect(await model.actions.cancel("m1"))
    #expect(model.actions.failure == nil)
    await device.end()
  }
}

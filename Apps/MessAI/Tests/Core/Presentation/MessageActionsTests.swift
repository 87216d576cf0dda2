import Foundation
import Offshore
import OffshorePresentation
import OffshoreSync
import ServerSupport
import TestSupport
import Testing

@testable import MessAI

/// The actions that are offered for a message: exactly those that are possible.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct MessageActionsTests {
  private func actions(_ id: String, on device: ChatDevice) async throws -> Set<MessageAction>? {
    try await device.data.entry(id, in: "c1")?.actions
  }

  @Test
  func `Without an account, an unsent message is edited or cancelled, and a sent one deleted`()
    async throws
  {
    let device = try await ChatDevice()
    try await device.data.saveConversation(
      .sample("c1", with: [device.id, "ben"], createdBy: device.id))
    try await device.send("Ahoy", id: "m1")
    try await device.send("Land", id: "m2")
    for _ in 1...5 { try await device.data.incrementSyncAttempts(messageId: "m2", error: "no") }
    try await device.data.saveMessage(.sample("m3", from: device.id, at: 9))
    try await device.data.saveMessage(.sample("m4", at: 9))
    #expect(try await actions("m1", on: device) == [.edit, .cancel])
    #expect(try await actions("m2", on: device) == [.edit, .cancel, .retry])
    #expect(try await actions("m3", on: device) == [.deleteForAll])
    #expect(try await actions("m4", on: device) == [.deleteHere])
    await device.end()
  }

  @Test func `What the server has, or may have, is deleted for all, and nothing else`() async throws
  {
    let shared = try await SharedConversation()
    let ben = shared.ben
    try await ben.service.setAirplane(true)
    try await ben.send("Ahoy", id: "m1")
    #expect(try await actions("m1", on: ben) == [.edit, .cancel])
    shared.server.gate.close()
    try await ben.service.setAirplane(false)
    let states = ben.store.values { [store = ben.store] in
      try store.sendingStates(of: ["m1"], in: "messages", $0)
    }
    for try await state in states where state["m1"]?.mayHaveLeft == true { break }
    #expect(try await actions("m1", on: ben) == [.deleteForAll])
    shared.server.gate.open()
    try await ben.wait(for: "m1") { $0.isSynced }
    #expect(try await actions("m1", on: ben) == [.deleteForAll])
    #expect(await !ben.app.makeChat("c1", at: .end).actions.cancel("m1"))
    await shared.end()
  }

  @Test func `A message of which the server lacks only the image is neither edited nor cancelled`()
    async throws
  {
    let shared = try await SharedConversation()
    let ben = shared.ben
    // The server stores no files, so that the image is never sent.
    var message = ben.message("Look", id: "m1")
    message.imageURL = try await ben.store.files.add([1, 2, 3]).text
    try await ben.manager.queueMessageForSync(message)
    try await ben.wait(for: "m1") { $0.isSynced }
    let entry = try #require(try await ben.data.entry("m1", in: "c1"))
    #expect(entry.actions == [.deleteForAll])
    await shared.end()
  }

  @Test func `Who may only read can cancel an unsent message, and not send it again`() async throws
  {
    let shared = try await SharedConversation()
    let ben = shared.ben
    try await shared.makeBenViewerMeanwhile()
    try await ben.send("Ahoy", id: "m1")
    try await ben.service.setAirplane(false)
    try await ben.waitForRole(.viewer)
    try await ben.wait(for: "m1") { $0.syncAttempts > 0 }
    #expect(try await actions("m1", on: ben) == [.cancel])
    #expect(await ben.app.makeChat("c1", at: .end).actions.cancel("m1"))
    await shared.end()
  }

  // MARK: - Sentences

  @Test func `A failure names the action and its reason`() {
    func english(_ error: any Error) -> String {
      PersistenceError.sentences(of: error).map { $0.in(.english) }.joined(separator: " ")
    }
    let sent = ReplicaError(.alreadySent, "")
    #expect(
      english(PersistenceError.deleteFailed(sent))
        == "Nothing was deleted. The message may have left this device already. "
        + "You can delete it for all members.")
    #expect(english(PersistenceError.messageNotFound) == "The message was deleted.")
    #expect(english(PersistenceError.conversationNotFound) == "The conversation was deleted.")
    #expect(
      english(PersistenceError.saveFailed(AppError.database(.full)))
        == "Nothing was saved. The disk is full, so your change was not saved. "
        + "Free some space and try again.")
    #expect(
      english(PersistenceError.saveFailed(AppError.database(.readFailed)))
        == "Nothing was saved. Try again.")
    #expect(sent.asAppError == .sync(.alreadySent))
    let all: [PersistenceError] = [
      .messageNotFound, .conversationNotFound, .saveFailed(sent), .fetchFailed(sent),
      .deleteFailed(sent),
    ]
    for error in all {
      for sentence in PersistenceError.sentences(of: error) {
        #expect(sentence.in(.russian).contains(/[а-я]{3}/), "\(error)")
        #expect(!sentence.in(.russian).contains(/[a-z]{3}/), "\(error)")
      }
    }
  }
}

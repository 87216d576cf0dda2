import Foundation
import Offshore
import OffshorePresentation
import OffshoreSync
import OffshoreWire
import ServerSupport
import TestSupport
import Testing

@testable import MessAI

/// Creating, renaming and removing conversations, and the account.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct GroupTests {
  private let long = String(repeating: "я", count: Conversation.nameLimit + 1)
  private let tooLong = AppError.validation(
    .tooLong(field: "name", maximum: Conversation.nameLimit))

  // MARK: - Creating

  @Test func `A group needs a name that is not too long, and a conversation of two needs none`()
    async throws
  {
    let device = try await ChatDevice()
    let model = NewConversationViewModel(device.data)
    await model.load()
    #expect(model.people.state.isEmpty)
    let (id, people) = (UUID(), [UUID(), UUID()])
    #expect(await !model.create(id, named: "  ", with: people))
    #expect(model.nameError == .validation(.emptyName))
    #expect(await !model.create(id, named: long, with: []))
    #expect(model.nameError == tooLong)
    #expect(try await device.data.fetchConversations().isEmpty)
    #expect(await model.create(id, named: "", with: []))
    #expect(await model.create(id, named: "", with: []), "the form was sent twice")
    #expect(model.nameError == nil && model.failure == nil)
    let made = try await device.data.fetchConversations()
    #expect(made.map(\.id) == [id.uuidString])
    #expect(made.first?.isGroup == false && made.first?.createdBy == device.id)
    #expect(await model.create(UUID(), named: " Crew ", with: []))
    #expect(try await device.data.fetchConversations().contains { $0.groupName == "Crew" })
    await device.end()
  }

  @Test func `Members of another conversation are added, also by a choice in airplane mode`()
    async throws
  {
    let shared = try await SharedConversation()
    let (ann, ben) = (shared.ann, shared.ben)
    let model = NewConversationViewModel(ann.data)
    await model.load()
    let known = try #require(model.people.state.data)
    #expect(known.map(\.name) == ["ben"])
    try await ann.service.setAirplane(true)
    let id = UUID()
    #expect(await model.create(id, named: "Crew", with: known.map(\.id)))
    try await ann.send("Ahoy", id: "m1", in: id.uuidString)
    let group = try await ann.data.fetchConversations().first { $0.id == id.uuidString }
    #expect(Set(group?.participantIds ?? []) == [ann.id, ben.id])
    try await ann.service.setAirplane(false)
    try await ben.waitForTexts(["Ahoy"], in: id.uuidString)
    try await ben.waitForRole(.editor, in: id.uuidString)
    try await ben.send("Land", id: "m2", in: id.uuidString)
    try await ann.waitForTexts(["Ahoy", "Land"], in: id.uuidString)
    await shared.end()
  }

  @Test func `A conversation is made together with its members, or not at all`() async throws {
    let chat = try await Chat()
    let (ann, ben) = (chat.ann, chat.ben)
    try await ann.run(
      """
      CREATE TRIGGER stop BEFORE INSERT ON _batch BEGIN SELECT RAISE(ABORT, 'stop'); END
      """)
    let (model, id) = (NewConversationViewModel(ann.data), UUID())
    #expect(await !model.create(id, named: "", with: [ben.account.id]))
    #expect(model.failure != nil)
    #expect(try await ann.conversation(id.uuidString) == nil)
    try await ann.run("DROP TRIGGER stop")
    for _ in 1...2 { #expect(await model.create(id, named: "", with: [ben.account.id])) }
    try await chat.settle()
    #expect(try await ben.conversation(id.uuidString)?.createdBy == ann.id)
    #expect(try await ann.refusals() == [])
  }

  @Test func `A member who is no owner cannot let others in`() async throws {
    let chat = try await Chat(with: "cleo")
    let (ann, ben, cleo) = (chat.ann, chat.ben, chat.others[0])
    try await ann.data.saveConversation(
      .sample("c2", with: [ann.id, ben.id], createdBy: ann.id))
    try await chat.post.settle(ann)
    try chat.post.grant(.editor, to: ben, in: "c2")
    try await chat.settle()
    let shared = try #require(try await ben.conversation("c2"))
    let error = await persistenceError {
      try await ben.data.saveConversation(shared, admitting: [cleo.account.id])
    }
    #expect((error?.cause as? ReplicaError)?.code == .forbidden)
    #expect(try await ben.pendingCount() == 0)
  }

  @Test func `The name of a former member stays known`() async throws {
    let chat = try await Chat(with: "cleo")
    let (store, cleo) = (chat.ann.store, chat.others[0])
    try await cleo.store.leave(.known("c1"), retainingCopy: true)
    try await chat.settle()
    let entry = try await store.read { reader in
      try ConversationRow.find("c1").first(reader).map { try ConversationEntry($0, store, reader) }
    }
    #expect(entry?.names.values.sorted() == ["ann", "ben", "cleo"])
    #expect(entry?.names[cleo.id] == "cleo" && entry?.title == .people(["ben"]))
  }

  // MARK: - Renaming and removing

  @Test func `A group is renamed, and a name that is not allowed changes nothing`() async throws {
    let device = try await ChatDevice()
    let id = UUID()
    #expect(await NewConversationViewModel(device.data).create(id, named: "Crew", with: []))
    let model = GroupViewModel(id.uuidString, device.data)
    try await model.load()
    #expect(await !model.rename(to: " "))
    #expect(model.nameError == .validation(.emptyName))
    #expect(await !model.rename(to: long))
    #expect(model.nameError == tooLong)
    #expect(try await device.data.fetchConversations().first?.groupName == "Crew")
    #expect(await model.rename(to: " Watch "))
    #expect(model.nameError == nil)
    #expect(try await device.data.fetchConversations().first?.groupName == "Watch")
    #expect(await model.remove())
    #expect(try await device.data.fetchConversations().isEmpty)
    #expect(await !model.remove())
    #expect(model.failure?.asAppError == .database(.notFound))
    await device.end()
  }

  @Test func `Removing a shared conversation leaves it to the others`() async throws {
    let shared = try await SharedConversation()
    let (ann, ben) = (shared.ann, shared.ben)
    try await ann.send("Ahoy", id: "m1")
    try await ben.waitForTexts(["Ahoy"])
    let model = GroupViewModel("c1", ann.data)
    try await model.load()
    #expect(await model.remove())
    #expect(try await ann.data.fetchConversations().isEmpty)
    // The owner hands the conversation on.
    try await ben.waitForRole(.owner)
    #expect(try await ben.texts() == ["Ahoy"])
    try await ben.send("Alone", id: "m2")
    try await ben.wait(for: "m2") { $0.isSynced }
    #expect(try await ann.texts().isEmpty)
    await shared.end()
  }

  // MARK: - The account

  @Test func `The account signs in and out`() async throws {
    let server = try LoopbackServer(try MessAISchema.current.manifest)
    let device = try await ChatDevice(server: server.url)
    let auth = AuthViewModel(device.service)
    #expect(!auth.isAuthenticated && auth.userId == device.id)
    #expect(await !auth.account.signIn(name: "ann", password: ChatDevice.password))
    #expect(await auth.account.signUp(name: "ann", password: ChatDevice.password))
    #expect(auth.isAuthenticated && auth.userId == device.id)
    try await device.manager.signOut(erasing: false)
    #expect(!auth.isAuthenticated)
    #expect(await auth.account.signIn(name: "ann", password: ChatDevice.password))
    #expect(auth.isAuthenticated)
    await device.end()
    await server.stop()
  }
}

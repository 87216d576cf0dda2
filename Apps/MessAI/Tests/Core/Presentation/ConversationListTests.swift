import Foundation
import Offshore
import OffshorePresentation
import TestSupport
import Testing

@testable import MessAI

/// The list of conversations, and the search in all messages.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct ConversationListTests {
  private let device: ChatDevice
  private var data: LocalDataManager { device.data }

  init() async throws { device = try await ChatDevice() }

  private func add(_ count: Int) async throws {
    for number in 1...count {
      try await data.saveConversation(
        .sample("c\(number)", with: [device.id, "ben"], createdBy: device.id))
      try await data.saveMessage(
        .sample("m\(number)", "Ahoy \(number)", in: "c\(number)", at: Double(number)))
    }
  }

  private func open(_ text: String = "") async -> ConversationListViewModel {
    let list = ConversationListViewModel(data, matching: text)
    await list.load()
    return list
  }

  private func ids(_ list: ConversationListViewModel) -> [String] {
    list.conversations.state.data?.map(\.id) ?? []
  }

  @Test func `The conversation with the last message comes first, with its unread messages`()
    async throws
  {
    #expect(await open().conversations.state.isEmpty)
    try await add(3)
    let list = await open()
    #expect(ids(list) == ["c3", "c2", "c1"] && !list.isSearching)
    try await data.saveMessage(.sample("late", "Land", in: "c1", at: 9))
    await waitUntil { list.conversations.state.data?.first?.id == "c1" }
    let first = try #require(list.conversations.state.data?.first)
    #expect(first.conversation.unreadCount == 2 && first.conversation.lastMessage == "Land")
    await device.end()
  }

  @Test func `Long lists are read page by page`() async throws {
    try await add(45)
    let list = await open()
    #expect(ids(list).count == 20 && list.conversations.canLoadMore)
    await list.loadMore()
    #expect(ids(list).count == 40)
    let all = ConversationListViewModel(data)
    await all.load(pageCount: 3)
    #expect(ids(all) == (1...45).reversed().map { "c\($0)" })
    #expect(!all.conversations.canLoadMore)
    await device.end()
  }

  @Test func `A damaged conversation is named, and does not end the list`() async throws {
    try await add(30)
    try await device.run("UPDATE conversations SET participantIds = '[' WHERE id = 'c25'")
    let list = ConversationListViewModel(data)
    await list.load(pageCount: 2)
    #expect(ids(list).count == 29 && !ids(list).contains("c25"))
    #expect(list.unreadable.count == 1)
    await device.end()
  }

  @Test func `A search finds messages in all conversations, the newest first`() async throws {
    try await add(30)
    try await data.saveMessage(.sample("yo", "Ёлка и море", in: "c1", at: 90))
    let hits = await open("ahoy")
    #expect(hits.isSearching && hits.conversations.state.isIdle)
    #expect(hits.hits.state.data?.map(\.id) == (11...30).reversed().map { "m\($0)" })
    #expect(hits.hits.state.data?.first?.conversation?.id == "c30")
    await hits.loadMore()
    #expect(hits.hits.state.data?.count == 30 && !hits.hits.canLoadMore)
    #expect(await open("МОРЕ елк").hits.state.data?.map(\.id) == ["yo"])
    for text in ["nothing", "\"ahoy", "ahoy OR nothing", "*", "ahoy*(", "'; --"] {
      let found = await open(text).hits.state
      #expect(found.errorValue == nil && found.isKnown, "\(text)")
    }
    #expect(await open("nothing").hits.state.isEmpty)
    #expect(await open("ahoy OR nothing").hits.state.isEmpty)
    await device.end()
  }

  @Test func `A conversation that ends with a photo says so`() async throws {
    try await add(1)
    #expect(await open().conversations.state.data?.first?.endsWithPhoto == false)
    var photo = Message.sample("p", "", in: "c1", at: 9)
    photo.imageURL = "blob:" + String(repeating: "a", count: 64)
    try await data.saveMessage(photo)
    #expect(await open().conversations.state.data?.first?.endsWithPhoto == true)
    try await data.saveConversation(.sample("c2", with: [device.id], createdBy: device.id))
    let empty = await open().conversations.state.data?.first { $0.id == "c2" }
    #expect(empty?.endsWithPhoto == false && empty?.title == .alone)
    await device.end()
  }
}

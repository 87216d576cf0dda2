import Foundation
import MessAI
import Offshore
import OffshoreHTTP
import OffshorePages
import OffshorePresentation
import OffshoreServer
import OffshoreSync
import OffshoreWeb
import OffshoreWire
import ServerSupport
import TestSupport
import Testing

@testable import MessAIWeb

/// The pages of two people who share a conversation on a real server.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct SharedPagesTests {
  private let server: LoopbackServer
  private let ann: ChatPages
  private let ben: ChatPages
  /// The id of the conversation.
  private let id: String

  /// Lets ann make a conversation, and ben join it by a code, on their pages.
  init() async throws {
    server = try LoopbackServer(try MessAISchema.current.manifest)
    ann = try await ChatPages(of: "ann", on: server)
    ben = try await ChatPages(of: "ben", on: server)
    let form = await ann.get(MessAIRoute.newConversation.address)
    id = String(try #require(form.text.firstMatch(of: /name="entry" value="([^"]+)"/)).1)
    _ = await ann.post(
      MessAIRoute.newConversation.address, ["action": "create", "entry": id, "name": "Crew"])
    try await ann.waitForRole(.owner, in: id)
    try await ann.admit(ben, to: id)
    try await ben.waitForRole(.editor, in: id)
    for pages in [ann, ben] { try await pages.waitForMembers([ann.userID, ben.userID], in: id) }
  }

  private func end() async {
    for pages in [ann, ben] { await pages.sync.stop() }
    await server.stop()
  }

  private func send(_ text: String, on pages: ChatPages, in id: String) async {
    let response = await pages.post(pages.address(id), ["action": "send", "text": text])
    #expect(response.status == .seeOther)
  }

  @Test func `A message appears on the other person's page, and its receipt on the first one`()
    async throws
  {
    let theirs = await ben.get(ben.address(id))
    await send("Ahoy Ben", on: ann, in: id)
    #expect(try await ben.change(of: theirs, with: "Ahoy Ben").contains("message-"))
    let ours = await ann.get(ann.address(id))
    #expect(ours.text.contains("Ahoy Ben"))
    _ = await ben.get(ben.address(id))
    try await ann.wait(in: id) { $0.count == 1 && $0[0].status == .read }
    #expect(await ann.get(ann.address(id)).text.contains("Read"))
    await end()
  }

  @Test func `A group shows the names of its authors`() async throws {
    let cleo = try await ChatPages(of: "cleo", on: server)
    try await ann.admit(cleo, to: id)
    try await cleo.waitForMembers([ann.userID, ben.userID, cleo.userID], in: id)
    await send("From Ben", on: ben, in: id)
    try await cleo.wait(in: id) { $0.map(\.text) == ["From Ben"] }
    let message = try #require(try await cleo.data.fetchMessages(conversationId: id).first)
    let bubble = try await cleo.get(cleo.address(id)).bubble(message.id)
    #expect(bubble.contains(#"class="author""#) && bubble.contains("ben"))
    #expect(try await !ben.get(ben.address(id)).bubble(message.id).contains("author"))
    await cleo.sync.stop()
    await end()
  }

  @Test func `The author is named once above several messages, and again below a heading`()
    async throws
  {
    for text in ["One", "Two"] { await send(text, on: ann, in: id) }
    try await ben.wait(in: id) { $0.count == 2 }
    _ = await ben.get(ben.address(id))
    await send("Mine", on: ben, in: id)
    for text in ["Three", "Four"] { await send(text, on: ann, in: id) }
    try await ben.wait(in: id) { $0.count == 5 }
    let all = try await ben.data.fetchMessages(conversationId: id)
    let page = await ben.get(ben.address(id), isScripted: true)
    let named = try all.filter { try page.bubble($0.id).contains(#"class="author""#) }
    #expect(named.map(\.text) == ["One", "Three"])
    // The heading of the first unread message is between the messages of one author.
    let tab = String(try #require(page.text.firstMatch(of: /data-tab="([^"]+)"/)).1)
    let three = try #require(all.first { $0.text == "Three" })
    _ = await ben.post(ben.address(id), ["action": "seen", "row": three.id], tab: tab)
    let next = await ben.get(ben.address(id), isScripted: true)
    let namedThen = try all.filter { try next.bubble($0.id).contains(#"class="author""#) }
    #expect(namedThen.map(\.text) == ["One", "Three", "Four"])
    await end()
  }

  @Test(arguments: [
    (Language.english, "ben (left)", "Only you so far"),
    (.russian, "ben (не в беседе)", "Пока только вы"),
  ])
  func `A conversation that the other person has left keeps the name, and is not called empty`(
    language: Language, title: String, other: String
  ) async throws {
    let ann = try await ChatPages(server: server.url, language: language)
    try await ann.sync.signIn(name: "ann", password: "correct horse")
    try await ann.waitForMembers([ann.userID, ben.userID], in: id)
    var conversation = try #require(try await ann.data.fetchConversations().first)
    (conversation.isGroup, conversation.groupName) = (false, nil)
    try await ann.data.saveConversation(conversation)
    _ = await ben.post(
      SharedKind.conversation.membersAddress(ofScope: id), ["action": "leave"])
    try await ann.waitForMembers([ann.userID], in: id)
    for address in ["/", ann.address(id), "\(ann.address(id))/edit"] {
      let page = await ann.get(address)
      #expect(page.text.contains(title) && !page.text.contains(other), "\(address)")
    }
    let fresh = try await ann.addConversation()
    #expect(await ann.get(ann.address(fresh)).text.contains(other))
    await ann.sync.stop()
    await end()
  }

  @Test(arguments: [
    (
      Language.english, "ann invites you to a conversation.", "Editor: reads and writes",
      "has expired"
    ),
    (.russian, "ann приглашает вас в беседу.", "Редактор: читает и пишет", "истекло"),
  ])
  func `An invitation says what it is for, and why its code is refused after its time`(
    language: Language, invitation: String, role: String, reason: String
  ) async throws {
    let entry = UUID().uuidString
    _ = await ann.post(
      MessAIRoute.newConversation.address, ["action": "create", "entry": entry, "name": ""])
    try await ann.waitForRole(.owner, in: entry)
    let members = SharedKind.conversation.membersAddress(ofScope: entry)
    let page = await ann.post(members, ["role": "editor", "action": "invite"])
    let code = String(try #require(page.text.firstMatch(of: /data-copy="([A-Za-z0-9_-]+)"/)).1)
    let cleo = try await ChatPages(server: server.url, language: language)
    try await cleo.sync.signUp(name: "cleo", password: "correct horse")
    let join = SharedKind.conversation.joinAddress
    let asking = await cleo.post(join, ["code": code, "action": "look-up"])
    #expect(asking.text.contains(invitation))
    // Its days are over.
    let scope = try ScopeID(kind: MessAISchema.conversationKind, value: entry)
    try await server.storage.write { transaction in
      for former in try transaction.invitations(to: scope) {
        try transaction.removeInvitation(former.hash)
        try transaction.addInvitation(
          Invitation(
            hash: former.hash, scope: scope, role: former.role, inviter: former.inviter, expires: 1)
        )
      }
    }
    let refused = await cleo.post(join, ["code": code, "action": "join"])
    #expect(refused.status == .unprocessableContent)
    #expect(try refused.element("field-code-error", "p").contains(reason))
    #expect(refused.text.contains(#"value="\#(code)""#))
    _ = await cleo.post(
      MessAIRoute.newConversation.address,
      ["action": "create", "entry": UUID().uuidString, "name": ""])
    let own = try #require(try await cleo.data.fetchConversations().first)
    try await cleo.waitForRole(.owner, in: own.id)
    let offer = await cleo.get(SharedKind.conversation.membersAddress(ofScope: own.id))
    #expect(offer.text.contains(role))
    await cleo.sync.stop()
    await end()
  }

  @Test(arguments: [true, false])
  func `Authors are shown after others have left, by their names if these are known`(
    isGroup: Bool
  ) async throws {
    var conversation = try #require(try await ann.data.fetchConversations().first)
    if !isGroup { (conversation.isGroup, conversation.groupName) = (false, nil) }
    try await ann.data.saveConversation(conversation)
    await send("First", on: ann, in: id)
    try await ben.wait(in: id) { $0.count == 1 }
    let first = try #require(try await ben.data.fetchMessages(conversationId: id).first)
    let bubble = try await ben.get(ben.address(id)).bubble(first.id)
    #expect(bubble.contains(#"<span class="author">ann</span>"#) == isGroup)
    let cleo = try await ChatPages(of: "cleo", on: server)
    try await ann.admit(cleo, to: id)
    try await cleo.waitForMembers([ann.userID, ben.userID, cleo.userID], in: id)
    await send("Second", on: cleo, in: id)
    try await ben.wait(in: id) { $0.count == 2 }
    let second = try #require(try await ben.data.fetchMessages(conversationId: id).last)
    _ = await cleo.post(
      SharedKind.conversation.membersAddress(ofScope: id), ["action": "leave"])
    let other = try await ChatPages(server: server.url)
    try await ben.waitForMembers([ann.userID, ben.userID], in: id)
    try await other.sync.signIn(name: "ben", password: "correct horse")
    try await other.wait(in: id) { $0.count == 2 }
    try await other.waitForMembers([ann.userID, ben.userID], in: id)
    for (pages, name) in [(ben, "cleo"), (other, "Former member")] {
      let page = await pages.get(pages.address(id))
      #expect(try page.bubble(first.id).contains(#"<span class="author">ann</span>"#))
      #expect(try page.bubble(second.id).contains(#"<span class="author">\#(name)</span>"#))
    }
    for pages in [cleo, other] { await pages.sync.stop() }
    await end()
  }

  @Test func `Members of a conversation are offered for a new one, and are added`() async throws {
    let form = await ann.get(MessAIRoute.newConversation.address)
    let field = "member-\(ben.userID)"
    #expect(form.text.contains(#"name="\#(field)""#) && form.text.contains("ben"))
    let entry = String(try #require(form.text.firstMatch(of: /name="entry" value="([^"]+)"/)).1)
    let response = await ann.post(
      MessAIRoute.newConversation.address,
      ["action": "create", "entry": entry, "name": "", field: "on"])
    #expect(response.status == .seeOther)
    await send("Just us", on: ann, in: entry)
    try await ben.wait(in: entry) { $0.map(\.text) == ["Just us"] }
    #expect(await ben.get("/").text.contains("Just us"))
    await end()
  }

  @Test func `A conversation of others is not found, whatever is requested of it`() async throws {
    await send("Secret", on: ann, in: id)
    try await ben.wait(in: id) { $0.count == 1 }
    let stranger = try await ChatPages(of: "cleo", on: server)
    try await stranger.sync.drain()
    let page = stranger.address(id)
    for address in [page, "\(page)/edit", "\(page)?at=m1"] {
      let response = await stranger.get(address)
      #expect(response.status == .notFound && !response.text.contains("Secret"), "\(address)")
    }
    for fields: Fields in [
      ["action": "send", "text": "Ahoy"], ["action": "delete", "message": "m1"],
      ["action": "keep", "text": "Ahoy"],
    ] {
      #expect(await stranger.post(page, fields).status == .notFound)
    }
    #expect(await !stranger.get("/?q=secret").text.contains("hit-"))
    #expect(try await ann.texts(in: id) == ["Secret"])
    await stranger.sync.stop()
    await end()
  }

  @Test func `A code that is not valid has a sentence, and stays typed`() async throws {
    for code in ["", "nope", "<script>"] {
      let response = await ben.post(
        SharedKind.conversation.joinAddress, ["code": code, "action": "join"])
      #expect(response.status == .unprocessableContent, "\(code)")
      #expect(try !response.element("field-code-error", "p").isEmpty, "\(code)")
      let typed = code.replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      #expect(response.text.contains(#"value="\#(typed)""#), "\(code)")
    }
    await end()
  }

  @Test func `A former member reads the copy, and cannot write`() async throws {
    await send("Ahoy", on: ann, in: id)
    try await ben.wait(in: id) { $0.count == 1 }
    let members = SharedKind.conversation.membersAddress(ofScope: id)
    _ = await ben.post(members, ["action": "leave"])
    let page = await ben.get(ben.address(id))
    #expect(page.status == .ok && page.text.contains("Ahoy"))
    #expect(page.text.contains("You left this conversation."))
    #expect(!page.text.contains(#"id="compose""#))
    let refused = await ben.post(ben.address(id), ["action": "send", "text": "Too late"])
    #expect(refused.status == .unprocessableContent)
    try await ben.sync.drain()
    #expect(try await ann.texts(in: id) == ["Ahoy"])
    #expect(try await ben.texts(in: id) == ["Ahoy"])
    await end()
  }

  @Test func `A removed member has nothing left, and the page says why`() async throws {
    await send("Ahoy", on: ann, in: id)
    try await ben.wait(in: id) { $0.count == 1 }
    let members = SharedKind.conversation.membersAddress(ofScope: id)
    _ = await ann.post(members, ["action": "remove", "member": ben.userID])
    try await ben.wait(in: id) { $0.isEmpty }
    let page = await ben.get(ben.address(id))
    #expect(page.status == .notFound && !page.text.contains("Ahoy"))
    #expect(page.text.contains("No longer available"))
    #expect(await !ben.get("/?q=ahoy").text.contains("hit-"))
    await end()
  }
}

extension ChatPages {
  /// Lets another account in by a code, on the pages of both.
  fileprivate func admit(_ other: ChatPages, to id: String) async throws {
    let page = await post(
      SharedKind.conversation.membersAddress(ofScope: id),
      ["role": "editor", "action": "invite"])
    let code = try #require(page.text.firstMatch(of: /data-copy="([A-Za-z0-9_-]+)"/)).1
    _ = await other.post(
      SharedKind.conversation.joinAddress, ["code": String(code), "action": "join"])
  }

  /// Waits until the messages of a conversation meet a condition.
  fileprivate func wait(in id: String, until isMet: ([Message]) -> Bool) async throws {
    for try await _ in data.messageChanges()
    where isMet(try await data.fetchMessages(conversationId: id)) {
      return
    }
  }

  /// Waits until the account has a role in a conversation.
  fileprivate func waitForRole(_ role: Role, in id: String) async throws {
    let scope = try ScopeID(kind: MessAISchema.conversationKind, value: id)
    let values = store.values { [store] in try store.role(in: scope, $0) }
    for try await found in values where found == role { return }
  }

  /// Waits until a conversation has these members on the device.
  fileprivate func waitForMembers(_ members: Set<String>, in id: String) async throws {
    for try await _ in data.conversationChanges() {
      let found = try await data.fetchConversations().first { $0.id == id }
      if Set(found?.participantIds ?? []) == members { return }
    }
  }
}

import Foundation
import MessAI
import Offshore
import OffshoreHTTP
import OffshorePages
import OffshorePresentation
import OffshoreSync
import OffshoreWeb
import OffshoreWire
import ServerSupport
import TestSupport
import Testing

@testable import MessAIWeb
@testable import OffshoreHost

/// The app on a device of its own, with its pages on a router without a socket.
@MainActor final class ChatPages {
  let store: SyncedStore
  let data: LocalDataManager
  let app: OpenApp
  private let router: Router

  /// The id of the user.
  var userID: String { app.frame.sync.session.userID.uuidString }
  var sync: SyncService { app.frame.sync }

  /// Opens the app without an account.
  /// - Parameters:
  ///   - path: the path of the file; by default it is temporary.
  ///   - server: the server to sync with, or `nil`.
  ///   - language: the language of the pages.
  init(
    _ path: String? = nil, server: URL? = nil, language: Language = .english
  ) async throws {
    if let path {
      store = try SyncedStore(path, schema: MessAISchema.current)
    } else {
      store = try SyncedStore.temporary(schema: MessAISchema.current)
    }
    data = LocalDataManager(PersistenceController(store))
    let tabs = TabRegistry()
    let setting = try await LanguageSetting.start(
      storedBy: store, languages: [.english, .russian], preferring: language, calendar: { .utc })
    app = try await MessAIApp.hosted().open(
      AppDevice(store: store, language: setting, server: server, tabs: tabs))
    // The part of the host's error handling that pages depend on.
    var router = Router(presentError: { error, _ in
      error.asAppError == .database(.notFound)
        ? Response(presenting: HTTPError(.notFound)) : Response(presenting: error)
    })
    router.addLivePages(tabs)
    app.addPages(&router)
    router.addSystemPages(of: app.frame)
    self.router = router
  }

  /// Opens the app of a new account.
  convenience init(of name: String, on server: LoopbackServer) async throws {
    try await self.init(server: server.url)
    try await sync.signUp(name: name, password: "correct horse")
  }

  // MARK: - Requests

  /// Requests a page.
  /// - Parameter isScripted: whether the browser has run the script of an earlier page.
  func get(_ address: String, isScripted: Bool = false) async -> Response {
    var request = Request(.get, address)
    if isScripted { request.headers["Cookie"] = "offshore-script=1" }
    return await router.respond(to: request)
  }

  /// Posts a form as a browser without the script does, or as the script of a tab does.
  func post(_ address: String, _ fields: Fields, tab: String? = nil) async -> Response {
    var headers: Headers = ["Content-Type": "application/x-www-form-urlencoded"]
    if let tab { headers["Offshore-Tab"] = tab }
    return await router.respond(
      to: Request(.post, address, headers: headers, body: Array(fields.encoded.utf8)))
  }

  /// Posts a form with a file in the field `image`.
  func post(_ address: String, _ fields: Fields, image: [UInt8]) async -> Response {
    var body: [UInt8] = []
    for field in fields.items {
      let head = "--b\r\nContent-Disposition: form-data; name=\"\(field.name)\"\r\n\r\n"
      body += Array("\(head)\(field.value)\r\n".utf8)
    }
    let head = "--b\r\nContent-Disposition: form-data; name=\"image\"; filename=\"photo.png\"\r\n"
    body += Array("\(head)Content-Type: image/png\r\n\r\n".utf8) + image
    body += Array("\r\n--b--\r\n".utf8)
    return await post(address, body: body)
  }

  func post(_ address: String, body: [UInt8]) async -> Response {
    await router.respond(
      to: Request(
        .post, address, headers: ["Content-Type": "multipart/form-data; boundary=b"], body: body))
  }

  /// Waits for a change of a tab with a text, among those since its page was opened.
  func change(of page: Response, with text: String) async throws -> String {
    let tab = try #require(page.text.firstMatch(of: /data-tab="([^"]+)"/)).1
    guard case .events(let changes) = await get("/live/\(tab)?after=0").body else {
      throw NotLive()
    }
    defer { changes.close() }
    while let change = await changes.next()?.data {
      if change.contains(text) { return change }
    }
    throw NotLive()
  }

  private struct NotLive: Error {}

  // MARK: - Conversations

  /// Returns the address of a conversation.
  func address(_ id: String) -> String { MessAIRoute.conversation(id).address }

  /// Creates a conversation of the user and ben, or a group.
  @discardableResult
  func addConversation(_ id: String = UUID().uuidString, group: String? = nil) async throws
    -> String
  {
    try await data.saveConversation(
      Conversation(
        id: id, participantIds: [userID, "ben"], isGroup: group != nil, groupName: group,
        lastMessage: "", lastMessageAt: .at(0), createdBy: userID, createdAt: .at(0)))
    return id
  }

  /// Saves a message of ben, or of another sender, that the server has.
  func receive(
    _ text: String, id: String, in conversation: String, from sender: String = "ben",
    at seconds: Double = 0, status: MessageStatus = .sent, replyTo reply: String? = nil
  ) async throws {
    try await data.saveMessage(
      Message(
        id: id, conversationId: conversation, senderId: sender, text: text, sentAt: .at(seconds),
        status: status, replyToId: reply))
  }

  /// Saves a message of the user that waits.
  func queue(_ text: String, id: String, in conversation: String, at seconds: Double = 0)
    async throws
  {
    try await data.saveMessage(
      Message(
        id: id, conversationId: conversation, senderId: userID, text: text, sentAt: .at(seconds),
        status: .sending), isSynced: false)
  }

  /// Lets a message that waits fail.
  func fail(_ id: String) async throws {
    for _ in 1...5 { try await data.incrementSyncAttempts(messageId: id, error: "no") }
  }

  /// Damages the row of a conversation, as another program could.
  func damage(conversation id: String) async throws {
    try await store.write { writer in
      try SQL("UPDATE conversations SET participantIds = '[' WHERE id = \(id)").run(writer)
    }
  }

  /// Damages the row of a message, as another program could.
  func damage(message id: String) async throws {
    try await store.write { writer in
      try SQL("UPDATE messages SET status = 'lost' WHERE id = \(id)").run(writer)
    }
  }

  /// Returns the texts of a conversation, in order.
  func texts(in conversation: String) async throws -> [String] {
    try await data.fetchMessages(conversationId: conversation).map(\.text)
  }
}

extension Date {
  /// Returns a time by the number of seconds after noon of a day in January 2027.
  static func at(_ seconds: Double) -> Date {
    Date(timeIntervalSince1970: 1_800_014_400 + seconds)
  }
}

extension Response {
  var text: String {
    guard case .bytes(let bytes) = body else { return "" }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the markup of a message in a conversation.
  func bubble(_ id: String) throws -> String { try element("message-\(id)", "article") }

  /// Returns the markup after the id of an element, up to the next end of an element with a name.
  func element(_ id: String, _ name: String) throws -> String {
    let rest = try #require(text.components(separatedBy: #"id="\#(id)""#).dropFirst().first)
    return rest.components(separatedBy: "</\(name)>")[0]
  }
}

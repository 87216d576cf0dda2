import Foundation
import MessAI
import OffshoreHTTP
import OffshorePages
import OffshorePresentation
import Testing

@testable import MessAIWeb

/// All pages in both languages.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct LanguageTests {
  /// Words in Latin letters that Russian pages have, too.
  private static let names: Set<String> = [
    "MessAI", "PNG", "JPEG", "WebP", "MIT", "Language", "English", "offshore", "apps", "server",
    "URL", "messai", "sqlite", "http", "https", "dev",
  ]

  /// Returns all pages of a device with messages in each state, by their addresses.
  private func allPages(_ language: Language) async throws -> [(address: String, page: Response)] {
    let pages = try await ChatPages(language: language)
    var answers = [(address: "/ without conversations", page: await pages.get("/"))]
    let id = try await pages.addConversation(group: "Команда")
    let members = SharedKind.conversation.membersAddress(ofScope: id)
    try await pages.receive("Привет", id: "m1", in: id, at: 1)
    try await pages.receive("Земля", id: "m2", in: id, at: 2, replyTo: "m1")
    try await pages.receive("Где?", id: "m3", in: id, at: 3, replyTo: "m9")
    for (number, status) in [MessageStatus.sent, .delivered, .read].enumerated() {
      try await pages.receive(
        "Тут", id: "s\(number)", in: id, from: pages.userID, at: 10 + Double(number),
        status: status)
    }
    for number in 1...2 { try await pages.queue("Жду", id: "w\(number)", in: id, at: 20) }
    try await pages.fail("w2")
    let addresses =
      [MessAIRoute.conversations, .newConversation, .conversation(id), .unsent].map(\.address)
      + [
        "\(pages.address(id))/edit", "\(pages.address(id))?at=m9", "/?q=земля".encodedQuery,
        "/?q=ничего".encodedQuery, "/profile", "/profile/account", "/profile/account?new=true",
        "/profile/sync", "/settings", "/about", "/open", members,
        SharedKind.conversation.joinAddress,
      ]
    for address in addresses { answers.append((address, await pages.get(address))) }
    let failing: [(String, Fields)] = [
      (pages.address(id), ["action": "send", "text": ""]),
      (pages.address(id), ["action": "cancel", "message": "s1"]),
      (pages.address(id), ["action": "edit", "message": "w1", "text": ""]),
      (MessAIRoute.unsent.address, ["action": "cancel", "message": "m9"]),
      ("\(pages.address(id))/edit", ["action": "rename", "name": ""]),
    ]
    for (address, fields) in failing {
      answers.append(("\(address) \(fields.encoded)", await pages.post(address, fields)))
    }
    return answers
  }

  @Test func `Russian pages have no English words`() async throws {
    for (address, page) in try await allPages(.russian) {
      #expect(page.text.contains(#"<html lang="ru""#), "\(address)")
      let words = page.text.visibleText.matches(of: /[A-Za-z]{2,}/).map { String($0.0) }
      #expect(Set(words).subtracting(Self.names).isEmpty, "\(address)")
    }
  }

  @Test func `English pages have no Russian words but those of the messages`() async throws {
    let texts = ["Команда", "Привет", "Земля", "Где", "Тут", "Жду", "Язык", "Русский"]
    for (address, page) in try await allPages(.english) {
      #expect(page.text.contains(#"<html lang="en""#), "\(address)")
      let words = page.text.visibleText.matches(of: /[А-Яа-яЁё]{2,}/).map { String($0.0) }
      #expect(Set(words).subtracting(texts).isEmpty, "\(address)")
    }
  }
}

extension String {
  /// The address with a percent-encoded query.
  fileprivate var encodedQuery: String {
    addingPercentEncoding(withAllowedCharacters: .urlQueryAllowed) ?? self
  }

  /// The text between the tags of a page.
  fileprivate var visibleText: String {
    replacing(/(?s)<(script|style|svg|code)\b.*?<\/(script|style|svg|code)>/, with: " ")
      .replacing(/(?s)<[^>]*>/, with: " ").replacing(/&[a-z]+;/, with: " ")
  }
}

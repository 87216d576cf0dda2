import Foundation
import Testing

@testable import MessAI

/// The search in the messages of all conversations.
struct MessageSearchTests {
  private let fixture: LocalFixture
  private var data: LocalDataManager { fixture.data }

  init() async throws { fixture = try await LocalFixture() }

  /// Saves messages with texts and searches for another text.
  private func found(_ texts: [String], by search: String) async throws -> [String] {
    try await data.batchSaveMessages(
      texts.enumerated().map { .sample("m\($0.offset)", $0.element, at: Double($0.offset)) })
    return try await data.searchMessages(search).map(\.text).reversed()
  }

  @Test(arguments: [
    ("fair", ["Fair winds", "A fairy tale"]), ("wi fa", ["Fair winds"]), ("WINDS", ["Fair winds"]),
    ("air", []), ("fair calm", []), ("tale.", ["A fairy tale"]),
  ])
  func `A message has each word of the search as the beginning of a word`(
    _ search: String, _ expected: [String]
  ) async throws {
    #expect(try await found(["Fair winds", "Calm sea", "A fairy tale"], by: search) == expected)
  }

  @Test(arguments: ["елка", "ЁЛКА", "ёл", "Елк"])
  func `Case and the letter ё make no difference`(_ search: String) async throws {
    #expect(
      try await found(["Ёлка", "елка", "Ёлка и ель", "палка"], by: search) == [
        "Ёлка", "елка", "Ёлка и ель",
      ])
  }

  @Test(arguments: ["sibenik", "ŠIBENIK", "šiben", "s\u{30C}ibenik"])
  func `Diacritics make no difference`(_ search: String) async throws {
    #expect(
      try await found(["Šibenik", "S\u{30C}ibenik", "Split"], by: search) == [
        "Šibenik", "S\u{30C}ibenik",
      ])
  }

  @Test(arguments: [
    "fair OR calm", "fair NOT winds", "\"fair", "fair*", "text:fair", "(fair", "fair AND NEAR(x)",
    "fair ^ + -", "'; DROP TABLE messages; --", "{fair}",
  ])
  func `Whatever is typed is text`(_ search: String) async throws {
    let words = search.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
    let texts = ["Fair winds", "fair or calm", "drop table messages"]
    let expected = texts.filter { text in
      words.allSatisfy { word in
        text.lowercased().split(separator: " ").contains { $0.hasPrefix(word) }
      }
    }
    #expect(try await found(texts, by: search) == expected)
  }

  @Test(arguments: ["", " ", "…", "?!", "\"", "*"])
  func `A text without words finds nothing`(_ search: String) async throws {
    #expect(try await found(["Fair winds"], by: search) == [])
  }

  @Test func `The newest come first, from all conversations, 50 at a time`() async throws {
    let messages = (0..<120).map { number in
      Message.sample("m\(number)", "Fair \(number)", in: "c\(number % 3)", at: Double(number / 4))
    }
    try await data.batchSaveMessages(messages + [.sample("other", "Calm")])
    let expected = messages.sorted { Message.isOrdered($1, before: $0) }
    let first = try await data.searchMessages("fair")
    #expect(first == Array(expected.prefix(50)))
    var all = first
    while let last = all.last {
      let page = try await data.searchMessages("fair", after: last, limit: 30)
      guard !page.isEmpty else { break }
      #expect(page.count <= 30)
      all += page
    }
    #expect(all == expected)
  }

  @Test func `The search follows changed and deleted texts`() async throws {
    try await fixture.save(
      .sample("m1", "Fair", from: fixture.userID), .sample("m2", "Fair", at: 1))
    try await fixture.save(.sample("m1", "Calm", from: fixture.userID))
    #expect(try await data.searchMessages("fair").map(\.id) == ["m2"])
    #expect(try await data.searchMessages("calm").map(\.id) == ["m1"])
    try await data.deleteMessage(id: "m1")
    try await data.deleteMessage(id: "m2")
    #expect(try await data.searchMessages("calm") == [])
    #expect(try await data.searchMessages("fair") == [])
  }
}

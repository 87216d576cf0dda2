import Foundation
import MessAI
import OffshoreHTTP
import OffshorePages
import OffshorePresentation
import TestSupport
import Testing

@testable import MessAIWeb

/// The page of all messages that wait or have failed.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct UnsentPageTests {
  private let address = MessAIRoute.unsent.address

  /// Opens a device with a message that waits and one that has failed.
  private func makePages(_ language: Language = .english) async throws -> (ChatPages, id: String) {
    let pages = try await ChatPages(language: language)
    let id = try await pages.addConversation(group: "Crew")
    try await pages.receive("Ahoy", id: "m0", in: id, at: 0)
    try await pages.queue("Waits <here>", id: "m1", in: id, at: 1)
    try await pages.queue("Failed there", id: "m2", in: id, at: 2)
    try await pages.fail("m2")
    return (pages, id)
  }

  @Test(arguments: [
    (Language.english, "Everything has been sent"), (.russian, "Всё отправлено"),
  ])
  func `Without unsent messages the page says so`(language: Language, title: String) async throws {
    let pages = try await ChatPages(language: language)
    let page = await pages.get(address)
    #expect(page.status == .ok && page.text.contains(title))
    #expect(!page.text.contains("retry-all"))
  }

  @Test(arguments: [
    (Language.english, "Waiting", "Not sent"), (.russian, "Ждёт", "Не отправлено"),
  ])
  func `Each message has its state in words, its tools and a link to its place`(
    language: Language, waiting: String, failed: String
  ) async throws {
    let (pages, id) = try await makePages(language)
    let page = await pages.get(address)
    let (first, second) = (try page.element("unsent-m1", "a"), try page.element("unsent-m2", "a"))
    #expect(first.contains("Waits &lt;here&gt;") && first.contains(waiting))
    #expect(second.contains("Failed there") && second.contains(failed))
    #expect(second.contains("badge bad") && !first.contains("badge bad"))
    #expect(first.contains("\(pages.address(id))?at=m1#message-m1"))
    #expect(!page.text.contains("unsent-m0") && page.text.contains(#"id="retry-all""#))
    for message in ["m1", "m2"] {
      #expect(page.text.contains(#"id="edit-form-\#(message)""#))
      #expect(page.text.contains(#"id="cancel-form-\#(message)""#))
    }
    #expect(page.text.contains(#"id="retry-m2""#) && !page.text.contains(#"id="retry-m1""#))
  }

  @Test func `A damaged message is left out and named`() async throws {
    let (pages, _) = try await makePages()
    try await pages.damage(message: "m1")
    let page = await pages.get(address)
    #expect(!page.text.contains("unsent-m1") && page.text.contains(#"id="unsent-m2""#))
    #expect(page.text.contains(#"class="notices""#))
  }

  @Test func `A failed message is sent again, alone or with all others`() async throws {
    let (pages, _) = try await makePages()
    let one = await pages.post(address, ["action": "retry", "message": "m2"])
    #expect(one.status == .seeOther && one.headers["Location"] == address)
    #expect(try await pages.data.fetchUnsyncedMessages().allSatisfy { $0.status == .sending })
    try await pages.fail("m1")
    #expect(await pages.get(address).text.contains("retry-all"))
    #expect(await pages.post(address, ["action": "retry-all"]).status == .seeOther)
    #expect(try await pages.data.fetchUnsyncedMessages().allSatisfy { $0.status == .sending })
    #expect(await !pages.get(address).text.contains("retry-all"))
  }

  @Test func `A message is cancelled or edited`() async throws {
    let (pages, id) = try await makePages()
    let cancelled = await pages.post(address, ["action": "cancel", "message": "m1"])
    #expect(cancelled.status == .seeOther)
    let fields: Fields = ["action": "edit", "message": "m2", "text": "Failed\r\nnowhere "]
    #expect(await pages.post(address, fields).status == .seeOther)
    #expect(try await pages.texts(in: id) == ["Ahoy", "Failed\nnowhere"])
    let page = await pages.get(address)
    #expect(!page.text.contains("unsent-m1") && page.text.contains("Failed\nnowhere"))
    #expect(try await pages.data.fetchUnsyncedMessages().map(\.status) == [.sending])
  }

  @Test(arguments: [
    (Language.english, " ", "Write a message or add a photo."),
    (.russian, "", "Напишите сообщение или добавьте фото."),
    (.english, String(repeating: "b", count: Message.textLimit + 1), "at most 20,000 characters"),
    (.russian, String(repeating: "я", count: Message.textLimit + 1), "символов"),
  ])
  func `An edit that is not allowed has a sentence beside its field, and stays typed`(
    language: Language, text: String, sentence: String
  ) async throws {
    let (pages, id) = try await makePages(language)
    let response = await pages.post(address, ["action": "edit", "message": "m2", "text": text])
    #expect(response.status == .unprocessableContent)
    #expect(try response.element("text-m2-error", "p").contains(sentence))
    #expect(try response.element("text-m2", "textarea").contains(">\(text)"))
    #expect(!response.text.contains("text-m1-error"))
    #expect(try await pages.texts(in: id) == ["Ahoy", "Waits <here>", "Failed there"])
  }

  @Test func `An action that is not one of the page, or has no message, changes nothing`()
    async throws
  {
    let (pages, id) = try await makePages()
    for fields: Fields in [["action": "explode", "message": "m1"], ["action": "cancel"], [:]] {
      #expect(await pages.post(address, fields).status == .badRequest)
    }
    let unknown = await pages.post(address, ["action": "cancel", "message": "m9"])
    #expect(unknown.status == .unprocessableContent)
    #expect(try await pages.texts(in: id).count == 3)
  }

  @Test func `The page follows without a reload`() async throws {
    let (pages, id) = try await makePages()
    let page = await pages.get(address)
    try await pages.queue("One more", id: "m3", in: id, at: 3)
    #expect(try await pages.change(of: page, with: "One more").contains("unsent-m3"))
  }
}

import Foundation
import MessAI
import OffshoreHTTP
import OffshoreImages
import OffshorePages
import OffshorePresentation
import OffshoreSync
import OffshoreWire
import TestSupport
import Testing

@testable import MessAIWeb

/// Writing messages on the page of a conversation.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct ComposerTests {
  private let pages: ChatPages
  private let id: String
  private var address: String { pages.address(id) }

  init() async throws {
    pages = try await ChatPages()
    id = try await pages.addConversation(group: "Crew")
  }

  private func send(_ text: String, _ more: Fields = [:], on pages: ChatPages, in id: String) async
    -> Response
  {
    var fields: Fields = ["action": "send", "text": text]
    fields.items += more.items
    return await pages.post(pages.address(id), fields)
  }

  // MARK: - Texts

  @Test func `A message is stored before the page is shown again`() async throws {
    let response = await send("Ahoy\r\nthere", on: pages, in: id)
    #expect(response.status == .seeOther && response.headers["Location"] == address)
    #expect(try await pages.texts(in: id) == ["Ahoy\nthere"])
    let page = await pages.get(address)
    #expect(page.text.contains("Ahoy\nthere"))
    #expect(try page.element("field-text", "textarea").hasSuffix(">"), "the field is empty")
  }

  @Test func `A form that is sent twice makes one message`() async throws {
    let page = await pages.get(address)
    let entry = try #require(page.text.firstMatch(of: /name="entry" value="([^"]+)"/)).1
    for _ in 1...2 {
      #expect(
        await send("Ahoy", ["entry": String(entry)], on: pages, in: id).status == .seeOther)
    }
    #expect(try await pages.texts(in: id) == ["Ahoy"])
  }

  @Test(arguments: [
    (Language.english, "", "Write a message or add a photo."),
    (.russian, "", "Напишите сообщение или добавьте фото."),
    (.english, " \n ", "Write a message or add a photo."),
    (.english, String(repeating: "a", count: Message.textLimit + 1), "at most 20,000 characters"),
    (.russian, String(repeating: "я", count: Message.textLimit + 1), "символов"),
  ])
  func `A text that is not allowed has a sentence beside its field, and stays typed`(
    language: Language, text: String, sentence: String
  ) async throws {
    let pages = try await ChatPages(language: language)
    let id = try await pages.addConversation()
    let response = await send(text, on: pages, in: id)
    #expect(response.status == .unprocessableContent)
    let error = try response.element("field-text-error", "p")
    #expect(error.contains(sentence))
    #expect(response.text.contains(#"aria-invalid="true""#))
    if text.count > 3 { #expect(response.text.contains(text)) }
    #expect(try await pages.texts(in: id) == [])
  }

  @Test func `A form that is too large, or not one of the page, changes nothing`() async throws {
    let large = await pages.post(address, body: [UInt8](repeating: 0, count: (32 << 20) + 1))
    #expect(large.status == .contentTooLarge)
    for action in ["", "sendd", "more"] {
      let response = await pages.post(address, ["action": action, "text": "Ahoy"])
      #expect(response.status == .badRequest, "\(action)")
    }
    #expect(await pages.post(address, ["action": "retry"]).status == .badRequest)
    #expect(try await pages.texts(in: id) == [])
  }

  // MARK: - Images

  /// Returns the addresses of the images on a page.
  private func images(_ page: Response) -> [String] {
    page.text.matches(of: /"(\/files\/[0-9a-f]{64})"/).map { String($0.1) }
  }

  @Test func `An image is sent with a thumbnail, with or without a text`() async throws {
    for text in ["", "Look"] {
      let response = await pages.post(
        address, ["action": "send", "text": text], image: SampleImage.png)
      #expect(response.status == .seeOther)
    }
    #expect(try await pages.texts(in: id) == ["", "Look"])
    let page = await pages.get(address)
    let (shown, thumbnails) = (images(page), page.text.matches(of: /<img[^>]*src="\/files\//))
    #expect(Set(shown).count == 2 && thumbnails.count == 2)
    #expect(page.text.contains(#"alt="Your photo""#))
    for address in Set(shown) {
      let image = await pages.get(address)
      #expect(image.status == .ok)
      #expect(["image/png", "image/jpeg"].contains(image.headers["Content-Type"]))
    }
    #expect(await pages.get("/").text.contains("Look"))
  }

  @Test func `A file is not an image, and the text stays typed`() async throws {
    let response = await pages.post(
      address, ["action": "send", "text": "Look"], image: SampleImage.text)
    #expect(response.status == .unprocessableContent)
    #expect(try !response.element("field-image-error", "p").isEmpty)
    #expect(response.text.contains(">Look</textarea>"))
    #expect(try await pages.texts(in: id) == [])
  }

  @Test(arguments: [Language.english, .russian])
  func `An image that is too large has a sentence beside its field, and the text stays typed`(
    language: Language
  ) async throws {
    let pages = try await ChatPages(language: language)
    let id = try await pages.addConversation()
    let page = await pages.get(pages.address(id))
    // The script says the same before it sends anything.
    #expect(try page.element("attach", "details").contains(#"data-limit="10485760""#))
    let said = try #require(page.text.firstMatch(of: /data-too-large="([^"]+)"/)).1
    for size in [(10 << 20) + 1, 20 << 20] {
      let response = await pages.post(
        pages.address(id), ["action": "send", "text": "Look"],
        image: [UInt8](repeating: 1, count: size))
      #expect(response.status == .unprocessableContent)
      #expect(try response.element("field-image-error", "p").contains(said))
      #expect(response.text.contains(">Look</textarea>"))
    }
    #expect(try await pages.texts(in: id) == [])
  }

  @Test func `A file to which no message refers is not found`() async throws {
    _ = await pages.post(address, ["action": "send", "text": "Look"], image: SampleImage.png)
    let shown = try #require(images(await pages.get(address)).first)
    #expect(await pages.get(shown).status == .ok)
    let other = try await pages.store.files.add([1, 2, 3])
    for address in [other.address, "/files/x", "/files/\(String(repeating: "0", count: 64))"] {
      #expect(await pages.get(address).status == .notFound, "\(address)")
    }
    let message = try #require(try await pages.data.fetchUnsyncedMessages().first)
    _ = await pages.post(address, ["action": "delete", "message": message.id])
    #expect(await pages.get(shown).status == .notFound)
  }

  // MARK: - Drafts

  @Test func `A draft is shown again after the file was reopened, until it is sent`() async throws {
    let folder = try TemporaryFolder()
    let first = try await ChatPages(folder.file("messai.sqlite"))
    let id = try await first.addConversation()
    let other = try await first.addConversation()
    let kept = await first.post(first.address(id), ["action": "keep", "text": "Half a <sen"])
    #expect(kept.status == .seeOther)
    await first.store.close()
    let second = try await ChatPages(folder.file("messai.sqlite"))
    #expect(await second.get(second.address(id)).text.contains(">Half a &lt;sen</textarea>"))
    #expect(await !second.get(second.address(other)).text.contains("Half a"))
    #expect(await send("Half a sentence", on: second, in: id).status == .seeOther)
    #expect(await !second.get(second.address(id)).text.contains("Half a &lt;sen"))
    await second.store.close()
  }

  // MARK: - Actions on messages

  @Test func `A reply is chosen, shown above the field, and sent`() async throws {
    try await pages.receive("Where are you?", id: "m1", in: id)
    let choosing = await pages.post(address, ["action": "reply", "message": "m1"])
    #expect(choosing.status == .ok)
    #expect(try choosing.element("replying", "p").contains("Where are you?"))
    #expect(choosing.text.contains(#"name="reply" value="m1""#))
    #expect(await send("At Vis", ["reply": "m1"], on: pages, in: id).status == .seeOther)
    let reply = try #require(try await pages.data.fetchUnsyncedMessages().first)
    #expect(reply.replyToId == "m1")
    #expect(try await pages.get(address).bubble(reply.id).contains("Where are you?"))
    #expect(await !pages.get(address).text.contains(#"id="replying""#))
  }

  @Test func `The choice of a message to answer, and of none, leads to the field`() async throws {
    try await pages.receive("Where are you?", id: "m1", in: id)
    let page = await pages.get(address)
    #expect(!page.text.contains("autofocus"))
    #expect(try page.element("reply-m1", "form").contains(#"data-focus="field-text""#))
    let focused = /<textarea[^>]*id="field-text"[^>]* autofocus/
    let choosing = await pages.post(address, ["action": "reply", "message": "m1"])
    #expect(choosing.text.firstMatch(of: focused) != nil)
    #expect(try choosing.element("cancel-reply", "form").contains(#"data-focus="field-text""#))
    let cancelling = await pages.post(address, ["action": "cancel-reply"])
    #expect(cancelling.status == .ok && cancelling.text.firstMatch(of: focused) != nil)
    #expect(!cancelling.text.contains(#"name="reply""#))
    #expect(await !pages.get(address).text.contains("autofocus"))
  }

  @Test func `An own message is deleted, and one of another member only here`() async throws {
    try await pages.receive("Theirs", id: "m1", in: id, at: 1)
    try await pages.queue("Ours", id: "m2", in: id, at: 2)
    for message in ["m1", "m2"] {
      let response = await pages.post(address, ["action": "delete", "message": message])
      #expect(response.status == .seeOther)
    }
    let page = await pages.get(address)
    #expect(!page.text.contains("Theirs") && !page.text.contains("Ours"))
    #expect(try await pages.texts(in: id) == [])
  }

  @Test(arguments: [
    (Language.english, "Delete for all members", "devices of all members. This cannot be undone."),
    (.russian, "Удалить у всех", "с устройств всех участников. Отменить это нельзя."),
  ])
  func `A deletion for all members says so before its second step`(
    language: Language, title: String, sentence: String
  ) async throws {
    let pages = try await ChatPages(language: language)
    let id = try await pages.addConversation()
    try await pages.receive("Ours", id: "m1", in: id, from: pages.userID)
    let step = try await pages.get(pages.address(id)).element("delete-m1", "details")
    #expect(step.contains(">\(title)</summary>") && step.contains(sentence))
    #expect(step.contains(#"value="delete""#))
    _ = await pages.post(pages.address(id), ["action": "delete", "message": "m1"])
    #expect(await !pages.get(pages.address(id)).text.contains(#"id="undo""#))
  }

  @Test func `A deletion on this device is undone by the bar`() async throws {
    try await pages.receive("Theirs", id: "m1", in: id)
    #expect(await !pages.get(address).text.contains(#"id="delete-m1""#))
    _ = await pages.post(address, ["action": "delete", "message": "m1"])
    let page = await pages.get(address)
    #expect(!page.text.contains("Theirs"))
    #expect(try page.element("undo", "p").contains("The message was deleted on this device."))
    let removal = try #require(page.text.firstMatch(of: /name="removal" value="([^"]+)"/)).1
    let undone = await pages.post(
      "/undo", ["action": "undo-removal", "removal": String(removal), "page": address])
    #expect(undone.status == .seeOther && undone.headers["Location"] == address)
    let restored = await pages.get(address)
    #expect(restored.text.contains("Theirs") && !restored.text.contains(#"id="undo""#))
  }

  @Test(arguments: [Language.english, .russian])
  func `An action on a message that does not exist has a sentence`(language: Language) async throws
  {
    let pages = try await ChatPages(language: language)
    let id = try await pages.addConversation()
    for action in ["delete", "retry", "cancel", "edit"] {
      let response = await pages.post(
        pages.address(id), ["action": action, "message": "m9", "text": "Ahoy"])
      #expect(response.status == .unprocessableContent, "\(action)")
      #expect(response.text.contains(#"<p class="error" role="alert">"#), "\(action)")
    }
  }

  @Test func `A message that waits offers no deletion, and one that was sent offers nothing else`()
    async throws
  {
    try await pages.queue("Ahoi", id: "m1", in: id, at: 1)
    try await pages.receive("Land", id: "m2", in: id, from: pages.userID, at: 2)
    try await pages.queue("Failed", id: "m3", in: id, at: 3)
    try await pages.fail("m3")
    let page = await pages.get(address)
    let forms = ["retry", "edit-form", "cancel-form", "delete"]
    for (id, offered) in [
      ("m1", ["edit-form", "cancel-form"]), ("m2", ["delete"]),
      ("m3", ["retry", "edit-form", "cancel-form"]),
    ] {
      let shown = forms.filter { page.text.contains(#"id="\#($0)-\#(id)""#) }
      #expect(shown == offered, "\(id)")
    }
  }

  @Test(arguments: [
    (Language.english, "Nothing was deleted.", "You can delete it for all members."),
    (.russian, "Ничего не удалено.", "Его можно удалить у всех участников."),
  ])
  func `A message that was sent meanwhile is not cancelled, and the page says why`(
    language: Language, first: String, second: String
  ) async throws {
    let pages = try await ChatPages(language: language)
    let id = try await pages.addConversation()
    try await pages.receive("Land", id: "m1", in: id, from: pages.userID)
    let response = await pages.post(
      pages.address(id), ["action": "cancel", "message": "m1"])
    #expect(response.status == .unprocessableContent)
    let alert = try #require(response.text.firstMatch(of: /role="alert">([^<]+)</)).1
    #expect(alert.contains(first) && alert.contains(second))
  }

  @Test func `A message that waits is edited and cancelled on the page`() async throws {
    try await pages.queue("Ahoi", id: "m1", in: id)
    var fields: Fields = ["action": "edit", "message": "m1", "text": "Ahoy"]
    #expect(await pages.post(address, fields).status == .seeOther)
    #expect(try await pages.texts(in: id) == ["Ahoy"])
    fields = ["action": "edit", "message": "m1", "text": "  "]
    #expect(await pages.post(address, fields).status == .unprocessableContent)
    #expect(try await pages.texts(in: id) == ["Ahoy"])
    fields = ["action": "cancel", "message": "m1"]
    #expect(await pages.post(address, fields).status == .seeOther)
    #expect(try await pages.texts(in: id) == [])
  }
}

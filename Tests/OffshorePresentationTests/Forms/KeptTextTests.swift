import Foundation
import Offshore
import OffshorePresentation
import OffshoreSync
import TestSupport
import Testing

@MainActor @Suite(.timeLimit(.minutes(1)))
struct KeptTextTests {
  private func loaded(_ key: String = "note", in store: SyncedStore) async -> KeptText {
    let text = KeptText(key, in: store)
    await text.load()
    return text
  }

  @Test func `A text survives a restart, and each key has its own`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("journey.sqlite")
    let store = try Journey.open(path)
    let text = await loaded(in: store)
    #expect(text.text == "" && text.loadError == nil)
    try await text.keep("Anchor in")
    try await text.keep("Anchor in\nthe bay")
    #expect(try await store.setting("draft.note") == "Anchor in\nthe bay")
    await store.close()
    let again = try Journey.open(path)
    #expect(await loaded(in: again).text == "Anchor in\nthe bay")
    #expect(await loaded("other", in: again).text == "")
    await again.close()
  }

  @Test func `Own typing does not change the text of the field`() async throws {
    let store = try Journey.open()
    try await store.set("draft.note", to: "Anchor")
    let text = await loaded(in: store)
    for typed in ["Anchor i", "Anchor in", "Anchor in the bay"] { try await text.keep(typed) }
    #expect(text.text == "Anchor")
    #expect(try await store.setting("draft.note") == "Anchor in the bay")
  }

  @Test func `A removed text leaves an empty field, at once`() async throws {
    let store = try Journey.open()
    try await store.set("draft.note", to: "Anchor")
    let text = await loaded(in: store)
    try await text.keep("Anchor in")
    try await text.remove()
    #expect(text.text == "")
    #expect(try await store.setting("draft.note") == nil)
  }

  @Test func `An empty text is not stored`() async throws {
    let store = try Journey.open()
    let text = await loaded(in: store)
    try await text.keep("A")
    try await text.keep("")
    #expect(try await store.setting("draft.note") == nil && text.text == "")
  }

  @Test func `Of two pages the last writer wins, and the other shows its text`() async throws {
    let store = try Journey.open()
    let (one, other) = (await loaded(in: store), await loaded(in: store))
    try await one.keep("One")
    await waitUntil { other.text == "One" }
    #expect(one.text == "")
    try await other.keep("Other")
    await waitUntil { one.text == "Other" }
    #expect(other.text == "One")
    #expect(try await store.setting("draft.note") == "Other")
    try await one.remove()
    await waitUntil { other.text == "" }
  }

  @Test func `A text is removed in the transaction that saves it, or not at all`() async throws {
    let store = try Journey.open()
    let text = await loaded(in: store)
    try await text.keep("Kornati")
    await #expect(throws: Unreachable.self) {
      try await store.write { writer in
        try KeptText.remove("note", writer)
        throw Unreachable()
      }
    }
    #expect(try await store.setting("draft.note") == "Kornati")
    try await store.write { writer in
      try Trip(id: UUID(), name: "Kornati").insert(writer)
      try KeptText.remove("note", writer)
    }
    #expect(try await store.setting("draft.note") == nil)
    #expect(await loaded(in: store).text == "")
  }

  @Test func `A text that was removed with its row leaves an empty field, without another write`()
    async throws
  {
    let store = try Journey.open()
    let text = await loaded(in: store)
    try await text.keep("Kornati")
    let other = await loaded(in: store)
    #expect(other.text == "Kornati")
    try await store.write { try KeptText.remove("note", $0) }
    // No write is possible.
    try await store.write { writer in
      try SQL("CREATE TRIGGER stop BEFORE DELETE ON settings BEGIN SELECT RAISE(ABORT, ''); END")
        .run(writer)
    }
    for each in [text, other] {
      await each.clear()
      #expect(each.text.isEmpty)
    }
    try await text.keep("Vis")
    await waitUntil { other.text == "Vis" }
    await store.close()
  }

  @Test func `A text that cannot be stored leaves the former one`() async throws {
    let store = try Journey.open()
    let text = await loaded(in: store)
    try await text.keep("Former")
    try await store.run(
      "CREATE TRIGGER full BEFORE INSERT ON settings BEGIN SELECT RAISE(ABORT, 'full'); END",
      "CREATE TRIGGER full_again BEFORE UPDATE ON settings BEGIN SELECT RAISE(ABORT, 'full'); END")
    await #expect(throws: AppError.self) { try await text.keep("Latter") }
    #expect(try await store.setting("draft.note") == "Former")
    #expect(text.text == "")
    try await store.run("DROP TRIGGER full", "DROP TRIGGER full_again")
    try await text.keep("Latter")
    #expect(try await store.setting("draft.note") == "Latter")
  }

  @Test func `A text that cannot be read is an error beside an empty field`() async throws {
    let store = try Journey.open()
    await store.close()
    let text = KeptText("note", in: store)
    await text.load()
    #expect(text.text == "" && text.loadError != nil)
  }

  @Test func `Erasing a device removes all texts`() async throws {
    let store = try Journey.open()
    let text = await loaded(in: store)
    try await text.keep("Anchor")
    #expect(try await store.erase())
    #expect(try await store.setting("draft.note") == nil)
    #expect(await loaded(in: store).text == "")
  }
}

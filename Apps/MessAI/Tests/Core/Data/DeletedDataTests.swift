import Foundation
import Offshore
import OffshoreSync
import TestSupport
import Testing

@testable import MessAI

/// The removal of everything of a person at sign-out.
@Suite(.timeLimit(.minutes(1)))
struct DeletedDataTests {
  /// A word of the person, which the index of words has in this form, too.
  private static let mark = "kornati7f3a"
  private static let account = LinkedAccount(id: UUID(), name: "ann-\(mark)")

  private let folder: TemporaryFolder
  private var path: String { folder.file("messai.sqlite") }

  init() throws { folder = try TemporaryFolder() }

  /// Opens a file of an account with sent, unsent, deleted and hidden messages, a receipt, a draft and a
  /// file of a marked person.
  private func filled() async throws -> PersistenceController {
    let controller = try PersistenceController(path: path)
    let store = controller.store
    try await store.link(Self.account, token: "token-\(Self.mark)")
    let data = LocalDataManager(controller)
    let id = Self.account.id.uuidString
    try await data.saveConversation(.sample("c1", with: [id, "ben"], createdBy: id))
    try await data.batchSaveMessages(
      (0..<100).map { .sample("b\($0)", "\(Self.mark) \($0)", at: Double($0)) })
    for number in 0..<20 {
      try await data.saveMessage(
        .sample("a\(number)", "\(Self.mark) unsent \(number)", from: id, status: .sending),
        isSynced: false)
    }
    try await data.updateMessageStatus(id: "b1", status: .read)
    try await data.deleteMessage(id: "a3")
    try await data.deleteMessage(id: "b3")
    try await store.set("draft.c1", to: "\(Self.mark) draft")
    _ = try await store.files.add(Array("\(Self.mark) image".utf8))
    try Data(Self.mark.utf8).write(to: URL(filePath: path + ".before-v2.backup"))
    return controller
  }

  /// Returns the names of the files that contain the mark, whatever the case of its letters.
  private func markedFiles() throws -> [String] {
    let marks = [Self.mark, Self.mark.uppercased()].map { Data($0.utf8) }
    return try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { name in
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: folder.file(name), isDirectory: &isFolder),
        !isFolder.boolValue
      else { return false }
      let content = try Data(contentsOf: URL(filePath: folder.file(name)))
      return marks.contains { content.range(of: $0) != nil }
    }
  }

  @Test func `No file has any byte of the person afterwards, and the controller goes on empty`()
    async throws
  {
    let controller = try await filled()
    #expect(try markedFiles().count >= 3)
    try await controller.deleteAllData()
    #expect(try markedFiles() == [])
    let data = LocalDataManager(controller)
    #expect(try await data.fetchConversations() == [])
    #expect(try await data.fetchUnsyncedMessages() == [])
    #expect(try await data.searchMessages(Self.mark) == [])
    #expect(try await controller.store.setting("draft.c1") == nil)
    try await data.saveMessage(.sample("m1", "Hello"))
    #expect(try await data.searchMessages("hel").map(\.id) == ["m1"])
    await controller.store.close()
    #expect(try markedFiles() == [])
  }

  @Test func `No deletion is pending, and another account can have the file`() async throws {
    let controller = try await filled()
    let store = controller.store
    let former = try await store.read { try SyncedStore.userID($0) }
    try await controller.deleteAllData()
    #expect(try await store.read { try SyncedStore.userID($0) } != former)
    #expect(try await store.read { try SyncedStore.account($0) } == nil)
    let other = LinkedAccount(id: UUID(), name: "ben")
    try await store.link(other, token: "other")
    #expect(try await store.read { try store.replica.status($0).pending } == 0)
    await store.close()
  }

  @Test func `A removal that was interrupted is completed by the next start`() async throws {
    let controller = try await filled()
    try await controller.store.set("erasure", to: "requested")
    await controller.store.close()
    #expect(try !markedFiles().isEmpty)
    let reopened = try PersistenceController(path: path)
    #expect(try markedFiles() == [])
    #expect(try await LocalDataManager(reopened).fetchConversations() == [])
    await reopened.store.close()
  }
}

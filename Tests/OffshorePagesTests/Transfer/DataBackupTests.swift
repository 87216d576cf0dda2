import Foundation
import OffshoreFiles
import OffshoreHTTP
import OffshorePresentation
import OffshoreWeb
import TestSupport
import Testing

@testable import OffshorePages

/// The download of a backup, its restoration, and received stores.
@MainActor struct DataBackupTests {
  private let say = Localizer(.english, calendar: .utc)
  private let group = MemoryGroup<NoteChange>()
  private let today = Today(
    now: { Date(timeIntervalSince1970: 1_813_053_600) }, calendar: { .utc })

  private func form(_ action: String, _ content: String, names: String...) throws -> PageForm {
    let fields: Fields = ["action": action]
    let files = (names.isEmpty ? ["a.json"] : names).map { name in
      "Content-Disposition: form-data; name=\"restore\"; filename=\"\(name)\"\r\n\r\n\(content)"
    }
    return try PageForm(
      Request.multipart("/data", fields.items.map(\.multipart) + files), limit: 1 << 16)
  }

  @Test func `A downloaded backup replaces everything, with a sentence to undo it by`()
    async throws
  {
    try group.perform(.save(Note("Bura")))
    var sentences: [String] = []
    let backup = DataBackup(named: "notes", today: today) { [group] in
      group
    } restored: { [say] sentence, _ in
      sentences.append(say(sentence))
    }
    var router = Router()
    router.addBackup(backup)
    let file = await router.respond(to: Request(.get, "/backup"))
    #expect(file.headers["Content-Disposition"]?.contains("notes-2027-06-15.json") == true)
    try group.perform(.save(Note("Jugo")))
    let part = BackupPart(backup)
    #expect(part.html(to: "/data", say).description.contains(#"href="/backup""#))
    #expect(await part.perform(try form("restore", file.text)) == .drafted)
    #expect(try group.load(Note.self).map(\.text) == ["Bura"])
    #expect(sentences == ["The backup replaced everything."])
    #expect(part.html(to: "/data", say).description.contains(sentences[0]))
  }

  @Test func `A file that is not a backup is refused, and a form of another part left to it`()
    async throws
  {
    try group.perform(.save(Note("Bura")))
    let part = BackupPart(DataBackup(named: "notes", today: today) { [group] in group })
    #expect(await part.perform(try form("restore", "[1]")) == .invalid)
    #expect(part.html(to: "/data", say).description.contains("This is not a backup"))
    #expect(try group.load(Note.self).map(\.text) == ["Bura"])
    #expect(await part.perform(try form("import", "[1]")) == nil)
  }

  @Test func `The files of a store are beside each other, until the operation has ended`()
    async throws
  {
    let files = try form("restore", "rows", names: "default.store", "default.store-wal")
      .files("restore")
    let path = try await UploadForm.withStore(files) { store in
      for suffix in ["", "-wal"] {
        let data = try Data(contentsOf: URL(filePath: store.path + suffix))
        #expect(data == Data("rows".utf8))
      }
      return store.path
    }
    #expect(!FileManager.default.fileExists(atPath: path))
    await #expect(throws: UploadForm.Refusal.self) {
      try await UploadForm.withStore(files) { _ in
        throw UploadForm.Refusal(LocalizedText(verbatim: "No store."))
      }
    }
  }
}

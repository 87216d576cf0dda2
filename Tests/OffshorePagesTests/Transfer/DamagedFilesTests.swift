import Foundation
import OffshoreFiles
import OffshoreHTTP
import OffshorePresentation
import OffshoreWeb
import TestSupport
import Testing

@testable import OffshorePages

/// A part that lists damaged files.
@MainActor struct DamagedFilesTests {
  private let say = Localizer(.english, calendar: .utc)
  private let folder: TemporaryFolder
  private let group: FileGroup<NoteChange>
  private let files: DamagedFiles

  init() throws {
    folder = try TemporaryFolder()
    group = FileGroup(DocumentFolder(folder.path))
    files = DamagedFiles(of: group)
  }

  private var markup: String { files.html(to: "/data", say).description }

  private func damage(_ name: String) throws {
    try Data("[".utf8).write(to: URL(filePath: folder.file(name)))
  }

  @Test func `There is nothing to show while all files can be loaded`() async throws {
    try await group.perform(.save(Note("Bura")))
    await files.load()
    #expect(markup.isEmpty)
    let none = DamagedFiles(of: nil as FileGroup<NoteChange>?)
    await none.load()
    #expect(none.html(to: "/data", say).isEmpty)
  }

  @Test func `A damaged file is restored from its copy`() async throws {
    try await group.perform(.save(Note("Bura")))
    try damage("notes.json")
    await files.load()
    #expect(markup.contains(#"id="damaged-notes.json""#))
    #expect(markup.contains("Use the last good copy") && !markup.contains("damaged-changes.json"))
    let form = PageForm(["action": "recover", "file": "notes.json"])
    #expect(await files.perform(form) == .done)
    #expect(markup.isEmpty)
    #expect(try await group.load(Note.self).map(\.text) == ["Bura"])
  }

  @Test func `A damaged file without a copy is started again`() async throws {
    try damage("changes.json")
    await files.load()
    #expect(markup.contains("Start with an empty file"))
    #expect(!markup.contains("Use the last good copy"))
    let recovery = PageForm(["action": "recover", "file": "changes.json"])
    #expect(await files.perform(recovery) == .invalid)
    #expect(await files.perform(PageForm(["action": "restart", "file": "changes.json"])) == .done)
    #expect(markup.isEmpty)
    #expect(try await group.loadChanges() == [])
  }

  @Test func `A form of another part, or for another file, is left to it`() async {
    #expect(await files.perform(PageForm(["action": "import"])) == nil)
    #expect(await files.perform(PageForm(["action": "restart", "file": "../x"])) == nil)
  }
}

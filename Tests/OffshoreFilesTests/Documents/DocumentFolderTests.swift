import Foundation
import OffshoreFiles
import Testing

/// Changes of several documents of a folder, on the disk and in memory.
@Suite(.timeLimit(.minutes(1)))
struct DocumentFolderTests {
  private let disk: TestFolder

  init() throws { disk = try TestFolder() }

  private var folders: [DocumentFolder] { [disk.open(), .inMemory()] }

  @Test func `Several documents change together`() async throws {
    for folder in folders {
      let (a, b) = (folder.document("a.json", default: 1), folder.document("b.json", default: "x"))
      let notes = folder.collection("notes.json", of: Note.self)
      let sum = try await folder.update { update in
        try update.change(a) { $0 += 1 }
        try update.change(b) { $0 += "y" }
        try update.change(notes) { $0.upsert(Note("n")) }
        try update.change(a) { $0 += 1 }
        return try update.value(of: a) + update.elements(of: notes).count
      }
      #expect(sum == 4)
      #expect(try await (a.load(), b.load()) == (3, "xy"))
      #expect(try await notes.load() == [Note("n")])
    }
  }

  @Test func `An update whose closure throws changes nothing`() async throws {
    for folder in folders {
      let (a, b) = (folder.document("a.json", default: 1), folder.document("b.json", default: 1))
      try await a.save(2)
      await #expect(throws: CancellationError.self) {
        try await folder.update { update in
          try update.change(a) { $0 = 3 }
          try update.save(3, in: b)
          throw CancellationError()
        }
      }
      #expect(try await (a.load(), b.load()) == (2, 1))
    }
  }

  @Test func `A value that cannot be stored keeps all documents as they were`() async throws {
    for folder in folders {
      let a = folder.document("a.json", default: 1)
      let b = folder.document("b.json", default: 1.5)
      let error = await #expect(throws: FileError.self) {
        try await folder.update { update in
          try update.save(2, in: a)
          try update.save(.infinity, in: b)
        }
      }
      #expect(error?.code == .invalidValue)
      #expect(try await (a.load(), b.load()) == (1, 1.5))
    }
  }

  @Test func `Only the documents that differ are written`() async throws {
    let folder = disk.open()
    let (a, b) = (folder.document("a.json", default: 1), folder.document("b.json", default: 1))
    try await folder.update { update in
      try update.save(2, in: a)
      try update.save(2, in: b)
    }
    let number = try disk.number(of: "a.json")
    try await folder.update { update in
      try update.change(a) { $0 = 2 }
      try update.change(b) { $0 = 3 }
    }
    #expect(try disk.number(of: "a.json") == number)
    #expect(
      try disk.names() == ["a.json", "a.json.backup", "b.json", "b.json.backup"])
    #expect(disk.text("b.json.backup") == "3\n")
  }

  @Test func `A damaged document fails the whole update`() async throws {
    let folder = disk.open()
    let (a, b) = (folder.document("a.json", default: 1), folder.document("b.json", default: 1))
    try disk.write("x", to: "b.json")
    let error = await #expect(throws: FileError.self) {
      try await folder.update { update in
        try update.change(a) { $0 = 2 }
        try update.change(b) { $0 = 2 }
      }
    }
    #expect(error?.code == .corrupted)
    #expect(error?.file == "b.json")
    #expect(try await a.load() == 1)
  }

  @Test func `Elements of a collection are replaced in an update, except unknown ones`()
    async throws
  {
    for folder in folders {
      let (one, two) = (
        folder.collection("n.json", of: Note.self), folder.collection("n.json", of: Note.self)
      )
      try await one.replaceAll([Note("a"), Note("b")])
      _ = try await two.load()
      try await one.upsert(Note("c"))
      try await folder.update { update in
        #expect(try update.elements(of: two).map(\.id) == ["a", "b", "c"])
        try update.replaceLoaded([Note("b", "new")], in: two)
      }
      #expect(try await one.load() == [Note("b", "new"), Note("c")])
      try await folder.update { try $0.replaceAll([Note("d")], in: two) }
      #expect(try await one.load() == [Note("d")])
    }
  }

  @Test func `An update that throws does not count for the elements that are known`() async throws {
    let folder = disk.open()
    let notes = folder.collection("n.json", of: Note.self)
    let other = folder.collection("n.json", of: Note.self)
    try await notes.replaceAll([Note("a")])
    _ = try? await folder.update { update in
      try update.change(notes) { $0.remove("a") }
      throw CancellationError()
    }
    try await notes.replaceLoaded([])
    #expect(try await other.load() == [])
  }

  // MARK: - Misuse

  @Test func `A document of another folder is refused`() async throws {
    let other = disk.open().document("a.json", default: 1)
    let error = await #expect(throws: FileError.self) {
      try await disk.open().update { try $0.save(2, in: other) }
    }
    #expect(error?.code == .misuse)
    #expect(error?.message.contains("is in another folder") == true)
    #expect(try disk.names() == [])
  }

  @Test func `Two objects for one file are refused in one update`() async throws {
    for folder in folders {
      let (one, two) = (
        folder.document("a.json", default: 1), folder.document("a.json", default: 1)
      )
      let strange = folder.document("a.json", default: "x")
      let error = await #expect(throws: FileError.self) {
        try await folder.update { update in
          try update.save(2, in: one)
          try update.save(3, in: two)
        }
      }
      #expect(error?.code == .misuse)
      await #expect(throws: FileError.self) {
        try await folder.update { update in
          try update.save(2, in: one)
          try update.save("y", in: strange)
        }
      }
      #expect(try await one.load() == 1)
    }
  }

  // MARK: - Memory

  @Test func `Folders in memory are independent and have no path`() async throws {
    let (one, two) = (DocumentFolder.inMemory(), DocumentFolder.inMemory())
    try await one.document("a.json", default: 1).save(2)
    #expect(try await two.document("a.json", default: 1).load() == 1)
    #expect(try await one.document("a.json", default: 1).load() == 2)
    #expect(one.path == "")
    #expect(one.document("a.json", default: 1).path == "a.json")
    #expect(await one.watchError == nil)
  }

  @Test func `A file over the limit is refused in memory, too`() async throws {
    let folder = DocumentFolder.inMemory()
    try await folder.document("a.json", default: "").save("a long text")
    let small = folder.document(
      "a.json", default: "", configuration: JSONConfiguration(sizeLimit: 5))
    let error = await #expect(throws: FileError.self) { try await small.load() }
    #expect(error?.code == .tooLarge)
  }

  @Test func `A value of another type is set aside in memory, too, and its copy restored`()
    async throws
  {
    let folder = DocumentFolder.inMemory()
    try await folder.document("a.json", default: 1).save(5)
    let texts = folder.document("a.json", default: "")
    let error = await #expect(throws: FileError.self) { try await texts.load() }
    #expect(error?.code == .corrupted)
    #expect(error?.setAside?.hasPrefix("a.json.damaged-") == true)
    #expect(error?.lastGoodCopy == nil)
    #expect(try await folder.document("a.json", default: 1).restoreLastGoodCopy() == 5)
  }
}

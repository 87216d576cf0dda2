import Foundation
import Synchronization
import Testing

@testable import OffshoreFiles

private struct Refused: Error {}

/// An update that is used after its closure, against its rules.
///
/// It is `@unchecked Sendable` because the queue of one folder guards the update.
private final class KeptUpdate: @unchecked Sendable {
  var update: FolderUpdate?
}

/// The update of several documents, of which all change or none.
@Suite(.timeLimit(.minutes(1)))
struct FolderUpdateTests {
  private let disk: TestFolder

  init() throws { disk = try TestFolder() }

  private var folders: [DocumentFolder] { [disk.open(), .inMemory()] }

  // MARK: - All or none

  @Test func `Thirty documents change together, and not if the last of them is refused`()
    async throws
  {
    for folder in folders {
      let names = (0..<30).map { "\($0).json" }
      let documents = names.map { folder.document($0, default: 0.5) }
      try await folder.update { update in
        for document in documents { try update.save(1.5, in: document) }
      }
      let error = await #expect(throws: FileError.self) {
        try await folder.update { update in
          for document in documents.dropLast() { try update.change(document) { $0 += 1 } }
          try update.save(.nan, in: documents[29])
        }
      }
      #expect(error?.code == .invalidValue)
      #expect(error?.file == "29.json")
      for document in documents { #expect(try await document.reload() == 1.5) }
    }
    #expect(try disk.names().count == 60)
  }

  @Test func `Elements with one id keep all documents as they were`() async throws {
    for folder in folders {
      let number = folder.document("n.json", default: 1)
      let notes = folder.collection("notes.json", of: Note.self)
      try await notes.upsert(Note("a"))
      let error = await #expect(throws: FileError.self) {
        try await folder.update { update in
          try update.save(2, in: number)
          try update.replaceAll([Note("b"), Note("b")], in: notes)
        }
      }
      #expect(error?.code == .duplicateID)
      #expect(try await number.load() == 1)
      #expect(try await notes.load() == [Note("a")])
    }
  }

  @Test func `Nothing is stored before the end of the closure`() async throws {
    let folder = disk.open()
    let (a, b) = (folder.document("a.json", default: 1), folder.document("b.json", default: 1))
    try await folder.update { update in
      try update.save(2, in: a)
      try update.save(2, in: b)
      #expect(try update.value(of: a) == 2)
      #expect(try disk.names() == [])
    }
    #expect(disk.text("a.json") == "2\n")
    #expect(disk.text("b.json") == "2\n")
  }

  @Test func `A failed update is not observed, and the next one is, once for each document`()
    async throws
  {
    for folder in folders {
      let (a, b) = (folder.document("a.json", default: 1), folder.document("b.json", default: 1))
      var (ofA, ofB) = (a.values().makeAsyncIterator(), b.values().makeAsyncIterator())
      #expect(try await ofA.next() == 1)
      #expect(try await ofB.next() == 1)
      await #expect(throws: Refused.self) {
        try await folder.update { update in
          try update.save(2, in: a)
          try update.save(2, in: b)
          throw Refused()
        }
      }
      try await folder.update { update in
        try update.save(3, in: a)
        try update.save(4, in: b)
      }
      #expect(try await ofA.next() == 3)
      #expect(try await ofB.next() == 4)
    }
  }

  // MARK: - Values in an update

  @Test func `A document has the changes of the update so far, of each kind`() async throws {
    for folder in folders {
      let list = folder.document("list.json", default: [0])
      let notes = folder.collection("notes.json", of: Note.self)
      let last = try await folder.update { update in
        try update.change(list) { $0.append(1) }
        try update.save(update.value(of: list) + [2], in: list)
        let removed = try update.change(list) { $0.removeFirst() }
        #expect(removed == 0)
        try update.replaceAll([Note("a"), Note("b")], in: notes)
        try update.change(notes) { $0.upsert(Note("c")) }
        try update.replaceLoaded(Array(update.elements(of: notes).dropFirst()), in: notes)
        return try update.elements(of: notes).last?.id
      }
      #expect(last == "c")
      #expect(try await list.reload() == [1, 2])
      #expect(try await notes.reload() == [Note("b"), Note("c")])
    }
  }

  @Test func `An update without changes creates nothing`() async throws {
    let folder = disk.open()
    let number = folder.document("n.json", default: 1)
    let read = try await folder.update { update in try update.value(of: number) }
    try await folder.update { _ in }
    #expect(read == 1)
    #expect(try disk.names() == [])
  }

  @Test func `Saving the default creates the file, also after the value was read`() async throws {
    let folder = disk.open()
    let number = folder.document("n.json", default: 1)
    let notes = folder.collection("notes.json", of: Note.self)
    try await folder.update { update in
      try update.save(update.value(of: number), in: number)
      #expect(try update.elements(of: notes).isEmpty)
      try update.replaceAll([], in: notes)
    }
    #expect(disk.text("n.json") == "1\n")
    #expect(try disk.names().contains("notes.json"))
  }

  @Test func `A damaged document can be replaced in the update that found the damage`()
    async throws
  {
    try disk.write("[", to: "a.json")
    let folder = disk.open()
    let (a, b) = (folder.document("a.json", default: 0), folder.document("b.json", default: 0))
    try await folder.update { update in
      let error = #expect(throws: FileError.self) { try update.value(of: a) }
      #expect(error?.code == .corrupted)
      try update.save(5, in: a)
      try update.save(6, in: b)
    }
    #expect(try await (a.load(), b.load()) == (5, 6))
    #expect(try disk.names().contains { $0.hasPrefix("a.json.damaged-") })
  }

  @Test func `A change that another process has stored meanwhile is the one that changes`()
    async throws
  {
    let folder = disk.open()
    let (a, b) = (folder.document("a.json", default: 0), folder.document("b.json", default: 0))
    #expect(try await (a.load(), b.load()) == (0, 0))
    try await disk.open().document("a.json", default: 0).save(10)
    try await folder.update { update in
      try update.change(a) { $0 += 1 }
      try update.change(b) { $0 += 1 }
    }
    #expect(try await (a.load(), b.load()) == (11, 1))
  }

  // MARK: - Misuse

  @Test func `An update that is used after its closure is refused`() async throws {
    for folder in folders {
      let kept = KeptUpdate()
      let number = folder.document("n.json", default: 1)
      try await folder.update { kept.update = $0 }
      let update = try #require(kept.update)
      for call in [
        { _ = try update.value(of: number) }, { try update.save(2, in: number) },
        { try update.change(number) { $0 += 1 } },
      ] {
        let error = #expect(throws: FileError.self) { try call() }
        #expect(error?.code == .misuse)
        #expect(error?.message.contains("after the end of its closure") == true)
      }
      #expect(try await number.load() == 1)
    }
  }

  @Test func `A collection of another folder is refused for each kind of change`() async throws {
    let other = disk.open().collection("notes.json", of: Note.self)
    for folder in folders {
      try await folder.update { update in
        for call in [
          { _ = try update.elements(of: other) }, { try update.replaceAll([], in: other) },
          { try update.replaceLoaded([], in: other) },
          { try update.change(other) { $0 = ElementList() } },
        ] {
          let error = #expect(throws: FileError.self) { try call() }
          #expect(error?.code == .misuse)
          #expect(error?.file == "notes.json")
        }
      }
    }
    #expect(try disk.names() == [])
  }
}

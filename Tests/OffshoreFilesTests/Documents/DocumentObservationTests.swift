import Foundation
import Synchronization
import TestSupport
import Testing

@testable import OffshoreFiles

/// The values of documents over time.
@Suite(.timeLimit(.minutes(1)))
struct DocumentObservationTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  @Test func `The current value comes first, then each later one`() async throws {
    for documents in [folder.open(), .inMemory()] {
      let document = documents.document("n.json", default: 0)
      try await document.save(1)
      var values = document.values().makeAsyncIterator()
      #expect(try await values.next() == 1)
      for value in 2...4 {
        try await document.save(value)
        #expect(try await values.next() == value)
      }
    }
  }

  @Test func `Changes by other objects are observed, in one folder and in another`() async throws {
    let documents = folder.open()
    let document = documents.document("n.json", default: 0)
    var values = document.values().makeAsyncIterator()
    #expect(try await values.next() == 0)
    try await documents.document("n.json", default: 0).save(1)
    #expect(try await values.next() == 1)
    try await folder.open().document("n.json", default: 0).save(2)
    #expect(try await values.next() == 2)
    try await documents.update { try $0.save(3, in: document) }
    #expect(try await values.next() == 3)
    #expect(await documents.watchError == nil)
  }

  @Test func `Changes in place, moves and the deletion of the file are observed`() async throws {
    let document = folder.open().document("n.json", default: 0)
    try await document.save(1)
    var values = document.values().makeAsyncIterator()
    #expect(try await values.next() == 1)
    try folder.write("2", to: "n.json")
    #expect(try await values.next() == 2)
    try folder.write("3", to: "other")
    #expect(rename(folder.file("other"), folder.file("n.json")) == 0)
    #expect(try await values.next() == 3)
    try FileManager.default.removeItem(atPath: folder.file("n.json"))
    #expect(try await values.next() == 0)
  }

  @Test func `An unchanged value is not delivered again`() async throws {
    let document = folder.open().document("n.json", default: 0)
    try await document.save(1)
    var values = document.values().makeAsyncIterator()
    #expect(try await values.next() == 1)
    try await document.save(1)
    _ = try await document.load()
    try await document.save(2)
    #expect(try await values.next() == 2)
  }

  @Test func `A slow consumer receives the latest value only`() async throws {
    let document = folder.open().document("n.json", default: 0)
    var values = document.values().makeAsyncIterator()
    #expect(try await values.next() == 0)
    for value in 1...10 { try await document.save(value) }
    #expect(try await values.next() == 10)
  }

  @Test func `An error is thrown once, and the next value follows`() async throws {
    let document = folder.open().document("n.json", default: 0)
    var values = document.values().makeAsyncIterator()
    #expect(try await values.next() == 0)
    try folder.write("x", to: "n.json")
    await #expect(throws: FileError.self) { try await values.next() }
    try await document.save(0)
    #expect(try await values.next() == 0)
    try await document.save(5)
    #expect(try await values.next() == 5)
  }

  @Test func `A damaged file that was set aside is one error, until it has a good copy`()
    async throws
  {
    let documents = folder.open()
    let document = documents.document("n.json", default: 0)
    try folder.write("x", to: "n.json")
    let errors = Errors()
    let subscription = await document.subscribe { errors.append($0) }
    for _ in 0..<3 { await document.check() }
    #expect(errors.found.map(\.code) == [.corrupted])
    // A further failure of the same file is another error.
    try folder.write("5", to: "n.json.backup")
    for _ in 0..<3 { await document.check() }
    #expect(errors.found.map(\.lastGoodCopy) == [nil, folder.file("n.json.backup")])
    await document.unsubscribe(subscription)
  }

  @Test func `A folder that was deleted and created again is followed`() async throws {
    let path = folder.file("deep")
    let document = JSONDocument(path + "/n.json", default: 0)
    try await document.save(1)
    var values = document.values().makeAsyncIterator()
    #expect(try await values.next() == 1)
    try FileManager.default.removeItem(atPath: path)
    #expect(try await values.next() == 0)
    #expect(try folder.names() == [])
    try await JSONDocument(path + "/n.json", default: 0).save(2)
    #expect(try await values.next() == 2)
    #expect(rename(path, folder.file("other")) == 0)
    #expect(try await values.next() == 0)
    #expect(rename(folder.file("other"), path) == 0)
    #expect(try await values.next() == 2)
  }

  @Test func `A folder that does not exist is followed from its creation on`() async throws {
    let path = folder.file("very/deep")
    let document = JSONDocument(path + "/n.json", default: 0)
    var values = document.values().makeAsyncIterator()
    #expect(try await values.next() == 0)
    #expect(try folder.names() == [])
    for value in 1...3 {
      try await JSONDocument(path + "/n.json", default: 0).save(value)
      #expect(try await values.next() == value)
    }
    #expect(await document.folder.watchError == nil)
  }

  @Test func `Cancelling the task ends the values`() async throws {
    let document = folder.open().document("n.json", default: 0)
    let task = Task {
      var values = document.values().makeAsyncIterator()
      _ = try await values.next()
      return try await values.next()
    }
    task.cancel()
    #expect(try await task.value == nil)
  }

  @Test func `Documents and folders are released when nothing uses them`() async throws {
    weak var released: DocumentFolder?
    weak var document: JSONDocument<Int>?
    do {
      let documents = folder.open()
      let number = documents.document("n.json", default: 0)
      (released, document) = (documents, number)
      var values = number.values().makeAsyncIterator()
      #expect(try await values.next() == 0)
      try await number.save(1)
      #expect(try await values.next() == 1)
    }
    // The subscription ends in a task of its own.
    while document != nil || released != nil { await Task.yield() }
  }

  @Test func `The thread of the watch exists while a document is observed`() async {
    await #expect(processExitsWith: .success) {
      let folder = try TestFolder()
      #expect(!FolderWatcher.shared.isRunning)
      do {
        let document = folder.open().document("n.json", default: 0)
        var values = document.values().makeAsyncIterator()
        #expect(try await values.next() == 0)
        #expect(FolderWatcher.shared.isRunning)
      }
      while FolderWatcher.shared.isRunning { await Task.yield() }
      let threads = { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task") }
      func isWatching() throws -> Bool {
        try threads().contains {
          (try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8))?
            .hasPrefix("offshore.files") == true
        }
      }
      while try isWatching() { await Task.yield() }
    }
  }
}

/// The errors that a subscription has received.
private final class Errors: Sendable {
  private let errors = Mutex<[FileError]>([])
  var found: [FileError] { errors.withLock { $0 } }

  func append(_ result: Result<Int, any Error>) {
    guard case .failure(let error as FileError) = result else { return }
    errors.withLock { $0.append(error) }
  }
}

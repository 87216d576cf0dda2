import Foundation
import OffshoreFileAccess
import Synchronization
import TestSupport
import Testing

@testable import OffshoreFiles

/// A watch of a folder with the names that it receives. A change without a name is “.”.
private final class ReceivedNames {
  private var names: AsyncStream<String>.Iterator
  private let watch: any Sendable

  init(
    _ watcher: FolderWatcher, _ path: String,
    for changes: FileEvents.Changes = [.entries, .folderPlace]
  ) throws {
    let (stream, continuation) = AsyncStream.makeStream(of: String.self)
    names = stream.makeAsyncIterator()
    watch = try watcher.watch(path, for: changes) { continuation.yield($0 ?? ".") }
  }

  func next() async -> String? { await names.next(isolation: #isolation) }
}

/// The watches of folders, which are notified of the changes of all programs.
@Suite(.timeLimit(.minutes(1)))
struct FolderWatcherTests {
  private let folder: TestFolder
  private let watcher = FolderWatcher()

  init() throws { folder = try TestFolder() }

  private func createFolder(_ name: String) throws -> String {
    let path = folder.file(name)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    return path
  }

  // MARK: - Changes

  @Test func `The names of written, renamed and deleted files are received in their order`()
    async throws
  {
    let names = try ReceivedNames(watcher, folder.path)
    try folder.write("x", to: "a")
    #expect(await names.next() == "a")
    #expect(rename(folder.file("a"), folder.file("b")) == 0)
    #expect(await names.next() == "a")
    #expect(await names.next() == "b")
    try FileManager.default.removeItem(atPath: folder.file("b"))
    #expect(await names.next() == "b")
  }

  @Test func `The changes of another process are received`() async throws {
    let names = try ReceivedNames(watcher, folder.path)
    try TestProcess("sh", ["-c", "echo x > a; mv a b; rm b"], folder: folder.path).wait()
    var received: [String] = []
    for _ in 0..<4 { received.append(try #require(await names.next())) }
    #expect(received == ["a", "a", "b", "b"])
  }

  @Test func `The library's own files are not received`() async throws {
    let names = try ReceivedNames(watcher, folder.path)
    for name in [".offshore-journal", ".offshore-new-a", ".offshore-lock"] {
      try folder.write("x", to: name)
    }
    #expect(rename(folder.file(".offshore-new-a"), folder.file("a")) == 0)
    #expect(await names.next() == "a")
    try folder.write("x", to: ".hidden")
    #expect(await names.next() == ".hidden")
  }

  @Test func `A watch of new names receives them before their files are written`() async throws {
    let names = try ReceivedNames(watcher, folder.path, for: .creations)
    let file = open(folder.file("a"), O_WRONLY | O_CREAT, 0o600)
    #expect(await names.next() == "a")
    close(file)
    _ = try createFolder("deep")
    #expect(await names.next() == "deep")
  }

  @Test func `A deleted or moved folder is received without a name`() async throws {
    let (one, two) = (try createFolder("one"), try createFolder("two"))
    let (first, second) = (try ReceivedNames(watcher, one), try ReceivedNames(watcher, two))
    try FileManager.default.removeItem(atPath: one)
    #expect(await first.next() == ".")
    #expect(rename(two, folder.file("three")) == 0)
    #expect(await second.next() == ".")
    // A folder of the former path is another one.
    _ = try createFolder("one")
    let again = try ReceivedNames(watcher, one)
    try folder.write("x", to: "one/a")
    #expect(await again.next() == "a")
  }

  // MARK: - Several watches

  @Test func `Each watch of a folder receives its changes, and no other folder's`() async throws {
    let (one, two) = (try createFolder("one"), try createFolder("two"))
    let ofOne = try [ReceivedNames(watcher, one), ReceivedNames(watcher, one)]
    let ofTwo = try ReceivedNames(watcher, two)
    try folder.write("x", to: "one/a")
    try folder.write("x", to: "two/b")
    for names in ofOne { #expect(await names.next() == "a") }
    #expect(await ofTwo.next() == "b")
    try folder.write("x", to: "two/deep")
    #expect(await ofTwo.next() == "deep")
  }

  @Test func `A released watch receives nothing, and the others do`() async throws {
    let released = SeenNames()
    var watch: (any Sendable)? = try watcher.watch(folder.path, for: .entries) {
      released.append($0 ?? ".")
    }
    let names = try ReceivedNames(watcher, folder.path)
    withExtendedLifetime(watch) {}
    watch = nil
    for name in ["a", "b"] {
      try folder.write("x", to: name)
      #expect(await names.next() == name)
    }
    #expect(released.names == [])
    #expect(watcher.isRunning)
  }

  @Test func `A watch that ends while it receives a change ends once`() async throws {
    let seen = SeenNames()
    let ended = Gate()
    seen.keep(
      try watcher.watch(folder.path, for: .entries) { name in
        seen.append(name ?? ".")
        seen.release()
        ended.open()
      })
    try folder.write("x", to: "a")
    await ended.pass()
    #expect(!watcher.isRunning)
    let names = try ReceivedNames(watcher, folder.path)
    try folder.write("x", to: "b")
    #expect(await names.next() == "b")
    #expect(seen.names == ["a"])
  }

  // MARK: - The thread

  @Test func `The watcher runs from the first watch to the end of the last, and again`()
    async throws
  {
    for round in 0..<5 {
      #expect(!watcher.isRunning)
      var watches = try (0..<3).map { _ in try ReceivedNames(watcher, folder.path) }
      try folder.write("x", to: "\(round)")
      for names in watches { #expect(await names.next() == "\(round)") }
      watches.removeFirst(2)
      #expect(watcher.isRunning)
      watches = []
      #expect(!watcher.isRunning)
    }
  }

  @Test func `A watch of a missing folder is refused, and does not end the others`() async throws {
    let missing = folder.file("missing")
    for isRunning in [false, true] {
      let names = isRunning ? try ReceivedNames(watcher, folder.path) : nil
      let failure = #expect(throws: FileEvents.Failure.self) {
        _ = try watcher.watch(missing, for: .entries) { _ in }
      }
      #expect(failure?.code == ENOENT)
      #expect(watcher.isRunning == isRunning)
      try folder.write("x", to: "a")
      if let names { #expect(await names.next() == "a") }
    }
  }
}

/// The names that a watch has received, and the watch itself.
private final class SeenNames: Sendable {
  private let seen = Mutex<[String]>([])
  private let watch = Mutex<(any Sendable)?>(nil)

  var names: [String] { seen.withLock { $0 } }

  func append(_ name: String) { seen.withLock { $0.append(name) } }

  func keep(_ watch: any Sendable) { self.watch.withLock { $0 = watch } }

  func release() {
    let released = watch.withLock { $0.take() }
    withExtendedLifetime(released) {}
  }
}

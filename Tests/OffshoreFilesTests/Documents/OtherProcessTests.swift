import Dispatch
import Foundation
import OffshoreFiles
import TestSupport
import Testing

/// Documents that two processes use at the same time.
@Suite(.timeLimit(.minutes(5)))
struct OtherProcessTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  @Test func `Two processes that add 500 elements each to one collection give 1,000`() async throws
  {
    struct Entry: Codable, Identifiable, Sendable {
      let id: String
      let number: Int
    }
    let processes = try ["a", "b"].map {
      try FaultProcess("fault-files", ["add", folder.path, $0, "500"])
    }
    for process in processes { #expect(await process.status() == 0, "\(process.errors)") }
    let entries = try await folder.open().collection("entries.json", of: Entry.self).load()
    #expect(entries.count == 1000)
    for name in ["a", "b"] {
      let own = entries.filter { $0.id.hasPrefix(name) }
      #expect(own.map(\.number) == Array(0..<500))
    }
  }

  /// Starts a process that follows the text, and waits until it has the current one.
  private func follower() async throws -> FaultProcess {
    let process = try FaultProcess("fault-files", ["follow", folder.path])
    await process.lines(1)
    return process
  }

  @Test func `A process is notified of the changes of another within 200 ms`() async throws {
    let process = try await follower()
    let document = JSONDocument(folder.file("text.json"), default: "")
    var delays: [Double] = []
    for number in 0..<20 {
      try await document.save("\(number)")
      let stored = DispatchTime.now().uptimeNanoseconds
      let lines = await process.lines { $0.last?.hasSuffix(" \(number)") == true }
      let arrival = try #require(lines.last?.split(separator: " ").first.flatMap { UInt64($0) })
      delays.append(Double(arrival) / 1e6 - Double(stored) / 1e6)
    }
    process.endInput()
    _ = await process.status()
    // The median, because a busy machine may suspend a process.
    #expect(delays.sorted()[10] < 200, "\(delays)")
  }

  @Test func `This process is notified of the changes of another within 200 ms`() async throws {
    let process = try await follower()
    var values = JSONDocument(folder.file("text.json"), default: "").values().makeAsyncIterator()
    #expect(try await values.next() == "")
    var delays: [Double] = []
    for number in 0..<20 {
      process.send("\(number)")
      while try await values.next() != "\(number)" {}
      let arrival = DispatchTime.now().uptimeNanoseconds
      // The other process prints the time when it observes its own change, after it is stored.
      let lines = await process.lines { $0.last?.hasSuffix(" \(number)") == true }
      let stored = try #require(lines.last?.split(separator: " ").first.flatMap { UInt64($0) })
      delays.append(Double(arrival) / 1e6 - Double(stored) / 1e6)
    }
    process.endInput()
    _ = await process.status()
    #expect(delays.sorted()[10] < 200, "\(delays)")
  }

  @Test func `A folder that another process has locked for too long is reported as busy`()
    async throws
  {
    var environment = FolderEnvironment()
    environment.lockLimit = 20
    let document = DocumentFolder(folder.path, environment).document("n.json", default: 0)
    try await document.save(1)
    let ready = Pipe()
    let holder = try TestProcess(
      "flock", ["--no-fork", folder.file(".offshore-lock"), "sh", "-c", "echo ready; exec cat"],
      input: .pipe(Pipe()), output: .pipe(ready))
    #expect(ready.fileHandleForReading.availableData == Data("ready\n".utf8))
    let error = await #expect(throws: FileError.self) { try await document.save(2) }
    #expect(error?.code == .busy)
    #expect(error?.message.contains("another process (\(holder.identifier))") == true)
    // Readers do not wait.
    #expect(try await document.load() == 1)
    holder.kill()
    holder.wait()
    try await document.save(3)
    #expect(try await document.load() == 3)
  }
}

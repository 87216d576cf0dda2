import Foundation
import OffshoreFileAccess
import TestSupport
import Testing

/// The locks that one process has at a time.
@Suite(.timeLimit(.minutes(1)))
struct FileLockTests {
  private let folder: TemporaryFolder
  private var path: String { folder.file("lock") }

  init() throws { folder = try TemporaryFolder() }

  @Test func `A locked file is not locked again before the lock is released`() throws {
    let lock = try FileLock(path)
    #expect(throws: FileLock.Failure.held(by: getpid())) { try FileLock(path) }
    lock.release()
    try FileLock(path).release()
    let permissions = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
    #expect(permissions as? Int == 0o600)
  }

  @Test func `The process with a lock is named, and its lock ends when it is killed`() throws {
    let ready = Pipe()
    try Data().write(to: URL(filePath: path))
    let holder = try TestProcess(
      "flock", ["--no-fork", path, "sh", "-c", "echo ready; exec cat"], input: .pipe(Pipe()),
      output: .pipe(ready))
    #expect(ready.fileHandleForReading.availableData == Data("ready\n".utf8))
    #expect(throws: FileLock.Failure.held(by: holder.identifier)) { try FileLock(path) }
    holder.kill()
    holder.wait()
    try FileLock(path).release()
  }

  @Test func `A program that was started meanwhile does not have the lock`() throws {
    let lock = try FileLock(path)
    let (input, output) = (Pipe(), Pipe())
    let process = try TestProcess("cat", [], input: .pipe(input), output: .pipe(output))
    // Until it answers, it may have files of its libraries open.
    try input.fileHandleForWriting.write(contentsOf: Data("ready\n".utf8))
    #expect(output.fileHandleForReading.availableData == Data("ready\n".utf8))
    let files = "/proc/\(process.identifier)/fd"
    let targets = try FileManager.default.contentsOfDirectory(atPath: files).map {
      try FileManager.default.destinationOfSymbolicLink(atPath: "\(files)/\($0)")
    }
    #expect(targets.count == 3 && !targets.contains(path))
    lock.release()
    process.kill()
    process.wait()
  }

  @Test func `A file that cannot be opened, and a link, are refused with the system's reason`()
    throws
  {
    #expect(throws: FileLock.Failure.system(ENOENT)) { try FileLock(folder.file("missing/lock")) }
    try FileManager.default.createSymbolicLink(
      atPath: path, withDestinationPath: folder.file("other"))
    #expect(throws: FileLock.Failure.system(ELOOP)) { try FileLock(path) }
    #expect(!FileManager.default.fileExists(atPath: folder.file("other")))
  }

  @Test func `A wait for a lock ends with the lock, or at its limit`() async throws {
    let lock = try FileLock(path)
    #expect(throws: FileLock.Failure.held(by: getpid())) {
      try FileLock(waitingFor: path, atMost: 20)
    }
    let file = path
    async let next = Task.detached { try FileLock(waitingFor: file, atMost: 60_000) }.value
    lock.release()
    try await next.release()
  }

  @Test func `A lock whose file was deleted meanwhile does not count`() throws {
    let former = try FileLock(path)
    try FileManager.default.removeItem(atPath: path)
    let lock = try FileLock(path)
    #expect(throws: FileLock.Failure.held(by: getpid())) { try FileLock(path) }
    lock.release()
    former.release()
  }

  @Test func `The words for a process have its identifier, if that is known`() {
    #expect(FileLock.name(of: 4_711) == "another process (4711)")
    #expect(FileLock.name(of: nil) == "another process")
  }
}

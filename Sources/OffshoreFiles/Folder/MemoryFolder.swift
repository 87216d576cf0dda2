import Foundation
import Synchronization

/// A folder in memory, with the same documents as one on the disk.
final class MemoryFolder: FolderStorage {
  private let files = Mutex<[String: Data]>([:])

  // One folder has one queue, so there is no other writer.
  func withLock<Result>(_ body: () throws -> Result) throws -> Result { try body() }

  func recover() {}

  func read(_ name: String, limit: Int) throws -> Data? {
    let data = files.withLock { $0[name] }
    guard (data?.count ?? 0) <= limit else {
      throw FileError(
        .tooLarge, "“\(name)” has more than \(limit) bytes. Raise the limit of its configuration.",
        path: name)
    }
    return data
  }

  func commit(_ writes: [FileWrite]) {
    files.withLock { files in for write in writes { files[write.name] = write.data } }
  }

  func storeCopy(_ write: FileWrite) { commit([write]) }

  func rename(_ name: String, to target: String) throws {
    try files.withLock { files in
      guard let data = files.removeValue(forKey: name) else {
        throw FileError(SystemError("renamed", ENOENT), name)
      }
      files[target] = data
    }
  }

  func names(withPrefix prefix: String) -> [String] {
    files.withLock { $0.keys.filter { $0.hasPrefix(prefix) }.sorted() }
  }

  func path(of name: String) -> String { name }

  func watch(_ receive: @escaping @Sendable (String?) -> Void) -> (any Sendable)? { nil }
}

import Foundation
import OffshoreFiles
import Synchronization
import TestSupport

/// A folder on the disk, with the files in it.
struct TestFolder {
  private let folder: TemporaryFolder
  var path: String { folder.path }

  init() throws { folder = try TemporaryFolder() }

  /// Returns a folder of documents, independent of earlier ones. It never waits for editors.
  func open(_ operations: FileOperations = FileOperations()) -> DocumentFolder {
    var environment = FolderEnvironment()
    environment.operations = operations
    environment.pause = {}
    environment.lockLimit = 60_000
    return DocumentFolder(path, environment)
  }

  func file(_ name: String) -> String { folder.file(name) }

  /// The bytes of a file, or `nil`.
  func bytes(_ name: String) -> Data? { try? Data(contentsOf: URL(filePath: file(name))) }

  /// The text of a file, or `nil`.
  func text(_ name: String) -> String? { bytes(name).map { String(decoding: $0, as: UTF8.self) } }

  func write(_ text: String, to name: String) throws { try write(Data(text.utf8), to: name) }

  /// Writes a file in place, as an editor does.
  func write(_ data: Data, to name: String) throws { try data.write(to: URL(filePath: file(name))) }

  /// The names of all files, without the lock.
  func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).filter { $0 != ".offshore-lock" }
      .sorted()
  }

  /// The number that the system gives a file, which a replaced file does not keep.
  func number(of name: String) throws -> UInt64? {
    try FileManager.default.attributesOfItem(atPath: file(name))[.systemFileNumber] as? UInt64
  }
}

/// The operations on files so far, of which one may fail.
final class CountedOperations: Sendable {
  private let state = Mutex((kinds: [FileOperations.Kind](), failing: Int?.none))
  private let code: Int32

  /// - Parameter code: The error number of the failing operation.
  init(failingWith code: Int32 = 0) { self.code = code }

  /// The kinds of the operations since the last change of `failing`.
  var kinds: [FileOperations.Kind] { state.withLock { $0.kinds } }

  /// Restarts the count.
  /// - Parameter failing: The number of the failing operation, or `nil`.
  func restart(failing: Int? = nil) { state.withLock { $0 = ([], failing) } }

  var operations: FileOperations {
    FileOperations { [self] kind in
      state.withLock { state in
        state.kinds.append(kind)
        return state.failing == state.kinds.count - 1 ? code : 0
      }
    }
  }
}

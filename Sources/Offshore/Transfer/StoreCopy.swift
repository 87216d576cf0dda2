import Foundation

/// A copy of a database file in a folder of its own, with the files that SQLite has beside it. The folder is
/// removed with the object.
final class StoreCopy {
  /// The path of the copy.
  let path: String
  private let folder: URL

  /// Copies a file.
  /// - Parameter copy: Copies a file from one path to another.
  /// - Throws: ``DatabaseError``: `busy` if the file was changed meanwhile, `diskFull`, or
  ///   `cannotOpen`.
  init(
    of source: String, in parent: URL,
    copy: (String, String) throws -> Void = FileManager.default.copyItem(atPath:toPath:)
  ) throws {
    folder = parent.appending(path: "store-\(UUID().uuidString)")
    path = folder.appending(path: "store").path(percentEncoded: false)
    let before = Self.stamps(of: source)
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      for suffix in Self.suffixes where FileStamp(source + suffix) != nil {
        try copy(source + suffix, path + suffix)
      }
    } catch {
      throw DatabaseError(copying: error)
    }
    guard Self.stamps(of: source) == before else { throw UntouchedFile.changed }
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private static let suffixes = ["", "-wal", "-journal"]

  private static func stamps(of path: String) -> [FileStamp?] {
    suffixes.map { FileStamp(path + $0) }
  }
}

extension DatabaseError {
  /// Creates the error of a file that cannot be copied.
  init(copying cause: any Error) {
    let isFull = (cause as? CocoaError)?.code == .fileWriteOutOfSpace
    self.init(
      isFull ? .diskFull : .cannotOpen,
      isFull
        ? "The disk is full. Free some space and try again."
        : "The file cannot be read, or there is no folder for a copy. Check their permissions.")
    self.cause = cause
  }
}

extension SQLValue {
  /// The number of bytes of a text or of bytes; 0 of a number.
  var byteCount: Int {
    switch self {
    case .text(let text): text.utf8.count
    case .blob(let bytes): bytes.count
    default: 0
    }
  }
}

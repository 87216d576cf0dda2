import Dispatch
public import Foundation
import Offshore
public import OffshoreWire

/// The files that rows refer to, in a folder of the device.
///
/// A file is named by the hash of its content, and never changes. A column that is declared as
/// `.file` refers to it by the text of a `BlobReference`:
///
/// ```swift
/// let reference = try await store.files.add(photo)
/// try await store.write { try Note(id: UUID(), photo: reference.text).insert($0) }
/// ```
///
/// A ``SyncDriver`` sends the files of own rows, fetches those of others, and deletes files that no row
/// refers to any more.
public final class BlobFolder: Sendable {
  /// The path of the folder, which is created with the first file.
  let path: String
  private let queue = DispatchQueue(label: "offshore.files")

  init(_ path: String) { self.path = path }

  /// Returns the folder beside a database.
  static func of(_ database: String) -> BlobFolder { BlobFolder(database + "-files") }

  // MARK: - Whole files

  /// Stores a file. When this returns, the file is on the disk.
  /// - Returns: the reference by which rows refer to the file.
  /// - Throws: `DatabaseError`: `diskFull`, `inputOutput`.
  public func add(_ content: [UInt8]) async throws -> BlobReference {
    try await run { [self] in
      try place(ContentHash(of: content)) { try $0.write(content, at: 0) }
    }
  }

  /// Stores a copy of a file of any size. When this returns, the copy is on the disk.
  /// - Returns: the reference by which rows refer to the copy.
  /// - Throws: `DatabaseError`: `cannotOpen` if the file cannot be read, `diskFull`, `inputOutput`.
  public func add(contentsOf file: URL) async throws -> BlobReference {
    try await run { [self] in
      let source = try Self.open(file)
      return try place(try source.hash()) { try source.copy(to: $0) }
    }
  }

  private static func open(_ file: URL) throws -> BlobFile {
    do {
      return try BlobFile(file.path(percentEncoded: false), O_RDONLY)
    } catch {
      throw DatabaseError(
        .cannotOpen, "The file “\(file.lastPathComponent)” cannot be read. Choose another.")
    }
  }

  /// Returns the address of a file, or `nil` if it is not on this device.
  public func url(of reference: BlobReference) -> URL? {
    let path = path(of: reference.hash)
    return FileManager.default.fileExists(atPath: path) ? URL(filePath: path) : nil
  }

  /// Writes a file under a temporary name, and renames it when it is complete and on the disk.
  private func place(
    _ hash: ContentHash, _ write: (borrowing BlobFile) throws -> Void
  ) throws -> BlobReference {
    let target = path(of: hash)
    if FileManager.default.fileExists(atPath: target) {
      // It stays as long as a new one: its row may be on its way.
      try BlobFile(target, O_RDONLY).setLastChange(Self.now)
      return BlobReference(hash)
    }
    try makeFolders()
    let temporary = "\(incoming)/\(UUID().uuidString)"
    do {
      let file = try BlobFile(temporary, O_RDWR | O_CREAT | O_EXCL)
      try write(file)
      guard try file.hash() == hash else {
        throw DatabaseError(.inputOutput, "The file has changed while it was read. Add it again.")
      }
      try file.synchronize()
      try rename(temporary, to: target)
    } catch {
      unlink(temporary)
      throw error
    }
    return BlobReference(hash)
  }

  // MARK: - Files that arrive

  /// Returns the number of bytes of a file that have arrived.
  func arrivedCount(of hash: ContentHash) async throws -> Int {
    let path = arriving(hash)
    return try await run {
      guard FileManager.default.fileExists(atPath: path) else { return 0 }
      return try BlobFile(path, O_RDONLY).size()
    }
  }

  /// Appends a part of a file.
  /// - Parameter offset: the number of bytes before the part.
  func append(_ part: [UInt8], at offset: Int, of hash: ContentHash) async throws {
    try await run { [self] in
      try makeFolders()
      try BlobFile(arriving(hash), O_RDWR | O_CREAT).write(part, at: offset)
    }
  }

  /// Completes a file whose last part has arrived.
  /// - Returns: whether its content has the hash. If not, it is discarded.
  func finish(_ hash: ContentHash) async throws -> Bool {
    try await run { [self] in
      let arriving = arriving(hash)
      let file = try BlobFile(arriving, O_RDWR)
      guard try file.hash() == hash else {
        unlink(arriving)
        return false
      }
      try file.synchronize()
      try rename(arriving, to: path(of: hash))
      return true
    }
  }

  // MARK: - Parts to send

  /// Returns the size of a file, or `nil` if it is not on this device.
  func size(of hash: ContentHash) async throws -> Int? {
    let path = path(of: hash)
    return try await run {
      guard FileManager.default.fileExists(atPath: path) else { return nil }
      return try BlobFile(path, O_RDONLY).size()
    }
  }

  /// Reads a part of a file.
  func read(_ range: Range<Int>, of hash: ContentHash) async throws -> [UInt8] {
    let path = path(of: hash)
    return try await run { try BlobFile(path, O_RDONLY).read(range) }
  }

  // MARK: - Removal

  /// Deletes a file, and the parts of it that have arrived.
  /// - Parameter time: the time, in milliseconds since 1970, since which a file must not have been added
  ///   again; by default it may have been.
  func remove(_ hash: ContentHash, ifUnchangedSince time: Int64 = .max) async throws {
    let paths = [path(of: hash), arriving(hash)]
    try await run {
      for path in paths {
        if time != .max, case let last = try BlobFile.lastChange(of: path), last != .max,
          last > time
        {
          continue
        }
        guard unlink(path) == 0 || errno == ENOENT else { throw BlobFileError("unlink") }
      }
    }
  }

  /// Returns the files, whole or arriving, that have not changed since a time, in milliseconds since
  /// 1970. Deletes additions that a stopped process has not completed.
  func files(unchangedSince time: Int64) async throws -> [ContentHash] {
    try await run { [self] in
      for name in try names(in: incoming)
      where try BlobFile.lastChange(of: "\(incoming)/\(name)") <= time {
        unlink("\(incoming)/\(name)")
      }
      return try names(in: path).compactMap { name in
        guard let hash = ContentHash(hexadecimal: String(name.suffix(64))),
          try BlobFile.lastChange(of: "\(path)/\(name)") <= time
        else { return nil }
        return hash
      }
    }
  }

  /// Renames the folder, so that its files can be deleted at any time and others can be added.
  func setAside() throws {
    try removeSetAside()
    guard FileManager.default.fileExists(atPath: path) else { return }
    guard Foundation.rename(path, pathAside) == 0 else { throw Self.notDeleted }
  }

  /// Deletes the files that were set aside.
  func removeSetAside() throws {
    guard FileManager.default.fileExists(atPath: pathAside) else { return }
    do {
      try FileManager.default.removeItem(atPath: pathAside)
      try BlobFile.synchronize(folder: (path as NSString).deletingLastPathComponent)
    } catch {
      throw Self.notDeleted
    }
  }

  private var pathAside: String { path + ".erased" }

  private static let notDeleted = DatabaseError(
    .inputOutput, "The files cannot be deleted. Check the permissions of their folder.")

  // MARK: - Paths

  private static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1_000) }

  private var incoming: String { "\(path)/incoming" }

  private func path(of hash: ContentHash) -> String { "\(path)/\(hash)" }

  private func arriving(_ hash: ContentHash) -> String { "\(path)/arriving-\(hash)" }

  private func makeFolders() throws {
    guard !FileManager.default.fileExists(atPath: incoming) else { return }
    for folder in [path, incoming] {
      guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw BlobFileError("mkdir") }
      try BlobFile.synchronize(folder: (folder as NSString).deletingLastPathComponent)
    }
  }

  private func rename(_ source: String, to target: String) throws {
    guard Foundation.rename(source, target) == 0 else { throw BlobFileError("rename") }
    try BlobFile.synchronize(folder: path)
  }

  private func names(in folder: String) throws -> [String] {
    guard FileManager.default.fileExists(atPath: folder) else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: folder)
  }

  /// Runs a closure on the queue, and converts its errors.
  private func run<Result: Sendable>(
    _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      queue.async {
        continuation.resume(
          with: Swift.Result {
            do { return try body() } catch let error as BlobFileError {
              throw error.asDatabaseError
            }
          })
      }
    }
  }
}

extension BlobFileError {
  /// The error for callers of the folder.
  fileprivate var asDatabaseError: DatabaseError {
    isTransient && (code == ENOSPC || code == EDQUOT)
      ? DatabaseError(
        .diskFull, "The disk is full, so the file was not stored. Free some space, and try again.")
      : DatabaseError(.inputOutput, "\(description). Check the folder of the files.")
  }
}

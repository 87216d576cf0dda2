import Dispatch
import Foundation
import OffshoreHTTP
import OffshoreWire
import Synchronization

/// The contents of blobs, each in a file named after its hash, in a folder beside the database.
///
/// Arriving bytes are written to a partial file of the account that sends them. The file is renamed
/// only when it is complete, has the announced hash and is on disk. Files are changed on a serial
/// queue, and the requests for an upload run one at a time; see ``receiving(_:from:_:)``.
package final class BlobStore: Sendable {
  /// The limits for storing blobs.
  let limits: BlobLimits
  private let folder: String
  private let queue = DispatchQueue(label: "offshore.blobs")
  private let synchronize: @Sendable (_ folder: String) throws -> Void
  /// The folders of blobs whose entries this process has written to the disk.
  private let durableFolders = Mutex<Set<String>>([])
  /// The last of the operations that change both files and the storage.
  private let last = Mutex<Task<Void, Never>?>(nil)
  private let turns = Turns<Upload>(limit: 1)

  /// The bytes of a blob that arrive from an account.
  private struct Upload: Hashable {
    let hash: ContentHash
    let account: AccountID
  }

  /// The largest size of a request's body, in bytes. A larger blob is sent in parts.
  static let partBytes = 4 << 20

  /// Returns the path of the folder of blobs beside a file of data.
  package static func folder(beside data: String) -> String { data + "-blobs" }

  /// Opens a folder, and creates it if it does not exist.
  /// - Parameter synchronize: a function that writes the entries of a folder to the disk.
  /// - Throws: the error of `FileManager` if the folder cannot be created, or an error of the file
  ///   system if its entry cannot be written to the disk.
  package init(
    _ folder: String, limits: BlobLimits = BlobLimits(),
    synchronize: @escaping @Sendable (_ folder: String) throws -> Void = BlobFile.synchronize
  ) throws {
    self.folder = folder
    self.limits = limits
    self.synchronize = synchronize
    try FileManager.default.createDirectory(
      atPath: "\(folder)/partial", withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    try synchronize(folder)
    let parent = (folder as NSString).deletingLastPathComponent
    try synchronize(parent.isEmpty ? "." : parent)
  }

  // MARK: - Reading

  /// Returns a blob's content, or `nil` if it is not stored.
  func content(_ hash: ContentHash) throws -> FileSlice? {
    do {
      return try FileSlice(path: path(of: hash))
    } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
      return nil
    }
  }

  /// Returns how many bytes of a blob have arrived from an account, or `nil` if none have.
  func received(_ hash: ContentHash, from account: AccountID) async throws -> Int? {
    let path = partialPath(of: hash, from: account)
    return try await run { try Self.size(of: path) }
  }

  /// Returns the size of a file, or `nil` if it does not exist.
  private static func size(of path: String) throws -> Int? {
    do {
      return try BlobFile(path, O_RDONLY).size()
    } catch let error as BlobFileError where error.code == ENOENT {
      return nil
    }
  }

  // MARK: - Writing

  /// Handles a request for an upload after all earlier ones for it have ended.
  ///
  /// A client whose connection was cut sends a part again while the former request still writes it, or
  /// completes the blob. Without an order, the second one would begin the upload of a blob that is
  /// complete, and leave its file.
  /// - Throws: `CancellationError`; `WireProblem` with the code `tooManyRequests`; any error of the
  ///   closure.
  func receiving<Result>(
    _ hash: ContentHash, from account: AccountID, _ body: () async throws -> Result
  ) async throws -> Result {
    try await turns.run(for: Upload(hash: hash, account: account), body)
  }

  /// Replaces all bytes of an upload, which may have some of an interrupted request.
  func replace(
    with bytes: [UInt8], of hash: ContentHash, from account: AccountID
  ) async throws {
    let path = partialPath(of: hash, from: account)
    try await run {
      if bytes.isEmpty { return try Self.delete(path) }
      try Self.write(bytes, at: 0, to: path)
    }
  }

  /// Appends bytes to an upload if their offset is its size.
  /// - Returns: how many bytes had arrived before. If that differs from the offset, nothing was
  ///   appended.
  func append(
    _ bytes: [UInt8], at offset: Int, of hash: ContentHash, from account: AccountID
  ) async throws -> Int {
    let path = partialPath(of: hash, from: account)
    return try await run {
      let size = try Self.size(of: path) ?? 0
      if size == offset { try Self.write(bytes, at: offset, to: path) }
      return size
    }
  }

  /// Writes the last bytes so far of an upload. As long as nothing has arrived, it has no file.
  private static func write(_ bytes: [UInt8], at offset: Int, to path: String) throws {
    guard !bytes.isEmpty else { return }
    let file = try BlobFile(path, O_RDWR | O_CREAT)
    do {
      if offset == 0, try file.size() > 0 { try file.truncate() }
      try file.write(bytes, at: offset)
    } catch {
      if offset == 0 { unlink(path) }
      throw error
    }
  }

  /// Renames a complete upload to its blob if the content has the hash, and deletes it otherwise.
  /// - Returns: whether the content has the hash.
  /// - Throws: `BlobFileError`.
  func finish(_ hash: ContentHash, from account: AccountID) async throws -> Bool {
    let (path, target) = (partialPath(of: hash, from: account), path(of: hash))
    return try await run {
      // The empty content has no file yet.
      let file = try BlobFile(path, O_RDWR | O_CREAT)
      guard try file.hash() == hash else {
        unlink(path)
        return false
      }
      try file.synchronize()
      let parent = (target as NSString).deletingLastPathComponent
      try self.makeFolder(parent)
      guard rename(path, target) == 0 else { throw BlobFileError("rename") }
      try self.synchronize(parent)
      return true
    }
  }

  /// Creates a folder for blobs if it does not exist, and writes its entry to the disk.
  ///
  /// NB: Without its entry, a power failure would remove the folder with all blobs in it. A former
  /// process may have been killed before it wrote the entry of a folder that exists.
  private func makeFolder(_ path: String) throws {
    guard !durableFolders.withLock({ $0.contains(path) }) else { return }
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw BlobFileError("mkdir") }
    try synchronize(folder)
    _ = durableFolders.withLock { $0.insert(path) }
  }

  /// Runs an operation that changes both files and the storage, after all earlier ones have ended.
  func serialized<Result: Sendable>(
    _ body: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    let task = last.withLock { last in
      let task = Task { [before = last] in
        await before?.value
        return try await body()
      }
      last = Task { _ = await task.result }
      return task
    }
    return try await task.value
  }

  /// Deletes a blob's content and its mark. Responses that are being sent still read it to its end.
  func remove(_ hash: ContentHash) async throws {
    let path = path(of: hash)
    try await run {
      for path in [path, path + Self.markSuffix] { try Self.delete(path) }
    }
  }

  /// Deletes the content of a blob that no scope has. Must run in ``serialized(_:)``.
  /// - Throws: `BlobFileError`; any error of the storage.
  func removeUnused(_ hash: ContentHash, in storage: any ServerStorage) async throws {
    guard try await storage.read({ try $0.blobs(hash) }).isEmpty else { return }
    try await remove(hash)
  }

  private static func delete(_ path: String) throws {
    guard unlink(path) == 0 || errno == ENOENT else { throw BlobFileError("unlink") }
  }

  /// Deletes the bytes of an upload. Must run in ``receiving(_:from:_:)``.
  func discard(_ hash: ContentHash, from account: AccountID) async {
    let path = partialPath(of: hash, from: account)
    _ = try? await run { unlink(path) }
  }

  /// Deletes the bytes of an upload that the storage does not have any more, unless it was begun again.
  /// - Throws: as ``receiving(_:from:_:)``; any error of the storage.
  func discardEnded(
    _ hash: ContentHash, from account: AccountID, in storage: any ServerStorage
  ) async throws {
    try await receiving(hash, from: account) {
      let isKnown = try await storage.read { transaction in
        try transaction.uploads(of: account).contains { $0.hash == hash }
      }
      if !isKnown { await discard(hash, from: account) }
    }
  }

  // MARK: - Files without an entry

  /// The files of a folder of blobs.
  struct Files {
    /// The blobs, in no order.
    var blobs: [ContentHash] = []
    /// The times of the marks, in milliseconds since 1970.
    var marks: [ContentHash: Int64] = [:]
  }

  private static let markSuffix = ".unknown"

  /// The names of the folders that may have blobs: the first two digits of their hashes.
  static let folderNames = (0...255).map { String(format: "%02x", $0) }

  /// Returns the files of a folder of blobs, without those with other names.
  func files(in name: String) async throws -> Files {
    let path = "\(folder)/\(name)"
    return try await run {
      var files = Files()
      for name in try Self.names(in: path) {
        if let hash = ContentHash(hexadecimal: name) {
          files.blobs.append(hash)
        } else if name.hasSuffix(Self.markSuffix),
          let hash = ContentHash(hexadecimal: String(name.dropLast(Self.markSuffix.count)))
        {
          files.marks[hash] = try BlobFile.lastChange(of: "\(path)/\(name)")
        }
      }
      return files
    }
  }

  /// Marks a blob's file as one that the storage does not know since a time, in milliseconds since
  /// 1970, or removes the mark.
  func mark(_ hash: ContentHash, since time: Int64?) async throws {
    let path = path(of: hash) + Self.markSuffix
    try await run {
      guard let time else { return try Self.delete(path) }
      try BlobFile(path, O_WRONLY | O_CREAT).setLastChange(time)
    }
  }

  /// Returns the unfinished uploads whose files have not changed since a time, in milliseconds since
  /// 1970.
  func uploads(unchangedSince time: Int64) async throws -> [(hash: ContentHash, AccountID)] {
    let path = "\(folder)/partial"
    return try await run {
      try Self.names(in: path).compactMap { name in
        guard let hash = ContentHash(hexadecimal: String(name.suffix(64))),
          let account = UUID(sent: String(name.dropLast(65))),
          try BlobFile.lastChange(of: "\(path)/\(name)") <= time
        else { return nil }
        return (hash, AccountID(account))
      }
    }
  }

  /// Returns the names in a folder, none if it does not exist.
  private static func names(in folder: String) throws -> [String] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: folder)
    } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
      return []
    }
  }

  // MARK: - Paths

  private func path(of hash: ContentHash) -> String {
    let name = hash.description
    return "\(folder)/\(name.prefix(2))/\(name)"
  }

  private func partialPath(of hash: ContentHash, from account: AccountID) -> String {
    "\(folder)/partial/\(account)-\(hash)"
  }

  private func run<Result: Sendable>(
    _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Swift.Result(catching: body)) }
    }
  }
}

import Dispatch
import Foundation
import OffshoreHTTP
import OffshoreWire
import Synchronization

/// The contents of blobs, each in a file that its hash names, in a folder beside the database.
///
/// What arrives is written to a file of the account that sends it. Only once it is complete, has its hash
/// and is on disk does it get its name. Files are written on a thread of their own, one after another.
public final class BlobStore: Sendable {
  /// How much may be stored.
  public struct Limits: Sendable {
    /// The bytes of one blob.
    public var blobBytes: Int64 = 64 << 20
    /// The bytes of all blobs that an account has sent or is sending.
    public var accountBytes: Int64 = 1 << 30
    /// How many blobs an account may have begun to send.
    public var uploads = 100
    /// How long what has arrived of a blob is kept for the rest of it, in milliseconds.
    public var uploadLifetime: Int64 = 7 * 86_400_000

    /// The limits unless others are set.
    public init() {}
  }

  /// How much may be stored.
  public let limits: Limits
  private let folder: String
  private let queue = DispatchQueue(label: "offshore.blobs")
  /// The last of those that change files and the log together.
  private let last = Mutex<Task<Void, Never>?>(nil)

  /// The bytes of a request at the most; a larger blob is sent in parts.
  public static let partBytes = 4 << 20

  /// Opens a folder, making it if there is none.
  /// - Throws: what Foundation throws where the folder cannot be made.
  public init(_ folder: String, limits: Limits = Limits()) throws {
    self.folder = folder
    self.limits = limits
    try FileManager.default.createDirectory(
      atPath: "\(folder)/partial", withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
  }

  // MARK: - Reading

  /// A blob's content, or `nil` where there is none.
  func content(_ hash: ContentHash) throws -> FileSlice? {
    do {
      return try FileSlice(path: path(of: hash))
    } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
      return nil
    }
  }

  /// How many bytes of a blob have arrived from an account.
  func received(_ hash: ContentHash, from account: AccountID) async throws -> Int? {
    let path = partialPath(of: hash, from: account)
    return try await run {
      do {
        return try BlobFile(path, O_RDONLY).size()
      } catch let error as BlobFileError where error.code == ENOENT {
        return nil
      }
    }
  }

  // MARK: - Writing

  /// Appends bytes to what has arrived, where they are the next.
  /// - Returns: how many bytes had arrived before, which is the offset unless nothing was appended.
  func append(
    _ bytes: [UInt8], at offset: Int, of hash: ContentHash, from account: AccountID
  ) async throws -> Int {
    let path = partialPath(of: hash, from: account)
    return try await run {
      let file = try BlobFile(path, O_RDWR | O_CREAT)
      let size = try file.size()
      if size == offset { try file.write(bytes, at: offset) }
      return size
    }
  }

  /// Gives what has arrived its name, where it has the hash; forgets it where it has not.
  /// - Returns: whether it has.
  /// - Throws: `ResourceError` with the code `wrongOffset` where another request has done so meanwhile.
  func finish(_ hash: ContentHash, from account: AccountID) async throws -> Bool {
    let (path, target) = (partialPath(of: hash, from: account), path(of: hash))
    return try await run {
      let file = try Self.arrived(path)
      guard try file.hash() == hash else {
        unlink(path)
        return false
      }
      try file.synchronize()
      let parent = (target as NSString).deletingLastPathComponent
      try FileManager.default.createDirectory(
        atPath: parent, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
      guard rename(path, target) == 0 else { throw BlobFileError("rename") }
      try BlobFile(parent, O_RDONLY | O_DIRECTORY).synchronize()
      return true
    }
  }

  private static func arrived(_ path: String) throws -> BlobFile {
    do {
      return try BlobFile(path, O_RDWR)
    } catch let error as BlobFileError where error.code == ENOENT {
      throw ResourceError.wrongOffset(0)
    }
  }

  /// Runs what changes a file and what the log says of it, one after the other.
  func together<Result: Sendable>(
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

  /// Removes a blob's content; who reads it already reads it to its end.
  func remove(_ hash: ContentHash) async throws {
    let path = path(of: hash)
    try await run {
      guard unlink(path) == 0 || errno == ENOENT else { throw BlobFileError("unlink") }
    }
  }

  /// Forgets what has arrived.
  func discard(_ hash: ContentHash, from account: AccountID) async {
    let path = partialPath(of: hash, from: account)
    _ = try? await run { unlink(path) }
  }

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

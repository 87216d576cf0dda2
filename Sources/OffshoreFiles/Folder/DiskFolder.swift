import Foundation
import OffshoreFileAccess
import Synchronization

/// A folder on the disk.
///
/// Each write goes to a new file in the folder, which is flushed to the disk and renamed; then the
/// folder is flushed. A process that ends in between leaves the old file.
final class DiskFolder: FolderStorage {
  private let folder: String
  private let environment: FolderEnvironment
  private var operations: FileOperations { environment.operations }
  /// Whether the rests of processes that ended during a change are deleted.
  private let isClean = Mutex(false)

  init(_ folder: String, _ environment: FolderEnvironment) {
    self.folder = folder
    self.environment = environment
  }

  func path(of name: String) -> String { folder + "/" + name }

  // MARK: - Locking

  func withLock<Result>(_ body: () throws -> Result) throws -> Result {
    let lock = try lock()
    defer { lock.release() }
    try complete()
    clean()
    return try body()
  }

  private func lock() throws -> FileLock {
    let path = path(of: FolderJournal.lockName)
    do {
      try operations.createFolder(folder)
      return try FileLock(waitingFor: path, atMost: environment.lockLimit)
    } catch let failure as SystemError {
      throw FileError(failure, folder: folder)
    } catch FileLock.Failure.system(let code) {
      throw FileError(SystemError("locked", code), folder: folder)
    } catch FileLock.Failure.held(let process) {
      throw FileError(
        .busy,
        "The folder “\(folder.fileName)” is locked by \(FileLock.name(of: process)), which has been "
          + "writing for too long. Wait for its end, or end it.",
        path: folder)
    }
  }

  func recover() throws {
    guard operations.mode(of: path(of: FolderJournal.name)) != nil else { return }
    try withLock {}
  }

  /// Completes the change of a process that has ended during it.
  private func complete() throws {
    guard let journal = try FolderJournal.read(in: folder, operations) else { return }
    do {
      try journal.apply(in: folder, operations)
    } catch {
      throw FileError(error, path(of: FolderJournal.name))
    }
  }

  /// Deletes the files of changes that have not taken effect. With the lock, no other process is
  /// making one.
  private func clean() {
    isClean.withLock { isClean in
      guard !isClean else { return }
      isClean = true
      for name in names(withPrefix: FolderJournal.prefix) where FolderJournal.isRest(name) {
        try? operations.remove(path(of: name))
      }
    }
  }

  // MARK: - Reading

  func read(_ name: String, limit: Int) throws -> Data? {
    do {
      return try operations.read(path(of: name), limit: limit)
    } catch  where error.code == EFBIG {
      throw FileError(
        .tooLarge,
        "“\(name)” has more than \(limit) bytes, so it was not loaded. It stays as it is. Raise the "
          + "limit of its configuration.",
        path: path(of: name))
    } catch {
      throw FileError(error, path(of: name))
    }
  }

  func names(withPrefix prefix: String) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasPrefix(prefix) }.sorted()
  }

  // MARK: - Writing

  func commit(_ writes: [FileWrite]) throws {
    guard let first = writes.first else { return }
    do {
      try writes.count == 1 ? replace(first, isDurable: true) : replaceAll(writes)
    } catch let failure as SystemError {
      throw FileError(failure, path(of: first.name))
    }
  }

  func storeCopy(_ write: FileWrite) throws { try replace(write, isDurable: false) }

  private func replace(_ write: FileWrite, isDurable: Bool) throws {
    let (target, new) = (path(of: write.name), path(of: "\(FolderJournal.prefix)new-\(write.name)"))
    let mode = operations.mode(of: target) ?? 0o600
    try operations.write(write.data, to: new, mode: mode, isDurable: isDurable)
    do {
      try operations.rename(new, to: target)
    } catch {
      unlink(new)
      throw error
    }
    if isDurable { try operations.synchronizeFolder(folder) }
  }

  private func replaceAll(_ writes: [FileWrite]) throws {
    let number = String(environment.random(), radix: 16)
    let journal = FolderJournal(
      entries: writes.map {
        .init(file: "\(FolderJournal.prefix)\(number)-\($0.name)", target: $0.name)
      })
    do {
      for (write, entry) in zip(writes, journal.entries) {
        let mode = operations.mode(of: path(of: write.name)) ?? 0o600
        try operations.write(write.data, to: path(of: entry.file), mode: mode, isDurable: true)
      }
      try journal.store(in: folder, operations)
    } catch {
      for entry in journal.entries { unlink(path(of: entry.file)) }
      throw error
    }
    // The change has taken effect. If this fails, the next access completes it.
    try? journal.apply(in: folder, operations)
  }

  func rename(_ name: String, to target: String) throws {
    do {
      try operations.rename(path(of: name), to: path(of: target))
      try operations.synchronizeFolder(folder)
    } catch {
      throw FileError(error, path(of: name))
    }
  }

  // MARK: - Watching

  func watch(_ receive: @escaping @Sendable (String?) -> Void) throws -> (any Sendable)? {
    do throws(FileEvents.Failure) {
      while true {
        let place = existingPlace
        let watch = try watch(place, receive)
        // The next folder may have been created before the watch.
        if existingPlace == place { return watch }
      }
    } catch {
      throw FileError(
        .inputOutput,
        "The system refuses a watch of the folder (\(error.reason)), so changes by other processes "
          + "are noticed only when a document is used. Check its permissions, or raise "
          + "fs.inotify.max_user_instances, fs.inotify.max_user_watches, or the limit of open files.",
        path: folder)
    }
  }

  /// Watches the folder, or the creation of the next one on its path.
  private func watch(
    _ place: String, _ receive: @escaping @Sendable (String?) -> Void
  ) throws(FileEvents.Failure) -> any Sendable {
    guard place != folder else {
      return try FolderWatcher.shared.watch(folder, for: [.entries, .folderPlace], receive)
    }
    let next = folder.dropFirst(place.count).split(separator: "/").first.map(String.init)
    return try FolderWatcher.shared.watch(place, for: [.creations, .folderPlace]) { name in
      if name == nil || name == next { receive(nil) }
    }
  }

  /// The path of the folder, or of the nearest existing one above it.
  private var existingPlace: String {
    var place = folder
    while operations.mode(of: place) == nil, place != "/" { place = place.parentPath }
    return place
  }
}

import CSodium
import Foundation

/// An open file of a server or a device, which is closed at the end of the value's lifetime.
package struct BlobFile: ~Copyable {
  private let descriptor: Int32

  package init(_ path: String, _ flags: Int32) throws {
    descriptor = open(path, flags | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw BlobFileError("open") }
  }

  deinit { close(descriptor) }

  package func size() throws -> Int {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw BlobFileError("stat") }
    return Int(status.st_size)
  }

  /// Writes bytes at an offset. If that fails, truncates the file to the offset.
  package func write(_ bytes: [UInt8], at offset: Int) throws {
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes {
        pwrite(
          descriptor, $0.baseAddress.map { $0 + done }, bytes.count - done, off_t(offset + done))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        let error = BlobFileError("write")
        ftruncate(descriptor, off_t(offset))
        throw error
      }
      done += count
    }
  }

  /// Reads a part of the file, which must not extend beyond its end.
  package func read(_ range: Range<Int>) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: range.count)
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeMutableBytes {
        pread(
          descriptor, $0.baseAddress.map { $0 + done }, range.count - done,
          off_t(range.lowerBound + done))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw BlobFileError("read") }
      done += count
    }
    return bytes
  }

  /// Copies the whole file to another one, in pieces of 256 KiB.
  package func copy(to other: borrowing BlobFile) throws {
    let size = try size()
    for start in stride(from: 0, to: size, by: Self.pieceSize) {
      try other.write(read(start..<min(start + Self.pieceSize, size)), at: start)
    }
  }

  private static let pieceSize = 256 << 10

  /// Removes all bytes of the file.
  package func truncate() throws {
    guard ftruncate(descriptor, 0) == 0 else { throw BlobFileError("truncate") }
  }

  /// Writes the entries of a folder to the disk, so that they survive a crash of the machine.
  @Sendable package static func synchronize(folder: String) throws {
    try BlobFile(folder, O_RDONLY | O_DIRECTORY).synchronize()
  }

  /// Sets the time of the file's last change, in milliseconds since 1970.
  package func setLastChange(_ time: Int64) throws {
    let time = timespec(
      tv_sec: Int(time / 1_000), tv_nsec: Int(time % 1_000) * 1_000_000)
    guard futimens(descriptor, [time, time]) == 0 else { throw BlobFileError("utime") }
  }

  /// Returns the time of the last change of a file, in milliseconds since 1970, or the latest time
  /// if the file does not exist any more.
  package static func lastChange(of path: String) throws -> Int64 {
    var status = stat()
    guard lstat(path, &status) == 0 else {
      if errno == ENOENT { return .max }
      throw BlobFileError("stat")
    }
    #if os(Linux)
      let time = status.st_mtim
    #else
      let time = status.st_mtimespec
    #endif
    return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
  }

  /// Writes the file to the disk, so that it survives a crash of the machine.
  package func synchronize() throws {
    guard fsync(descriptor) == 0 else { throw BlobFileError("sync") }
  }

  /// Returns the hash of the whole file, which is read in pieces of 256 KiB.
  package func hash() throws -> ContentHash {
    let state = UnsafeMutableRawPointer.allocate(
      byteCount: crypto_generichash_statebytes(), alignment: 64)
    defer { state.deallocate() }
    let hash = OpaquePointer(state)
    guard crypto_generichash_init(hash, nil, 0, ContentHash.byteCount) == 0 else {
      throw BlobFileError("hash")
    }
    var piece = [UInt8](repeating: 0, count: Self.pieceSize)
    var offset = 0
    while true {
      let count = pread(descriptor, &piece, piece.count, off_t(offset))
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw BlobFileError("read") }
      if count == 0 { break }
      _ = crypto_generichash_update(hash, piece, UInt64(count))
      offset += count
    }
    var bytes = [UInt8](repeating: 0, count: ContentHash.byteCount)
    _ = crypto_generichash_final(hash, &bytes, bytes.count)
    return try ContentHash(bytes: bytes)
  }
}

/// A failed file operation, described for logs.
package struct BlobFileError: Error, CustomStringConvertible {
  /// The name of the operation, for example `write`.
  package let operation: String
  /// The system's error number, for example `ENOSPC`.
  package let code: Int32

  /// Creates an error with the number in `errno`.
  package init(_ operation: String) {
    self.operation = operation
    code = errno
  }

  /// Whether a retry may succeed.
  package var isTransient: Bool { [ENOSPC, EDQUOT, EMFILE, ENFILE].contains(code) }

  /// The operation and the reason, without the path of the file.
  package var description: String {
    "blob file: \(operation): \(String(cString: strerror(code))) (\(code))"
  }
}

import Foundation

/// The system's operations on the files of a folder.
///
/// Before each one that changes the folder, a closure is called, by which tests fail it as a full
/// disk would, or end the process.
package struct FileOperations: Sendable {
  /// An operation that changes a folder.
  package enum Kind: String, Sendable, CaseIterable {
    case createFolder, createFile, write, synchronize, rename, synchronizeFolder, remove
  }

  /// Called before each operation. A result other than 0 is the error number with which it fails.
  package var willPerform: @Sendable (Kind) -> Int32

  package init(willPerform: @escaping @Sendable (Kind) -> Int32 = { _ in 0 }) {
    self.willPerform = willPerform
  }

  /// Writes a new file, or overwrites one that was not completed.
  /// - Parameter isDurable: Whether the bytes are on the disk when this returns.
  /// - Throws: `SystemError`. The file is deleted then.
  func write(_ data: Data, to path: String, mode: mode_t, isDurable: Bool) throws(SystemError) {
    try prepare(.createFile)
    let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW
    let descriptor = open(path, flags, mode)
    guard descriptor >= 0 else { throw SystemError("created") }
    defer { close(descriptor) }
    do throws(SystemError) {
      guard fchmod(descriptor, mode) == 0 else { throw SystemError("created") }
      try write(data, to: descriptor)
      guard isDurable else { return }
      try prepare(.synchronize)
      guard fsync(descriptor) == 0 else { throw SystemError("synchronized") }
    } catch {
      unlink(path)
      throw error
    }
  }

  private func write(_ data: Data, to descriptor: Int32) throws(SystemError) {
    try prepare(.write)
    var offset = 0
    while offset < data.count {
      let count = data.withUnsafeBytes { bytes in
        Foundation.write(descriptor, bytes.baseAddress?.advanced(by: offset), data.count - offset)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw SystemError("written") }
      offset += count
    }
  }

  /// Renames a file, and replaces one of the new name.
  func rename(_ path: String, to target: String) throws(SystemError) {
    try prepare(.rename)
    guard Foundation.rename(path, target) == 0 else { throw SystemError("renamed") }
  }

  /// Deletes a file, unless it does not exist.
  func remove(_ path: String) throws(SystemError) {
    try prepare(.remove)
    guard unlink(path) == 0 || errno == ENOENT else { throw SystemError("deleted") }
  }

  /// Makes the changed names of a folder durable.
  func synchronizeFolder(_ path: String) throws(SystemError) {
    try prepare(.synchronizeFolder)
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemError("synchronized") }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw SystemError("synchronized") }
  }

  /// Creates a folder and those above it, for their user only, unless they exist.
  func createFolder(_ path: String) throws(SystemError) {
    var status = stat()
    guard stat(path, &status) != 0, errno == ENOENT else { return }
    let parent = path.parentPath
    if parent != path { try createFolder(parent) }
    try prepare(.createFolder)
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw SystemError("created") }
    try synchronizeFolder(parent)
  }

  private func prepare(_ kind: Kind) throws(SystemError) {
    let code = willPerform(kind)
    if code != 0 { throw SystemError("written", code) }
  }

  // MARK: - Reading

  /// Reads a file.
  /// - Returns: The bytes, or `nil` if the file does not exist.
  /// - Throws: `SystemError`, with `EFBIG` if the file is larger than the limit, and `ENXIO` if it is
  ///   not a regular file.
  func read(_ path: String, limit: Int) throws(SystemError) -> Data? {
    // NB: Opening a pipe would wait for its writer.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw SystemError(reading: errno)
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw SystemError(reading: errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw SystemError(reading: ENXIO) }
    guard status.st_size <= limit else { throw SystemError(reading: EFBIG) }
    return try read(descriptor, expecting: Int(status.st_size), limit: limit)
  }

  private func read(
    _ descriptor: Int32, expecting size: Int, limit: Int
  ) throws(SystemError) -> Data {
    // One more byte than expected, so that the end is read without another buffer.
    var data = Data(count: size + 1)
    var count = 0
    while true {
      if count == data.count { data.count *= 2 }
      let read = data.withUnsafeMutableBytes { bytes in
        Foundation.read(descriptor, bytes.baseAddress?.advanced(by: count), bytes.count - count)
      }
      if read < 0, errno == EINTR { continue }
      guard read >= 0 else { throw SystemError(reading: errno) }
      count += read
      if read == 0 { break }
      guard count <= limit else { throw SystemError(reading: EFBIG) }
    }
    data.count = count
    return data
  }

  /// The permissions of a file, or `nil` if it does not exist.
  func mode(of path: String) -> mode_t? {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode & 0o777 : nil
  }
}

/// A failed operation of the system.
struct SystemError: Error, CustomStringConvertible {
  /// The error number.
  let code: Int32
  /// Whether the operation would only have read.
  let isRead: Bool
  private let verb: String

  /// Creates the error of the last operation.
  /// - Parameter verb: The end of the sentence “The file was not …”.
  init(_ verb: String, _ code: Int32 = errno) {
    (self.verb, self.code, isRead) = (verb, code, false)
  }

  init(reading code: Int32) { (verb, self.code, isRead) = ("read", code, true) }

  var description: String { "not \(verb): \(String(cString: strerror(code)))" }
}

extension String {
  /// The last part of a path.
  var fileName: String { String(self[nameStart...]) }

  /// The path of the folder of a path.
  var parentPath: String {
    let folder = self[..<nameStart].dropLast()
    return folder.isEmpty ? (hasPrefix("/") ? "/" : ".") : String(folder)
  }

  private var nameStart: Index { lastIndex(of: "/").map { index(after: $0) } ?? startIndex }

  /// The path from the root of the file system, without a slash at the end.
  var absolutePath: String {
    let path = hasPrefix("/") ? self : FileManager.default.currentDirectoryPath + "/" + self
    let standardized = URL(filePath: path).standardized.path(percentEncoded: false)
    return standardized.count > 1 && standardized.hasSuffix("/")
      ? String(standardized.dropLast()) : standardized
  }
}

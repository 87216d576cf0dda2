import Foundation

/// The place of a folder's files: the disk or memory.
protocol FolderStorage: Sendable {
  /// Runs a closure while no other writer changes the folder. The folder is created if it does not
  /// exist.
  /// - Throws: ``FileError``, or the error of the closure.
  func withLock<Result>(_ body: () throws -> Result) throws -> Result

  /// Completes a change that a process did not complete, if there is one.
  /// - Throws: ``FileError``.
  func recover() throws

  /// Reads a file.
  /// - Returns: The bytes, or `nil` if the file does not exist.
  /// - Throws: ``FileError``, with the code `tooLarge` if the file is larger than the limit.
  func read(_ name: String, limit: Int) throws -> Data?

  /// Replaces files, all or none, and returns when that is durable. Call it with the lock.
  /// - Throws: ``FileError``. All files are as before then.
  func commit(_ writes: [FileWrite]) throws

  /// Replaces a file that may be lost if the power fails. Call it with the lock.
  func storeCopy(_ write: FileWrite) throws

  /// Renames a file durably. Call it with the lock.
  func rename(_ name: String, to target: String) throws

  /// Returns the names of all files with a prefix.
  func names(withPrefix prefix: String) -> [String]

  /// Returns the path of a file.
  func path(of name: String) -> String

  /// Calls a closure when a file may have changed, with its name, or `nil` if any file may have.
  /// - Returns: An object that ends the watch when it is released; `nil` if all changes are made in
  ///   this process.
  /// - Throws: ``FileError`` if the system refuses a watch.
  func watch(_ receive: @escaping @Sendable (String?) -> Void) throws -> (any Sendable)?
}

/// The new content of a file.
struct FileWrite: Sendable {
  let name: String
  let data: Data
}

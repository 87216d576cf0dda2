import Foundation

/// A failure of a document, with its remedy.
///
/// ```swift
/// do {
///   charters = try await collection.load()
/// } catch let error as FileError where error.code == .corrupted {
///   offersCopy = error.lastGoodCopy != nil
/// }
/// ```
///
/// ``message`` states the failure and its remedy for developers. It names the file, but has neither
/// its folder nor any stored value, so it is safe to log, as is `description`, which puts the code
/// before it. `debugDescription` adds the paths and the cause, which may contain stored values. A
/// user needs a sentence of the app, which it can choose by the code.
public struct FileError: Error, Sendable {
  /// The kind of failure.
  public let code: Code
  /// The failure and its remedy, in a few sentences for developers.
  public let message: String
  /// The path of the document; `nil` if the failure concerns no single one.
  public let path: String?
  /// The path to which a damaged file was moved, so that nothing overwrites it.
  public internal(set) var setAside: String?
  /// The path of the last good copy of a damaged file, if there is one.
  ///
  /// ``JSONDocument/restoreLastGoodCopy()`` puts it in the place of the document.
  public internal(set) var lastGoodCopy: String?
  /// The error that is the reason for this one, such as that of `JSONDecoder`.
  public internal(set) var cause: (any Error)?

  /// Creates an error.
  /// - Parameters:
  ///   - message: The failure and its remedy, without stored values.
  ///   - path: The path of the document.
  package init(
    _ code: Code, _ message: String, path: String? = nil, cause: (any Error)? = nil
  ) {
    self.code = code
    self.message = message
    self.path = path
    self.cause = cause
  }

  /// The name of the document, without its folder.
  public var file: String? { path?.fileName }
}

@_documentation(visibility: internal)
extension FileError: CustomStringConvertible, CustomDebugStringConvertible {
  public var description: String { "\(code): \(message)" }

  public var debugDescription: String {
    var lines = [description]
    if let path { lines.append("file: \(path)") }
    if let setAside { lines.append("set aside: \(setAside)") }
    if let lastGoodCopy { lines.append("last good copy: \(lastGoodCopy)") }
    if let cause { lines.append("cause: \(String(reflecting: cause))") }
    return lines.joined(separator: "\n")
  }
}

@_documentation(visibility: internal)
extension FileError: Equatable {
  /// Returns whether two errors report the same failure of the same file. Causes are ignored.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.code == rhs.code && lhs.message == rhs.message && lhs.path == rhs.path
      && lhs.setAside == rhs.setAside && lhs.lastGoodCopy == rhs.lastGoodCopy
  }
}

extension FileError {
  /// Returns whether an earlier error has reported the same failure.
  ///
  /// A damaged file has a cause when it is set aside. Afterwards, only its new place is known.
  func repeats(_ former: FileError) -> Bool {
    guard code == .corrupted, setAside != nil else { return self == former }
    return former.code == code && former.path == path && former.setAside == setAside
      && former.lastGoodCopy == lastGoodCopy
  }
}

// MARK: - Failures of the system

extension FileError {
  /// Creates the error of a failed change of a folder.
  init(_ failure: SystemError, folder path: String) {
    let other = FileError(failure, path)
    guard other.code == .readOnly else {
      self = other
      return
    }
    self.init(
      .readOnly,
      "Nothing was stored, because the folder “\(path.fileName)” does not allow writing. Check its "
        + "permissions.",
      path: path, cause: failure)
  }

  /// Creates the error of a failed operation on a file.
  init(_ failure: SystemError, _ path: String) {
    let name = path.fileName
    switch failure.code {
    case ENOSPC, EDQUOT:
      self.init(
        .diskFull, "The disk is full, so “\(name)” was not stored. Free some space and try again.",
        path: path, cause: failure)
    case EACCES, EPERM, EROFS:
      self.init(
        failure.isRead ? .cannotOpen : .readOnly,
        failure.isRead
          ? "“\(name)” cannot be read. Check its permissions, and those of its folder."
          : "“\(name)” was not stored, because the folder does not allow writing. Check the "
            + "permissions of the folder.",
        path: path, cause: failure)
    case ELOOP, ENOTDIR, EISDIR, ENXIO:
      self.init(
        .cannotOpen,
        "“\(name)” is not a file, or its folder is not a folder. Pass the path of a file, not of a "
          + "link.",
        path: path, cause: failure)
    default:
      self.init(
        .inputOutput,
        "“\(name)” cannot be \(failure.isRead ? "read" : "stored") (\(failure)). "
          + "Check the disk.",
        path: path, cause: failure)
    }
  }
}

import Foundation

/// The content of a document's file, and its value.
struct StoredContent<Value: Sendable>: Sendable {
  /// The bytes of the file, or `nil` if it does not exist.
  var bytes: Data?
  /// The value, upgraded to the current version.
  var value: Value
  /// Whether the bytes are those that encoding the value leads to.
  var isCanonical = false
  /// Whether the file has the current version.
  var isCurrent = true
}

/// The file of a document, with its last good copy and its damaged versions beside it.
struct DocumentFile<Value: Codable & Sendable>: Sendable {
  /// The end of the name of a document's last good copy.
  static var copySuffix: String { ".backup" }
  /// The beginning of the end of the name of a damaged file; the time follows.
  private static var damagedSuffix: String { ".damaged-" }
  /// The number of times that a file is read again, because another program may be writing it.
  private static var pauseLimit: Int { 20 }

  let folder: DocumentFolder
  let name: String
  let defaultValue: Value
  let format: DocumentFormat<Value>

  private var storage: any FolderStorage { folder.storage }
  private var copyName: String { name + Self.copySuffix }
  private var limit: Int { format.configuration.sizeLimit }
  var path: String { storage.path(of: name) }

  // MARK: - Reading

  /// Reads the file without a lock. Writers replace a file as a whole.
  /// - Parameter known: The content when the file was last read, which is not decoded again.
  /// - Throws: ``FileError``. A damaged file was set aside then.
  func read(_ known: StoredContent<Value>?) throws -> StoredContent<Value> {
    try storage.recover()
    do {
      return try content(known)
    } catch DocumentFailure.damaged(let reason, let cause) {
      do {
        return try storage.withLock { try readLocked(known) }
      } catch let error as FileError where error.code == .readOnly {
        throw damage(reason, setAside: nil, cause)
      }
    }
  }

  /// Reads the file with the lock of the folder.
  /// - Parameter isReplaced: Whether the value is replaced without being used, which is possible
  ///   after a damaged file was set aside.
  /// - Throws: ``FileError``. A damaged file was set aside then.
  func readLocked(
    _ known: StoredContent<Value>?, isReplaced: Bool = false
  ) throws -> StoredContent<Value> {
    var former: Data?
    for _ in 0..<Self.pauseLimit {
      do {
        return try content(known, isReplaced: isReplaced)
      } catch DocumentFailure.damaged(let reason, let cause) {
        let bytes = try storage.read(name, limit: limit)
        guard bytes != former else { throw setAside(reason, cause, known) }
        // An editor may be writing the file in place.
        former = bytes
        folder.environment.pause()
      }
    }
    throw FileError(
      .busy, "“\(name)” is written by another program without end. End that program.", path: path)
  }

  /// Reads and decodes the file.
  /// - Throws: `DocumentFailure.damaged`, or ``FileError``.
  private func content(
    _ known: StoredContent<Value>?, isReplaced: Bool = false
  ) throws -> StoredContent<Value> {
    try requirePlainName()
    guard let bytes = try storage.read(name, limit: limit) else {
      if !isReplaced, let damaged = damagedName { throw damage("was damaged", setAside: damaged) }
      return StoredContent(bytes: nil, value: defaultValue)
    }
    if let known, known.bytes == bytes { return known }
    let decoded = try decode(bytes)
    return StoredContent(
      bytes: bytes, value: decoded.value, isCurrent: decoded.version == format.version)
  }

  private func decode(_ bytes: Data) throws -> DocumentFormat<Value>.Decoded {
    do {
      return try format.decode(bytes)
    } catch DocumentFailure.newerVersion(let version) {
      throw FileError(
        .newerVersion,
        "“\(name)” has version \(version), and this app stores version \(format.version). It stays as "
          + "it is. Update the app.",
        path: path)
    } catch DocumentFailure.upgradeFailed(let version, let cause) {
      throw FileError(
        .upgradeFailed,
        "The upgrade of “\(name)” from version \(version) has failed. The file stays as it is. Correct "
          + "the upgrade.",
        path: path, cause: cause)
    }
  }

  private func requirePlainName() throws {
    let isOwn = name.hasPrefix(FolderJournal.prefix) || name.hasSuffix(Self.copySuffix)
    guard name.isEmpty || name == "." || name == ".." || name.contains("/") || isOwn else { return }
    throw FileError(
      .misuse,
      "“\(name)” cannot be the name of a document. Pass a name without a slash that neither begins "
        + "with “\(FolderJournal.prefix)” nor ends with “\(Self.copySuffix)”.",
      path: path)
  }

  // MARK: - Writing

  /// Encodes a value in place of another content.
  /// - Parameter isReplaced: Whether a file that does not exist is created for the default value.
  /// - Returns: The new content, or `nil` if the value has not changed.
  /// - Throws: ``FileError``: `invalidValue`, `tooLarge`.
  func content(
    of value: Value, replacing before: StoredContent<Value>, isReplaced: Bool
  ) throws -> StoredContent<Value>? {
    var value = value
    let encoded = try encode(&value)
    if before.bytes == encoded.bytes { return nil }
    // A file that was edited by hand has another form for the same value.
    let isComparable =
      before.bytes == nil ? !isReplaced : before.isCurrent && !before.isCanonical
    var former = before.value
    if isComparable, (try? format.encode(&former))?.bytes == encoded.bytes { return nil }
    // Dates that are stored in whole seconds are loaded in whole seconds, too.
    let stored = encoded.isExact ? value : try decode(encoded.bytes).value
    return StoredContent(bytes: encoded.bytes, value: stored, isCanonical: true)
  }

  private func encode(_ value: inout Value) throws -> JSONCoding.Encoded {
    do {
      return try format.encode(&value)
    } catch DocumentFailure.valueTooLarge(let limit) {
      throw FileError(
        .tooLarge,
        "The value for “\(name)” has more than \(limit) bytes, so it was not stored. Store less, or "
          + "raise the limit of its configuration.",
        path: path)
    } catch DocumentFailure.invalidValue(let cause) {
      throw FileError(
        .invalidValue,
        "The value for “\(name)” was not stored: JSON cannot express a part of it, such as a number "
          + "that is not finite, or it is nested too deep. Correct the value.",
        path: path, cause: cause)
    }
  }

  // MARK: - Damage

  /// The name of the damaged file that was set aside last, if there is one.
  private var damagedName: String? { storage.names(withPrefix: name + Self.damagedSuffix).last }

  /// Moves the damaged file away, and returns the error that offers the last good copy.
  private func setAside(
    _ reason: String, _ cause: (any Error)?, _ known: StoredContent<Value>?
  ) -> FileError {
    if readableCopy == nil, let bytes = known?.bytes {
      try? storage.storeCopy(FileWrite(name: copyName, data: bytes))
    }
    let target = freeName
    do {
      try storage.rename(name, to: target)
      return damage(reason, setAside: target, cause)
    } catch {
      return damage(reason, setAside: nil, cause)
    }
  }

  /// A name for the damaged file, with the current time, which no other file has.
  private var freeName: String {
    let time = DateDigits.text(of: folder.environment.now(), .seconds) ?? ""
    let base = name + Self.damagedSuffix + time.replacing(":", with: "-")
    let others = Set(storage.names(withPrefix: base))
    var (free, number) = (base, 2)
    while others.contains(free) {
      free = "\(base)-\(number)"
      number += 1
    }
    return free
  }

  private func damage(
    _ reason: String, setAside: String?, _ cause: (any Error)? = nil
  ) -> FileError {
    let isCopied = readableCopy != nil
    let place =
      setAside.map { "It was set aside as “\($0)”." }
      ?? "It stays as it is, because it cannot be renamed."
    let remedy =
      isCopied
      ? "Its last good copy is “\(copyName)”; restoreLastGoodCopy() puts it back."
      : "There is no good copy of it. Save a value to go on without it."
    var error = FileError(
      .corrupted, "“\(name)” \(reason). \(place) \(remedy)", path: path, cause: cause)
    error.setAside = setAside.map { storage.path(of: $0) }
    error.lastGoodCopy = isCopied ? storage.path(of: copyName) : nil
    return error
  }

  /// The bytes of the last good copy, if it can be decoded.
  private var readableCopy: Data? {
    guard let bytes = try? storage.read(copyName, limit: limit),
      (try? format.decode(bytes)) != nil
    else { return nil }
    return bytes
  }

  /// Puts the last good copy in the place of the document, unless the document can be read.
  /// - Throws: ``FileError``.
  func restore(_ known: StoredContent<Value>?) throws -> StoredContent<Value> {
    try storage.withLock {
      do {
        let content = try readLocked(known)
        if content.bytes != nil { return content }
      } catch let error as FileError where error.code == .corrupted && error.setAside != nil {
        // The place of the document is free.
      }
      guard let bytes = readableCopy else {
        throw FileError(
          .noCopy, "“\(name)” has no good copy. Save a value to go on without it.", path: path)
      }
      try storage.commit([FileWrite(name: name, data: bytes)])
      return try readLocked(nil)
    }
  }
}

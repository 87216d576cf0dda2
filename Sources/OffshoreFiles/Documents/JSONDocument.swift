import Foundation

/// A value in a file of its own, as JSON that people can read, copy and compare.
///
/// ```swift
/// let settings = JSONDocument(path, default: Settings())
/// try await settings.update { $0.language = "ru" }
/// for try await settings in settings.values() { show(settings) }
/// ```
///
/// The file has sorted keys, indentation, and dates in ISO 8601. It is replaced as a whole, and when
/// a call returns, the new content is durable. Storing an unchanged value does not touch the file, so
/// the encoding of a value should be the same each time: use arrays in place of sets, and
/// dictionaries with texts or integers as keys.
///
/// A missing file is the default value. A damaged file is never overwritten: it is set aside with the
/// time in its name, and loading throws ``FileError`` with the code `corrupted` until a value is saved
/// or ``restoreLastGoodCopy()`` is called.
public actor JSONDocument<Value: Codable & Sendable> {
  nonisolated let file: DocumentFile<Value>

  /// The content of the file when it was last read or written.
  private var content: StoredContent<Value>?
  private var subscribers: [Int: @Sendable (Result<Value, any Error>) -> Void] = [:]
  private var nextSubscriber = 0
  private var observation: Int?
  /// The error that was published last, unless a value was published since.
  private var publishedError: FileError?

  @_documentation(visibility: internal)
  public nonisolated var unownedExecutor: UnownedSerialExecutor { folder.unownedExecutor }

  /// Creates a document in a folder of its own. To change several documents together, create them by
  /// a ``DocumentFolder``.
  /// - Parameters:
  ///   - path: The path of the file. Neither the file nor its folder needs to exist.
  ///   - defaultValue: The value while the file does not exist.
  ///   - upgrades: The steps from version 0 to the current version, as ``DocumentUpgrade`` describes.
  public init(
    _ path: String, default defaultValue: Value,
    configuration: JSONConfiguration = JSONConfiguration(), upgrades: [DocumentUpgrade] = []
  ) {
    let path = path.absolutePath
    self.init(
      DocumentFolder(path.parentPath), path.fileName, defaultValue,
      DocumentFormat(configuration: configuration, upgrades: upgrades))
  }

  init(
    _ folder: DocumentFolder, _ name: String, _ defaultValue: Value,
    _ format: DocumentFormat<Value>
  ) {
    file = DocumentFile(folder: folder, name: name, defaultValue: defaultValue, format: format)
  }

  /// The path of the file, or its name if the folder is in memory.
  public nonisolated var path: String { file.path }

  // MARK: - Loading and storing

  /// Loads the value.
  /// - Throws: ``FileError``: `corrupted` if the file is damaged; `newerVersion`, `upgradeFailed`,
  ///   `tooLarge`, `cannotOpen` or `inputOutput` if it cannot be loaded, and stays as it is; `busy`.
  public func load() throws -> Value {
    let content = try file.read(content)
    remember(content)
    return content.value
  }

  /// Loads the value from the file, past the copy in memory.
  /// - Throws: ``FileError`` as ``load()`` does.
  public func reload() throws -> Value {
    let content = try file.read(nil)
    remember(content)
    return content.value
  }

  /// Stores a value in place of the present one.
  ///
  /// A file that cannot be loaded is not overwritten, and the call fails. After a damaged file was set
  /// aside, a value can be saved.
  /// - Throws: ``FileError``: `diskFull`, `readOnly`, `inputOutput`, `busy`; `invalidValue` or
  ///   `tooLarge` if the value cannot be stored; or as ``load()`` does. The file is as before then.
  public func save(_ value: Value) throws {
    try folder.assumeIsolated { folder in
      try folder.update { try $0.save(value, in: self) }
    }
  }

  /// Loads the value, changes it, and stores it, while no other process does.
  /// - Returns: The result of the closure.
  /// - Throws: The error of the closure, or ``FileError`` as ``save(_:)`` does.
  @discardableResult
  public func update<Result: Sendable>(
    _ change: @Sendable (inout Value) throws -> Result
  ) throws -> Result {
    try folder.assumeIsolated { folder in
      try folder.update { try $0.change(self, change) }
    }
  }

  /// Puts the last good copy in the place of a damaged or missing file. A file that can be loaded
  /// stays as it is.
  /// - Returns: The value of the file.
  /// - Throws: ``FileError``: `noCopy` if there is no good copy; or as ``save(_:)`` does.
  @discardableResult
  public func restoreLastGoodCopy() throws -> Value {
    let content = try file.restore(content)
    remember(content)
    folder.assumeIsolated { $0.notify(name) }
    return content.value
  }

  /// Loads the value of a document that must always have one, such as settings. A damaged file is
  /// replaced by its last good copy or, if there is none, by the default value. It stays aside.
  /// - Throws: ``FileError`` as ``load()`` and ``save(_:)`` do, except `corrupted`.
  public func loadRestoring() throws -> Value {
    do {
      return try load()
    } catch let error as FileError where error.code == .corrupted {
      if error.lastGoodCopy != nil { return try restoreLastGoodCopy() }
      try save(file.defaultValue)
      return try load()
    }
  }

  // MARK: - Observation

  /// Observes the value: the current one, and each later one, whichever process stores it.
  ///
  /// A slow consumer receives the latest value only. An error is thrown once; the iterator can still
  /// be used, and continues with the next value.
  public nonisolated func values() -> StoredValues<Value> {
    StoredValues { send in
      let subscription = Task { await self.subscribe(send) }
      return { Task { await self.unsubscribe(subscription.value) } }
    }
  }

  /// Calls a closure with the current value or error, and with each later one.
  /// - Returns: The number of the subscription.
  func subscribe(_ send: @escaping @Sendable (Result<Value, any Error>) -> Void) -> Int {
    nextSubscriber += 1
    if observation == nil {
      observation = folder.assumeIsolated { folder in
        folder.observe(name) { [weak self] in self?.assumeIsolated { $0.check() } }
      }
    }
    let current = Result { try load() }
    if case .failure(let error) = current { publishedError = error as? FileError }
    send(current)
    subscribers[nextSubscriber] = send
    return nextSubscriber
  }

  func unsubscribe(_ number: Int) {
    subscribers[number] = nil
    guard subscribers.isEmpty, let observation else { return }
    folder.assumeIsolated { $0.endObservation(observation, of: name) }
    self.observation = nil
  }

  /// Reads the file after it may have changed, and sends a new value or error to the subscribers.
  func check() {
    do {
      _ = try load()
    } catch let error as FileError where publishedError.map({ error.repeats($0) }) == true {
      // It is known already.
    } catch {
      publishedError = error as? FileError
      for send in subscribers.values { send(.failure(error)) }
    }
  }

  private func remember(_ content: StoredContent<Value>) {
    let isNew = publishedError != nil || self.content.map { $0.bytes != content.bytes } ?? true
    self.content = content
    guard isNew else { return }
    publishedError = nil
    for send in subscribers.values { send(.success(content.value)) }
  }
}

// MARK: - Changes with other documents

extension JSONDocument {
  /// The folder of the document.
  public nonisolated var folder: DocumentFolder { file.folder }
  /// The name of the file.
  public nonisolated var name: String { file.name }

  /// Reads the file in a change of the folder.
  /// - Parameter isReplaced: Whether the value is replaced without being used.
  func readForChange(isReplaced: Bool) throws -> StoredContent<Value> {
    try file.readLocked(content, isReplaced: isReplaced)
  }

  /// Records the content that a change of the folder has stored.
  func didStore(_ content: StoredContent<Value>) { remember(content) }
}

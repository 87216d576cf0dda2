import Foundation

/// A folder of documents that change together, on the disk or in memory.
///
/// ```swift
/// let folder = DocumentFolder(path)
/// let charters = folder.collection("charters.json", of: Charter.self)
/// let settings = folder.document("settings.json", default: Settings())
/// try await folder.update { update in
///   try update.change(charters) { $0.upsert(charter) }
///   try update.change(settings) { $0.lastCharter = charter.id }
/// }
/// ```
///
/// Nothing is read before the first use of a document, or created before the first change. All
/// writers, in this process and in others, write one after the other. A change of several documents
/// is stored whole or not at all, whenever the process ends: a change that was interrupted is
/// completed when the folder is used for the next time.
///
/// The files of the library in the folder are hidden; their names begin with `.offshore-`. Beside a
/// document there is its last good copy, `charters.json.backup`. New folders and files are readable
/// for their user only, and the permissions of existing ones stay.
public actor DocumentFolder {
  /// The path of the folder; empty if it is in memory.
  public nonisolated let path: String

  nonisolated let queue = FolderQueue()
  nonisolated let storage: any FolderStorage
  nonisolated let environment: FolderEnvironment

  /// The observing documents of each file, by the numbers of their observations.
  private var observers: [String: [Int: @Sendable () -> Void]] = [:]
  private var nextObserver = 0
  private var watch: (any Sendable)?

  /// The error due to which changes by other processes are not noticed at once; `nil` if they are.
  ///
  /// They are then noticed when a document is used.
  public private(set) var watchError: FileError?

  @_documentation(visibility: internal)
  public nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

  /// Creates a folder on the disk. A relative path is that of the working folder.
  public init(_ path: String) { self.init(path, FolderEnvironment()) }

  package init(_ path: String, _ environment: FolderEnvironment) {
    let path = path.absolutePath
    self.init(path, DiskFolder(path, environment), environment)
  }

  private init(_ path: String, _ storage: any FolderStorage, _ environment: FolderEnvironment) {
    self.path = path
    self.storage = storage
    self.environment = environment
  }

  /// Creates an empty folder in memory, for tests and previews. It encodes and decodes values as one
  /// on the disk does.
  public static func inMemory() -> DocumentFolder {
    DocumentFolder("", MemoryFolder(), FolderEnvironment())
  }

  // MARK: - Documents

  /// Returns a document of the folder.
  ///
  /// Several documents with one name are independent, as those of several processes are.
  /// - Parameters:
  ///   - name: The name of the file, without a slash.
  ///   - defaultValue: The value while the file does not exist.
  ///   - upgrades: The steps from version 0 to the current version, as ``DocumentUpgrade`` describes.
  public nonisolated func document<Value>(
    _ name: String, default defaultValue: Value,
    configuration: JSONConfiguration = JSONConfiguration(), upgrades: [DocumentUpgrade] = []
  ) -> JSONDocument<Value> {
    JSONDocument(
      self, name, defaultValue, DocumentFormat(configuration: configuration, upgrades: upgrades))
  }

  /// Returns a collection of the folder.
  ///
  /// Several collections with one name are independent, as those of several processes are.
  /// - Parameters:
  ///   - name: The name of the file, without a slash.
  ///   - upgrades: The steps from version 0 to the current version, as ``DocumentUpgrade`` describes.
  ///     They convert arrays of elements.
  public nonisolated func collection<Element>(
    _ name: String, of type: Element.Type = Element.self,
    configuration: JSONConfiguration = JSONConfiguration(), upgrades: [DocumentUpgrade] = []
  ) -> JSONCollection<Element> {
    JSONCollection(
      document(name, default: ElementList(), configuration: configuration, upgrades: upgrades))
  }

  // MARK: - Changes

  /// Changes several documents together: all or none.
  ///
  /// The closure reads and changes documents of this folder by the update. Nothing is stored before
  /// it ends, and if it throws, nothing is stored at all.
  /// - Returns: The result of the closure.
  /// - Throws: The error of the closure, or ``FileError`` as ``JSONDocument/save(_:)`` does. All
  ///   documents are as before then.
  @discardableResult
  public func update<Result: Sendable>(
    _ body: @Sendable (FolderUpdate) throws -> Result
  ) throws -> Result {
    let (result, names) = try storage.withLock {
      let update = FolderUpdate(self)
      defer { update.end() }
      let result = try body(update)
      return (result, try commit(update))
    }
    for name in names { notify(name) }
    return result
  }

  /// Reads several documents while no other process changes them.
  ///
  /// A folder that does not exist is not created, and one that does not allow writing is read without its
  /// lock.
  /// - Parameter body: Reads the documents, and changes none.
  func read<Result: Sendable>(
    _ body: @Sendable (FolderUpdate) throws -> Result
  ) throws -> Result {
    let update = FolderUpdate(self)
    defer { update.end() }
    guard path.isEmpty || FileManager.default.fileExists(atPath: path) else {
      return try body(update)
    }
    do {
      return try storage.withLock { try body(update) }
    } catch let error as FileError where error.code == .readOnly {
      return try body(update)
    }
  }

  /// Stores the changes of an update.
  /// - Returns: The names of the changed files.
  private func commit(_ update: FolderUpdate) throws -> [String] {
    let writes = try update.writes()
    try storage.commit(writes)
    update.complete()
    for write in writes {
      // If this fails, the copy is that of the former value.
      let name = write.name + DocumentFile<Int>.copySuffix
      try? storage.storeCopy(FileWrite(name: name, data: write.data))
    }
    return writes.map(\.name)
  }

  // MARK: - Observation

  /// Calls a closure when a file may have changed, until the observation is removed.
  /// - Returns: The number of the observation.
  func observe(_ name: String, _ receive: @escaping @Sendable () -> Void) -> Int {
    nextObserver += 1
    observers[name, default: [:]][nextObserver] = receive
    startWatch()
    return nextObserver
  }

  func endObservation(_ number: Int, of name: String) {
    observers[name]?[number] = nil
    if observers[name]?.isEmpty == true { observers[name] = nil }
    if observers.isEmpty { watch = nil }
  }

  private func startWatch() {
    guard watch == nil else { return }
    do {
      watch = try storage.watch { [weak self] name in Task { await self?.receive(name) } }
      watchError = nil
    } catch {
      watchError = error as? FileError
    }
  }

  private func receive(_ name: String?) {
    guard name == nil else { return notify(name) }
    // The folder may have been deleted, moved or created.
    watch = nil
    startWatch()
    notify(nil)
  }

  /// Notifies the observing documents of a file, or of all files.
  func notify(_ name: String?) {
    let concerned = name.map { [observers[$0] ?? [:]] } ?? Array(observers.values)
    for receive in concerned.flatMap(\.values) { receive() }
  }
}

/// An ordered collection of elements with different ids in a file of its own: an array in JSON.
///
/// ```swift
/// let charters = JSONCollection<Charter>(path)
/// try await charters.upsert(charter)
/// for try await charters in charters.values() { show(charters) }
/// ```
///
/// The file behaves as that of a ``JSONDocument``. A file with two elements that have the same id is
/// damaged.
public actor JSONCollection<Element>: ElementStore
where Element: Codable & Identifiable & Sendable, Element.ID: Sendable {
  nonisolated let document: JSONDocument<ElementList<Element>>
  /// The elements that the user of this object knows.
  var known = KnownElements<Element.ID>()

  @_documentation(visibility: internal)
  public nonisolated var unownedExecutor: UnownedSerialExecutor { document.unownedExecutor }

  /// Creates a collection in a folder of its own. To change several collections together, create them
  /// by a ``DocumentFolder``.
  /// - Parameters:
  ///   - path: The path of the file. Neither the file nor its folder needs to exist.
  ///   - upgrades: The steps from version 0 to the current version, as ``DocumentUpgrade`` describes.
  ///     They convert arrays of elements.
  public init(
    _ path: String, configuration: JSONConfiguration = JSONConfiguration(),
    upgrades: [DocumentUpgrade] = []
  ) {
    self.init(
      JSONDocument(
        path, default: ElementList(), configuration: configuration, upgrades: upgrades))
  }

  init(_ document: JSONDocument<ElementList<Element>>) { self.document = document }

  /// The folder of the collection.
  public nonisolated var folder: DocumentFolder { document.folder }
  /// The path of the file, or its name if the folder is in memory.
  public nonisolated var path: String { document.path }

  // MARK: - Loading

  /// Loads the elements in their order.
  /// - Throws: ``FileError`` as ``JSONDocument/load()`` does.
  public func load() throws -> [Element] {
    didLoad(try document.assumeIsolated { try $0.load() })
  }

  /// Loads the elements from the file, past the copy in memory.
  /// - Throws: ``FileError`` as ``JSONDocument/load()`` does.
  public func reload() throws -> [Element] {
    didLoad(try document.assumeIsolated { try $0.reload() })
  }

  private func didLoad(_ elements: ElementList<Element>) -> [Element] {
    known.replace(by: elements)
    return Array(elements)
  }

  // MARK: - Changing

  /// Loads the elements, changes them, and stores them, while no other process does.
  /// - Returns: The result of the closure.
  /// - Throws: The error of the closure, or ``FileError`` as ``JSONDocument/save(_:)`` does.
  @discardableResult
  public func update<Result: Sendable>(
    _ change: @escaping @Sendable (inout ElementList<Element>) throws -> Result
  ) throws -> Result {
    try updateFolder { try $0.change(self, change) }
  }

  /// Replaces all elements.
  /// - Throws: ``FileError`` as ``FolderUpdate/replaceAll(_:in:)`` does.
  public func replaceAll(_ elements: [Element]) throws {
    try updateFolder { try $0.replaceAll(elements, in: self) }
  }

  /// Replaces the elements, except those that another process or object has added since this one was
  /// last loaded; see ``ElementStore/replaceLoaded(_:)``.
  /// - Throws: ``FileError`` as ``FolderUpdate/replaceAll(_:in:)`` does.
  public func replaceLoaded(_ elements: [Element]) throws {
    try updateFolder { try $0.replaceLoaded(elements, in: self) }
  }

  /// Replaces the elements with the same ids, and appends the others.
  /// - Throws: ``FileError`` as ``JSONDocument/save(_:)`` does.
  public func upsert(_ elements: [Element]) throws {
    try updateFolder { try $0.upsert(elements, in: self) }
  }

  /// Removes the elements with these ids.
  /// - Throws: ``FileError`` as ``JSONDocument/save(_:)`` does.
  public func remove(_ ids: [Element.ID]) throws {
    try updateFolder { try $0.remove(ids, in: self) }
  }

  /// Puts the last good copy in the place of a damaged or missing file. A file that can be loaded
  /// stays as it is.
  /// - Returns: The elements of the file.
  /// - Throws: ``FileError`` as ``JSONDocument/restoreLastGoodCopy()`` does.
  @discardableResult
  public func restoreLastGoodCopy() throws -> [Element] {
    didLoad(try document.assumeIsolated { try $0.restoreLastGoodCopy() })
  }

  private func updateFolder<Result: Sendable>(
    _ body: @Sendable (FolderUpdate) throws -> Result
  ) throws -> Result {
    try folder.assumeIsolated { try $0.update(body) }
  }

  // MARK: - Observation

  /// Observes the elements: the current ones, and those after each later change, whichever process
  /// makes it.
  public nonisolated func values() -> StoredValues<[Element]> {
    StoredValues(document.values()) { await self.didLoad($0) }
  }
}

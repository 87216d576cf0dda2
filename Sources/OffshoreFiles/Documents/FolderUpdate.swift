import Foundation

/// A change of several documents of one folder, in the closure of ``DocumentFolder/update(_:)``.
public final class FolderUpdate {
  private let folder: DocumentFolder
  private var changes: [any DocumentChange] = []
  private var isOver = false

  init(_ folder: DocumentFolder) { self.folder = folder }

  // MARK: - Documents

  /// Returns the value of a document, with the changes of this update.
  /// - Throws: ``FileError`` as ``JSONDocument/load()`` does.
  public func value<Value>(of document: JSONDocument<Value>) throws -> Value {
    try change(of: document).value
  }

  /// Replaces the value of a document.
  /// - Throws: ``FileError`` as ``JSONDocument/save(_:)`` does.
  public func save<Value>(_ value: Value, in document: JSONDocument<Value>) throws {
    try change(of: document, isReplaced: true).value = value
  }

  /// Changes the value of a document.
  /// - Returns: The result of the closure.
  /// - Throws: The error of the closure, or ``FileError`` as ``JSONDocument/load()`` does.
  @discardableResult
  public func change<Value, Result>(
    _ document: JSONDocument<Value>, _ change: (inout Value) throws -> Result
  ) throws -> Result {
    try change(&self.change(of: document).value)
  }

  // MARK: - Collections

  /// Returns the elements of a collection, with the changes of this update.
  ///
  /// It does not count as loading the collection, unlike ``JSONCollection/load()``; see
  /// ``ElementStore/replaceLoaded(_:)``.
  /// - Throws: ``FileError`` as ``JSONDocument/load()`` does.
  public func elements<Element>(
    of collection: JSONCollection<Element>
  ) throws -> ElementList<Element> {
    try value(of: collection.document)
  }

  /// Returns the elements in the file of a collection, past the copy in memory and the changes of this
  /// update.
  /// - Throws: ``FileError`` as ``JSONDocument/load()`` does.
  func stored<Element>(_ collection: JSONCollection<Element>) throws -> ElementList<Element> {
    try require(collection.document)
    return try collection.document.file.readLocked(nil).value
  }

  /// Changes the elements of a collection.
  /// - Returns: The result of the closure.
  /// - Throws: The error of the closure, or ``FileError`` as ``JSONDocument/load()`` does.
  @discardableResult
  public func change<Element, Result>(
    _ collection: JSONCollection<Element>,
    _ change: (inout ElementList<Element>) throws -> Result
  ) throws -> Result {
    let (elements, known) = try (self.change(of: collection.document), known(collection))
    let before = elements.value
    defer { known.value.record(before, elements.value) }
    return try change(&elements.value)
  }

  /// Replaces the elements with the same ids, and appends the others.
  func upsert<Element>(_ elements: [Element], in collection: JSONCollection<Element>) throws {
    let (change, known) = try (change(of: collection.document), known(collection))
    for element in elements {
      known.value.insert(element.id)
      change.value.upsert(element)
    }
  }

  /// Removes the elements with these ids.
  func remove<Element>(_ ids: [Element.ID], in collection: JSONCollection<Element>) throws {
    let (change, known) = try (change(of: collection.document), known(collection))
    for id in ids { known.value.remove(id) }
    change.value.remove(ids)
  }

  /// Replaces all elements of a collection.
  /// - Throws: ``FileError`` with the code `duplicateID` if two elements have the same id, or as
  ///   ``JSONDocument/save(_:)`` does.
  public func replaceAll<Element>(
    _ elements: [Element], in collection: JSONCollection<Element>
  ) throws {
    let (new, known) = try (ElementList(elements), known(collection))
    try change(of: collection.document, isReplaced: true).value = new
    known.value.replace(by: new)
  }

  /// Replaces the elements of a collection, except those that another process or object has added
  /// since the collection was last loaded; see ``ElementStore/replaceLoaded(_:)``.
  /// - Throws: ``FileError`` as ``replaceAll(_:in:)`` does.
  public func replaceLoaded<Element>(
    _ elements: [Element], in collection: JSONCollection<Element>
  ) throws {
    let (new, known) = try (ElementList(elements), known(collection))
    let change = try change(of: collection.document, isReplaced: true)
    change.value = known.value.merging(new, into: change.value)
    known.value.replace(by: new)
  }

  // MARK: - Changed documents

  private func change<Value>(
    of document: JSONDocument<Value>, isReplaced: Bool = false
  ) throws -> ValueChange<Value> {
    try require(document)
    guard let found = changes.first(where: { $0.name == document.name }) else {
      let before = try document.assumeIsolated { try $0.readForChange(isReplaced: isReplaced) }
      let change = ValueChange(document, before, isReplaced)
      changes.append(change)
      return change
    }
    guard let change = found as? ValueChange<Value>, change.document === document else {
      throw FileError(
        .misuse,
        "Two objects for “\(document.name)” are used in one update. Use the same object.",
        path: document.path)
    }
    // A value that was read before may be replaced, too.
    if isReplaced { change.isReplaced = true }
    return change
  }

  /// Returns the elements of a collection that its user knows.
  private func known<Element>(
    _ collection: JSONCollection<Element>
  ) throws -> KnownChange<Element> {
    try require(collection.document)
    for case let change as KnownChange<Element> in changes where change.collection === collection {
      return change
    }
    let change = KnownChange(collection, collection.assumeIsolated { $0.known })
    changes.append(change)
    return change
  }

  private func require<Value>(_ document: JSONDocument<Value>) throws {
    guard !isOver, document.folder === folder else {
      throw FileError(
        .misuse,
        isOver
          ? "The update is used after the end of its closure. Use it in the closure only."
          : "“\(document.name)” is in another folder. Use documents of the folder of the update.",
        path: document.path)
    }
  }

  // MARK: - Storing

  /// Returns the files that differ.
  func writes() throws -> [FileWrite] { try changes.compactMap { try $0.write() } }

  /// Records in the documents that their files are stored.
  func complete() { for change in changes { change.complete() } }

  func end() {
    isOver = true
    changes = []
  }
}

/// The change of a document or a collection of any type.
private protocol DocumentChange: AnyObject {
  /// The name of the file; `nil` if there is no file to write.
  var name: String? { get }
  /// Returns the new file, or `nil` if it is as before.
  func write() throws -> FileWrite?
  /// Records that the file is stored.
  func complete()
}

/// A document with its former and its new value.
private final class ValueChange<Value: Codable & Sendable>: DocumentChange {
  let document: JSONDocument<Value>
  var value: Value
  var name: String? { document.name }

  /// Whether a file that does not exist is created for the default value.
  var isReplaced: Bool

  private let before: StoredContent<Value>
  private var after: StoredContent<Value>?

  init(_ document: JSONDocument<Value>, _ before: StoredContent<Value>, _ isReplaced: Bool) {
    (self.document, self.before, self.isReplaced, value) = (
      document, before, isReplaced, before.value
    )
  }

  func write() throws -> FileWrite? {
    after = try document.file.content(of: value, replacing: before, isReplaced: isReplaced)
    return after?.bytes.map { FileWrite(name: document.name, data: $0) }
  }

  func complete() {
    let content = after ?? before
    document.assumeIsolated { $0.didStore(content) }
  }
}

/// A collection with the elements that its user knows after the change.
private final class KnownChange<Element>: DocumentChange
where Element: Codable & Identifiable & Sendable, Element.ID: Sendable {
  let collection: JSONCollection<Element>
  var value: KnownElements<Element.ID>
  var name: String? { nil }

  init(_ collection: JSONCollection<Element>, _ value: KnownElements<Element.ID>) {
    (self.collection, self.value) = (collection, value)
  }

  func write() -> FileWrite? { nil }

  func complete() {
    let value = value
    collection.assumeIsolated { $0.known = value }
  }
}

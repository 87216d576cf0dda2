/// A stored, ordered collection of elements with different ids: a file, a folder in memory, or a table
/// of a database.
///
/// ``JSONCollection`` and ``TableCollection`` are such collections, with the same behavior.
public protocol ElementStore<Element>: Sendable {
  associatedtype Element: Identifiable & Sendable where Element.ID: Sendable

  /// Loads the elements in their order.
  /// - Throws: ``FileError``, or `DatabaseError` for a table.
  func load() async throws -> [Element]

  /// Loads the elements in their order, past any copy in memory.
  /// - Throws: As ``load()`` does.
  func reload() async throws -> [Element]

  /// Loads the elements, changes them, and stores them, while no other process does.
  ///
  /// Elements that do not differ are not written. If the closure throws, nothing is stored.
  /// - Returns: The result of the closure.
  /// - Throws: The error of the closure, or as ``load()`` does.
  @discardableResult
  func update<Result: Sendable>(
    _ change: @escaping @Sendable (inout ElementList<Element>) throws -> Result
  ) async throws -> Result

  /// Replaces all elements.
  /// - Throws: ``FileError`` with the code `duplicateID` if two elements have the same id, or as
  ///   ``update(_:)`` does.
  func replaceAll(_ elements: [Element]) async throws

  /// Replaces the elements, except those that another process or object has added since this object
  /// was last loaded. These follow the new elements, and stay until they were loaded.
  ///
  /// Elements that `values()` has delivered count as loaded. If this object was never loaded, all
  /// elements are replaced.
  /// - Throws: As ``replaceAll(_:)`` does.
  func replaceLoaded(_ elements: [Element]) async throws

  /// Replaces the elements with the same ids, and appends the others.
  /// - Throws: As ``update(_:)`` does.
  func upsert(_ elements: [Element]) async throws

  /// Removes the elements with these ids.
  /// - Throws: As ``update(_:)`` does.
  func remove(_ ids: [Element.ID]) async throws

  /// Observes the elements: the current ones, and those after each later change, whichever process
  /// makes it.
  func values() -> StoredValues<[Element]>
}

extension ElementStore {
  /// Replaces the element with the same id, or appends the element.
  /// - Throws: As ``update(_:)`` does.
  public func upsert(_ element: Element) async throws { try await upsert([element]) }

  /// Removes the element with an id.
  /// - Throws: As ``update(_:)`` does.
  public func remove(_ id: Element.ID) async throws { try await remove([id]) }
}

// MARK: - Copies

extension ElementStore where Element: Equatable {
  /// Copies all elements to another collection, such as from a file to a table or back, and proves
  /// the copy by loading it.
  ///
  /// The elements here stay. A copy that was interrupted can be repeated.
  /// - Parameter replacesExisting: Whether other elements of the target are replaced.
  /// - Returns: The number of elements, which is the same in both.
  /// - Throws: ``FileError``: `targetNotEmpty` if the target has other elements; `unproven` if the
  ///   target does not load the same elements; or as ``load()`` and ``replaceAll(_:)`` do.
  @discardableResult
  public func copy(
    to target: some ElementStore<Element>, replacesExisting: Bool = false
  ) async throws -> Int {
    let elements = try await reload()
    let copied = try ElementList(elements)
    try await target.update { stored in
      guard stored.isEmpty || replacesExisting || stored == copied else {
        throw FileError(
          .targetNotEmpty,
          "The target has \(stored.count) other elements. Empty it, or replace them.")
      }
      stored = copied
    }
    let proof = try await target.reload()
    guard proof == elements else {
      throw FileError(
        .unproven,
        "The target has \(proof.count) elements, and not the same ones as the source with its "
          + "\(elements.count). The source stays. Check that no other program writes to the target, and "
          + "that it stores all properties.")
    }
    return elements.count
  }

  /// Moves all elements to another collection: copies them, and removes them here once the copy is
  /// proven.
  /// - Returns: The number of elements.
  /// - Throws: ``FileError``: `unproven` if the elements here have changed meanwhile, so that they
  ///   stay; or as ``copy(to:replacesExisting:)`` does.
  @discardableResult
  public func move(
    to target: some ElementStore<Element>, replacesExisting: Bool = false
  ) async throws -> Int {
    let count = try await copy(to: target, replacesExisting: replacesExisting)
    let moved = try await target.reload()
    try await update { elements in
      guard Array(elements) == moved else {
        throw FileError(
          .unproven,
          "The source has changed during the move, so its elements stay. Repeat the move.")
      }
      elements = ElementList()
    }
    return count
  }
}

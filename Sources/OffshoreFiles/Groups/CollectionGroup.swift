/// Ordered collections of several types of elements, which change together and log their changes.
///
/// ```swift
/// let group = FileGroup<FleetChange>(folder)
/// try await group.perform(.save(charter))
/// try await group.replaceLoaded(harbors)
/// let changes = try await group.loadChanges()
/// ```
///
/// There are four kinds, with the same behavior: ``FileGroup``, ``SharedGroup``, ``TableGroup`` and
/// ``MemoryGroup``. A change and its entry in the log are stored together, or not at all. Functions
/// throw the error of the place, such as ``FileError`` or `DatabaseError`. Elements of a type that the
/// group does not have throw ``FileError`` with the code `misuse`.
public protocol CollectionGroup<Change>: Sendable {
  associatedtype Change: LoggedChange

  /// Loads all elements of a type, in their order.
  func load<Element: LoggedElement<Change.Edit>>(_ type: Element.Type) async throws -> [Element]

  /// Loads the changes of the log, the oldest first.
  func loadChanges() async throws -> [Change]

  /// Replaces the elements of a type, except those that another process or object has added since this
  /// group has last loaded them; see ``ElementStore/replaceLoaded(_:)``.
  /// - Throws: ``FileError`` with the code `duplicateID` if two elements have the same id.
  func replaceLoaded<Element: LoggedElement<Change.Edit>>(_ elements: [Element]) async throws

  /// Changes single elements.
  /// - Returns: The logged change; `nil` if nothing has changed.
  /// - Throws: ``RefusedEdits`` if an element is not as an edit found it.
  @discardableResult
  func perform(_ change: ElementChange<Change.Edit>) async throws -> Change?

  /// Returns a value at once, and one after each change of the elements of a type, whichever process
  /// makes it.
  func signals<Element: LoggedElement<Change.Edit>>(of type: Element.Type) -> StoredValues<Void>

  /// Returns a value at once, and one after each change of the log.
  func changeSignals() -> StoredValues<Void>

  /// Loads all elements and changes between two changes of the group, past any copy in memory.
  ///
  /// The elements do not count as loaded; see ``replaceLoaded(_:)``.
  func content() async throws -> GroupContent<Change>

  /// Replaces all elements and changes, in one change that is not logged.
  func replaceAll(_ content: GroupContent<Change>) async throws
}

extension CollectionGroup {
  /// Copies all elements and changes to another group, such as from files to a database or back, and
  /// proves the copy by loading it. The ones here stay.
  /// - Parameter replacesExisting: Whether other elements and changes of the target are replaced, which
  ///   is not logged.
  /// - Returns: The copied elements and changes.
  /// - Throws: ``FileError``: `targetNotEmpty` if the target has other elements or changes; `unproven`
  ///   if it does not load the same.
  @discardableResult
  public func copy(
    to target: any CollectionGroup<Change>, replacesExisting: Bool = false
  ) async throws -> GroupContent<Change> {
    let (content, present) = (try await content(), try await target.content())
    guard replacesExisting || present == GroupContent() || present == content else {
      throw FileError(
        .targetNotEmpty, "The target has other elements or changes. Empty it, or replace them.")
    }
    try await target.replaceAll(content)
    guard try await target.content() == content else {
      throw FileError(
        .unproven,
        "The target has other elements or changes than the source, which stays. Check that no other "
          + "program writes to the target, and that it stores all properties.")
    }
    return content
  }
}

/// The stores of a group, by the types of their elements.
struct GroupMembers: Sendable {
  private let members: [ObjectIdentifier: any Sendable]

  /// Creates a store for each type of element.
  init<Edit: LoggedEdit>(
    _: Edit.Type, _ make: (any LoggedElement<Edit>.Type) -> any Sendable
  ) {
    members = Dictionary(Edit.elementTypes.map { (ObjectIdentifier($0), make($0)) }) { $1 }
  }

  init(_ stores: [any ElementStore]) {
    func type<Store: ElementStore>(_ store: Store) -> ObjectIdentifier {
      ObjectIdentifier(Store.Element.self)
    }
    members = Dictionary(stores.map { (type($0), $0) }) { $1 }
  }

  /// Returns the store of the elements of a type.
  /// - Throws: ``FileError`` with the code `misuse` if there is none.
  func store<Element, Store>(of type: Element.Type, as _: Store.Type) throws -> Store {
    guard let store = members[ObjectIdentifier(type)] as? Store else {
      throw FileError(missing: type)
    }
    return store
  }
}

extension FileError {
  /// Creates the error of a type of element that a group does not have.
  init(missing type: Any.Type) {
    self.init(
      .misuse, "The group has no elements of the type \(type). Add it to the types of the group.")
  }
}

extension StoredValues<Void> {
  /// A value for each one of another sequence, or the error of finding the sequence.
  init<Values: AsyncSequence & Sendable>(following values: () throws -> Values) {
    do {
      self.init(try values()) { _ in }
    } catch {
      self.init { send in
        send(.failure(error))
        return {}
      }
    }
  }
}

import Foundation

/// The elements of a ``CollectionGroup`` in memory, with the changes of its log.
public struct GroupContent<Change: LoggedChange>: Sendable {
  private var lists: [ObjectIdentifier: any Sendable] = [:]
  /// The changes, the oldest first.
  public var changes = ElementList<Change>()

  /// Creates empty collections and an empty log.
  public init() {}

  /// The elements of a type, in their order.
  public subscript<Element: LoggedElement>(type: Element.Type) -> ElementList<Element> {
    get { lists[ObjectIdentifier(type)] as? ElementList<Element> ?? ElementList() }
    set { lists[ObjectIdentifier(type)] = newValue }
  }

  /// Makes a change, and logs it.
  /// - Returns: The logged change; `nil` if nothing has changed.
  /// - Throws: ``RefusedEdits`` if an element is not as an edit found it. No edit is made then.
  @discardableResult
  public mutating func perform(
    _ change: ElementChange<Change.Edit>, _ stamp: ChangeStamp = ChangeStamp()
  ) throws -> Change? {
    var changed = self
    let made = try changed.make(change, stamp)
    self = changed
    return made
  }

  /// Replaces all elements of a type, and logs the differences.
  /// - Throws: ``FileError`` with the code `duplicateID`.
  public mutating func replace<Element: LoggedElement<Change.Edit>>(
    by elements: [Element], _ stamp: ChangeStamp = ChangeStamp()
  ) throws {
    let edits = self[Element.self].edits(to: elements)
    self[Element.self] = try ElementList(elements)
    if !edits.isEmpty { log(stamp.change(edits)) }
  }

  /// Replaces the elements with the same ids by those of other content, and appends the others. The log
  /// stays as it is.
  public mutating func upsert(_ other: Self) {
    for type in Change.Edit.elementTypes { upsert(type, of: other) }
  }

  private mutating func upsert<Element: LoggedElement>(_ type: Element.Type, of other: Self) {
    change(type) { list in
      for element in other[type] { list.upsert(element) }
    }
  }

  /// Changes the elements of a type in place, without a copy.
  private mutating func change<Element: LoggedElement>(
    _ type: Element.Type, _ change: (inout ElementList<Element>) -> Void
  ) {
    let key = ObjectIdentifier(type)
    var list = lists.removeValue(forKey: key) as? ElementList<Element> ?? ElementList()
    change(&list)
    lists[key] = list
  }
}

extension GroupContent: GroupTransaction {
  func find<Element: LoggedElement>(_ id: UUID, as type: Element.Type) -> Element? {
    self[type][id: id]
  }

  mutating func make(_ edits: [Change.Edit]) -> (made: [Change.Edit], refused: [Change.Edit]) {
    var (made, refused): ([Int: Change.Edit], [Int: Change.Edit]) = ([:], [:])
    for type in ElementChange.apply(edits).types { make(edits, of: type, &made, &refused) }
    func ordered(_ edits: [Int: Change.Edit]) -> [Change.Edit] {
      edits.sorted { $0.key < $1.key }.map(\.value)
    }
    return (ordered(made), ordered(refused))
  }

  private mutating func make<Element: LoggedElement<Change.Edit>>(
    _ edits: [Change.Edit], of type: Element.Type, _ made: inout [Int: Change.Edit],
    _ refused: inout [Int: Change.Edit]
  ) {
    let edited = EditedList(self[type], edits)
    self[type] = edited.list
    made.merge(edited.made) { $1 }
    refused.merge(edited.refused) { $1 }
  }

  mutating func log(_ change: Change) { changes.log(change) }
}

extension GroupContent: Equatable {
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.changes == rhs.changes
      && Change.Edit.elementTypes.allSatisfy { lhs.hasElements(of: $0, equalTo: rhs) }
  }

  private func hasElements<Element: LoggedElement>(
    of type: Element.Type, equalTo other: Self
  ) -> Bool {
    self[type] == other[type]
  }
}

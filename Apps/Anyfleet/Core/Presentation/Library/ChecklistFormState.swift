public import Foundation

/// What somebody has entered of a checklist so far.
///
/// Sections and items keep their ids whatever is changed, so that progress on them stays.
public struct ChecklistFormState: EntryForm {
  public var title = ""
  public var description = ""
  public var sections: [ChecklistSection] = []
  public var basedOn: Date?

  /// Where something is moved.
  public enum Move: String, CaseIterable, Sendable {
    case up
    case down
  }

  /// Creates an empty form.
  public init() {}

  /// Creates a form with what a checklist has.
  public init(_ checklist: Checklist) {
    title = checklist.title
    description = checklist.description ?? ""
    sections = checklist.sections
    basedOn = checklist.updatedAt
  }

  public func entry(id: UUID, by creatorID: UUID, at now: Date) -> Checklist {
    Checklist(
      id: id, title: title.trimmed, sections: trimmedSections, creatorID: creatorID,
      description: description.trimmedOrNil, createdAt: now)
  }

  /// The items of all sections, in order.
  public var items: [ChecklistItem] { sections.flatMap(\.items) }

  /// The sections without space around their texts, and with blank notes as none.
  var trimmedSections: [ChecklistSection] {
    sections.map { section in
      var section = section
      section.title = section.title.trimmed
      for index in section.items.indices {
        section.items[index].title = section.items[index].title.trimmed
        section.items[index].note = section.items[index].note?.trimmedOrNil
      }
      return section
    }
  }
}

// MARK: - Sections

extension ChecklistFormState {
  /// Adds an empty section at the end, which is expanded by default.
  public mutating func addSection(id: UUID) {
    sections.append(ChecklistSection(id: id, title: ""))
  }

  /// Changes a section; does nothing where there is none of that id.
  public mutating func updateSection(_ id: UUID, _ change: (inout ChecklistSection) -> Void) {
    guard let index = sections.firstIndex(where: { $0.id == id }) else { return }
    change(&sections[index])
  }

  /// Removes a section with its items.
  public mutating func removeSection(_ id: UUID) { sections.removeAll { $0.id == id } }

  /// Moves a section by one place; the first and the last stay where they would leave the list.
  public mutating func moveSection(_ id: UUID, _ move: Move) {
    guard let index = sections.firstIndex(where: { $0.id == id }) else { return }
    let target = index + move.step
    if sections.indices.contains(target) { sections.swapAt(index, target) }
  }
}

// MARK: - Items

extension ChecklistFormState {
  /// Adds an empty item at the end of a section.
  public mutating func addItem(id: UUID, to sectionID: UUID) {
    updateSection(sectionID) { $0.items.append(ChecklistItem(id: id, title: "")) }
  }

  /// Changes an item; does nothing where there is none of that id.
  public mutating func updateItem(_ id: UUID, _ change: (inout ChecklistItem) -> Void) {
    guard let place = place(of: id) else { return }
    change(&sections[place.section].items[place.item])
  }

  /// Removes an item.
  public mutating func removeItem(_ id: UUID) {
    for index in sections.indices { sections[index].items.removeAll { $0.id == id } }
  }

  /// Moves an item by one place, at the edge of its section into the next one that way.
  public mutating func moveItem(_ id: UUID, _ move: Move) {
    guard let (section, item) = place(of: id) else { return }
    let target = item + move.step
    if sections[section].items.indices.contains(target) {
      sections[section].items.swapAt(item, target)
    } else if sections.indices.contains(section + move.step) {
      let moved = sections[section].items.remove(at: item)
      let next = section + move.step
      sections[next].items.insert(moved, at: move == .down ? 0 : sections[next].items.endIndex)
    }
  }

  private func place(of id: UUID) -> (section: Int, item: Int)? {
    for (section, content) in sections.enumerated() {
      if let item = content.items.firstIndex(where: { $0.id == id }) { return (section, item) }
    }
    return nil
  }
}

extension ChecklistFormState.Move {
  fileprivate var step: Int { self == .up ? -1 : 1 }
}

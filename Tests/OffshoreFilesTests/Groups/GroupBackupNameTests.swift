import Foundation
import OffshoreFiles
import Testing

/// Elements of two files whose names begin alike.
private enum PierEdit: LoggedEdit {
  case open(ElementEdit<OpenPier>)
  case closed(ElementEdit<ClosedPier>)

  static let elementTypes: [any LoggedElement<PierEdit>.Type] = [OpenPier.self, ClosedPier.self]

  var typed: any TypedEdit<PierEdit> {
    switch self {
    case .open(let edit): edit
    case .closed(let edit): edit
    }
  }
}

private struct OpenPier: LoggedElement {
  let id: UUID
  static let fileName = "piers.json"
  static func edit(_ edit: ElementEdit<Self>) -> PierEdit { .open(edit) }
}

private struct ClosedPier: LoggedElement {
  let id: UUID
  static let fileName = "piers.closed.json"
  static func edit(_ edit: ElementEdit<Self>) -> PierEdit { .closed(edit) }
}

private struct PierChange: LoggedChange {
  let id: UUID
  var moment: Date
  var edits: [PierEdit]
  static let fileName = "changes"
  static let logLimit = 5
}

/// Backups of files whose names have several points, or none.
struct GroupBackupNameTests {
  @Test func `Each file has its own key in a backup, without its last extension`() throws {
    var content = GroupContent<PierChange>()
    try content.replace(by: [OpenPier(id: UUID(1))])
    try content.replace(by: [ClosedPier(id: UUID(2)), ClosedPier(id: UUID(3))])
    let backup = try content.backup()
    let object = try JSONSerialization.jsonObject(with: backup) as? [String: Any]
    #expect(object?.keys.sorted() == ["changes", "piers", "piers.closed", "version"])
    #expect(try GroupContent(backup: backup) == content)
  }
}

import Foundation
import Offshore
import OffshoreJSON

// Values that pages read in large numbers, and therefore without a decoder.

// MARK: - Checklists

extension ChecklistSection: ScannedJSON {
  init(_ scanner: inout JSONScanner) throws {
    var id: UUID?
    var title: String?
    var isExpandedByDefault: Bool?
    var items: [ChecklistItem]?
    try scanner.object { scanner, key in
      switch key {
      case "id" where id == nil: id = try scanner.uuid()
      case "title" where title == nil: title = try scanner.string()
      case "isExpandedByDefault" where isExpandedByDefault == nil:
        isExpandedByDefault = try scanner.bool()
      case "items" where items == nil: items = try [ChecklistItem](&scanner)
      default: throw JSONScanner.Fault.unusualMembers
      }
    }
    guard let id, let title, let isExpandedByDefault, let items else {
      throw JSONScanner.Fault.unusualMembers
    }
    self.init(id: id, title: title, isExpandedByDefault: isExpandedByDefault, items: items)
  }
}

extension ChecklistItem: ScannedJSON {
  init(_ scanner: inout JSONScanner) throws {
    var id: UUID?
    var title: String?
    var note: String??
    var isCritical: Bool?
    try scanner.object { scanner, key in
      switch key {
      case "id" where id == nil: id = try scanner.uuid()
      case "title" where title == nil: title = try scanner.string()
      case "note" where note == nil: note = .some(scanner.takeNull() ? nil : try scanner.string())
      case "isCritical" where isCritical == nil: isCritical = try scanner.bool()
      default: throw JSONScanner.Fault.unusualMembers
      }
    }
    guard let id, let title, let isCritical else { throw JSONScanner.Fault.unusualMembers }
    self.init(id: id, title: title, note: note ?? nil, isCritical: isCritical)
  }
}

// MARK: - Charters

extension CrewMember: ScannedJSON {
  init(_ scanner: inout JSONScanner) throws {
    var name: String?
    var role: CrewRole?
    try scanner.object { scanner, key in
      switch key {
      case "name" where name == nil: name = try scanner.string()
      case "role" where role == nil: role = CrewRole(rawValue: try scanner.string())
      default: throw JSONScanner.Fault.unusualMembers
      }
    }
    guard let name, let role else { throw JSONScanner.Fault.unusualMembers }
    self.init(name: name, role: role)
  }
}

import Foundation
import Offshore

/// What can be read from JSON without a decoder, which takes several times as long.
///
/// Only the usual form is understood: all members that a value needs, each once, and no others.
/// Whatever else there is, the decoder understands it or says what is wrong with it.
protocol ScannedJSON: Codable, Equatable, Sendable {
  /// Consumes a value.
  /// - Throws: `JSONScanner.Fault` where it is not of the usual form.
  init(_ scanner: inout JSONScanner) throws
}

extension JSONScanner.Fault {
  /// A value lacks a member, or has one that is unknown or a second time.
  static let unusualMembers = JSONScanner.Fault("has members that are not the usual ones")
}

extension Array where Element: ScannedJSON {
  /// Consumes an array.
  init(_ scanner: inout JSONScanner) throws {
    self.init()
    try scanner.array { append(try Element(&$0)) }
  }

  /// Reads a JSON text in UTF-8.
  ///
  /// - Throws: `JSONScanner.Fault` where it is not an array of the usual form.
  init(json: UnsafeBufferPointer<UInt8>) throws {
    guard String(validating: json, as: UTF8.self) != nil else {
      throw JSONScanner.Fault("is not UTF-8")
    }
    var scanner = JSONScanner(json)
    try self.init(&scanner)
    try scanner.end()
  }
}

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

import Foundation
import Offshore
import OffshoreJSON

/// The stored ticks of a checklist, including members that newer versions added.
///
/// ```json
/// {"5F0C…": {"checked": true, "checkedAt": "2026-03-01T08:30:00Z", "checkedBy": "ada"}}
/// ```
struct ItemStates: Equatable, Sendable {
  /// The stored state of one item.
  struct Entry: Equatable, Sendable {
    var isChecked: Bool
    var checkedAt: Date?
    /// The name of the account that checked the item, if the device belonged to one.
    var checkedBy: String?
    /// Further members of the JSON object, as they were written, separated by commas.
    var otherMembers = ""
  }

  var entries: [UUID: Entry] = [:]

  /// Checks or unchecks an item, and preserves all other data.
  ///
  /// - Parameter name: the name of the account, if the device belongs to one.
  /// - Returns: whether the item has changed. A checked item retains the date and the name of its
  ///   check.
  @discardableResult
  mutating func set(_ itemID: UUID, isChecked: Bool, at now: Date, by name: String?) -> Bool {
    guard entries[itemID]?.isChecked != isChecked else { return false }
    entries[itemID, default: Entry(isChecked: isChecked)].isChecked = isChecked
    entries[itemID]?.checkedAt = isChecked ? now : nil
    entries[itemID]?.checkedBy = isChecked ? name : nil
    return true
  }
}

// MARK: - Reading

extension ItemStates {
  /// The usual length of a checked item in JSON with its key, in bytes.
  private static let usualEntryLength = 92

  /// Parses a JSON text in UTF-8.
  ///
  /// - Throws: `JSONScanner.Fault` if the text is not valid.
  init(json: UnsafeBufferPointer<UInt8>) throws {
    var scanner = JSONScanner(json)
    var entries: [UUID: Entry] = [:]
    entries.reserveCapacity(json.count / Self.usualEntryLength)
    try scanner.scanObject(
      key: { try $0.uuid() },
      member: { scanner, id in
        guard let id else { throw JSONScanner.Fault("has a key that is not a UUID") }
        guard entries.updateValue(try Entry(&scanner), forKey: id) == nil else {
          throw JSONScanner.Fault("has an item twice")
        }
      })
    try scanner.finish()
    self.entries = entries
  }
}

extension ItemStates.Entry {
  fileprivate init(_ scanner: inout JSONScanner) throws {
    var isChecked: Bool?
    var date: Date??
    var checkedBy: String?
    var others: [String] = []
    try scanner.scanObject(
      key: { try $0.scanQuotedText() },
      member: { scanner, name in
        switch try JSONScanner.decodedString(of: name) {
        case "checked" where isChecked == nil: isChecked = try scanner.scanBool()
        case "checkedAt" where date == nil:
          date = .some(scanner.scanNull() ? nil : try scanner.date())
        case "checked": throw JSONScanner.Fault("has “checked” twice in an item")
        case "checkedAt": throw JSONScanner.Fault("has “checkedAt” twice in an item")
        default:
          let raw = try scanner.scanRawValue()
          let isName = try JSONScanner.decodedString(of: name) == "checkedBy" && checkedBy == nil
          if isName, raw.first == UInt8(ascii: "\"") {
            checkedBy = try JSONScanner.decodedString(of: raw.dropFirst().dropLast())
            return
          }
          let value = String(decoding: raw, as: UTF8.self)
          others.append("\"" + String(decoding: name, as: UTF8.self) + "\":" + value)
        }
      })
    guard let isChecked else { throw JSONScanner.Fault("lacks “checked” in an item") }
    self.init(
      isChecked: isChecked, checkedAt: date ?? nil, checkedBy: checkedBy,
      otherMembers: others.joined(separator: ","))
  }
}

// MARK: - Writing

extension ItemStates {
  /// The JSON text. Items are sorted by id, so that equal states have equal texts.
  var json: String {
    var text = "{"
    text.reserveCapacity(entries.count * Self.usualEntryLength)
    for (number, member) in entries.sorted(by: { $0.key < $1.key }).enumerated() {
      text += number > 0 ? ",\"" : "\""
      HexText.withText(of: member.key) { text += String(decoding: $0, as: UTF8.self) }
      text += member.value.isChecked ? "\":{\"checked\":true" : "\":{\"checked\":false"
      text += ",\"checkedAt\":"
      text += member.value.checkedAt.map { "\"\(Self.text(of: $0))\"" } ?? "null"
      if let name = member.value.checkedBy { text += ",\"checkedBy\":" + JSONEscapes.quoted(name) }
      if !member.value.otherMembers.isEmpty { text += "," + member.value.otherMembers }
      text += "}"
    }
    return text + "}"
  }
}

extension ItemStates {
  /// Formats a date as `2026-03-01T08:30:00Z` or `2026-03-01T08:30:00.250Z`.
  static func text(of date: Date) -> String {
    // Beyond the year 9999, whole seconds are precise enough.
    UTCText.iso8601(date) ?? date.formatted(.iso8601)
  }
}

// MARK: - Column

/// A codec that stores ticks as a JSON object keyed by item.
enum ItemStatesCodec: ColumnCodec {
  static let sqlType = "TEXT"
  static let samples = (
    ItemStates(), ItemStates(entries: [UUIDText.samples.0: .init(isChecked: true)])
  )

  static func read(_ row: inout RowReader, _ index: Int32) -> ItemStates {
    do {
      return try ItemStates(json: row.bytes(index))
    } catch {
      let reason = (error as? JSONScanner.Fault)?.reason ?? "is not readable"
      row.fail(index, expected: "JSON of ticks by item, but the text \(reason)")
      return samples.0
    }
  }

  static func bind(_ value: ItemStates, _ row: inout RowWriter, _ index: Int32) {
    StringCodec.bind(value.json, &row, index)
  }
}

extension CodecKind where Codec == ItemStatesCodec {
  /// Ticks as a JSON object keyed by item.
  static var itemStates: Self { Self() }
}

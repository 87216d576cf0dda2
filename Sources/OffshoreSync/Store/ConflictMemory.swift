package import Foundation
package import Offshore
package import OffshoreWire

/// The facts about conflicts that only this device stores: decisions to keep the winning value, and
/// the names of the members behind other devices.
///
/// A decision for another value needs no record: it is an edit, and reaches all devices. So is a decision to keep
/// the value that stayed, but other devices cannot tell it by the value; the record is for this one until the edit
/// has come back from the server, and for a deletion that stayed or a value that is merged by its parts.
package struct ConflictMemory: Sendable {
  private static let keptPrefix = "kept."
  private static let namesPrefix = "memberNames."

  private let store: SyncedStore

  package init(of store: SyncedStore) { self.store = store }

  // MARK: - Decisions

  /// Returns the time at which the user decided to keep the winning value, or `nil` if the user has
  /// not.
  /// - Throws: `DatabaseError`.
  package func keptDate(of entry: UUID, _ reader: Reader) throws -> Date? {
    try Setting.value(Self.keptPrefix + entry.uuidString, reader).flatMap { Int64($0) }
      .map { Date(milliseconds: $0) }
  }

  /// Stores the time of a decision to keep the winning value, or removes the decision if the time
  /// is `nil`.
  /// - Throws: `DatabaseError`.
  package func keep(_ entry: UUID, at date: Date?, _ writer: Writer) throws {
    try Setting.set(
      Self.keptPrefix + entry.uuidString, to: date.map { "\($0.millisecondsSince1970)" }, writer)
  }

  // MARK: - Names

  /// Returns the names of members by their devices, as the server last reported them.
  /// - Throws: `DatabaseError`.
  package func names(in scope: ScopeID, _ reader: Reader) throws -> [DeviceID: String] {
    let text = try Setting.value(Self.namesPrefix + scope.text, reader) ?? "{}"
    let names = try? JSONDecoder().decode([String: String].self, from: Data(text.utf8))
    return (names ?? [:]).reduce(into: [:]) { names, entry in
      if let device = UUID(uuidString: entry.key) { names[DeviceID(device)] = entry.value }
    }
  }

  /// Stores the names of members by their devices. The names of former members are retained.
  /// - Throws: `DatabaseError`.
  package func setNames(of members: [ScopeMember], in scope: ScopeID) async throws {
    try await store.write { writer in
      let known = try names(in: scope, writer)
      var names = known
      for member in members {
        for device in member.devices { names[DeviceID(device)] = member.name }
      }
      guard names != known else { return }
      let texts = Dictionary(uniqueKeysWithValues: names.map { ($0.key.uuid.uuidString, $0.value) })
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      let text = String(decoding: try encoder.encode(texts), as: UTF8.self)
      try Setting.set(Self.namesPrefix + scope.text, to: text, writer)
    }
  }
}

public import Foundation

/// The synced tables of an app, as client and server agree on them.
///
/// ```swift
/// let manifest = try Manifest(version: 1, tables: [
///   SyncedTable("charters", scopeKind: "charter", scopeColumn: "id", columns: [
///     SyncedColumn("name", .text),
///     SyncedColumn("nextStep", .integer, policy: .max),
///   ])
/// ])
/// ```
///
/// A manifest that exists is valid. Two that declare the same in another order are equal.
public struct Manifest: Hashable, Sendable {
  /// Grows with each release that changes what is synced; 1 at the least.
  public let version: Int
  /// The tables, by name.
  public let tables: [SyncedTable]
  /// The kinds of scopes that belong to whoever writes to one first. All others are only granted.
  public let claimableKinds: Set<String>
  /// The kinds of scopes of which each account has one of its own, with its id as value.
  public let personalKinds: Set<String>

  private let places: [String: Int]

  /// Declares what is synced.
  /// - Parameters:
  ///   - version: grows with each release that changes what is synced; 1 at the least.
  ///   - tables: the tables.
  ///   - claimableKinds: the kinds of scopes that belong to whoever writes to one first, so that what is
  ///     made without a network needs nobody's leave. Their values should be impossible to guess.
  ///   - personalKinds: the kinds of scopes of which each account has one of its own.
  /// - Throws: `WireError` with the code `invalidManifest` for a declaration that contradicts itself.
  public init(
    version: Int, tables: [SyncedTable], claimableKinds: Set<String> = [],
    personalKinds: Set<String> = []
  ) throws(WireError) {
    self.version = version
    self.claimableKinds = claimableKinds
    self.personalKinds = personalKinds
    self.tables = tables.sorted { $0.name < $1.name }
    places = Dictionary(
      self.tables.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    try ManifestValidation(manifest: self).run()
  }

  /// The table of a name.
  public subscript(table: String) -> SyncedTable? { places[table].map { tables[$0] } }
}

// MARK: - JSON

extension Manifest: Codable {
  private enum Key: String, CodingKey, CaseIterable {
    case version, tables, claimableKinds, personalKinds
  }

  public func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode(version, forKey: .version)
    try object.encode(tables, forKey: .tables)
    try object.encode(claimableKinds.sorted(), forKey: .claimableKinds)
    try object.encode(personalKinds.sorted(), forKey: .personalKinds)
  }

  public init(from decoder: any Decoder) throws {
    let object = try decoder.object(of: Key.self)
    try self.init(
      version: try object.decode(Int.self, forKey: .version),
      tables: try object.decode([SyncedTable].self, forKey: .tables),
      claimableKinds: try object.decodeIfPresent(Set<String>.self, forKey: .claimableKinds) ?? [],
      personalKinds: try object.decodeIfPresent(Set<String>.self, forKey: .personalKinds) ?? [])
  }

  /// Reads what ``json()`` writes.
  ///
  /// A key that is not known is refused: it may stand for a rule that would be broken unawares.
  /// - Throws: `WireError` with the code `invalidManifest` for anything else.
  public init(json: Data) throws(WireError) {
    do {
      self = try JSONDecoder().decode(Manifest.self, from: json)
    } catch let error as WireError {
      throw error
    } catch {
      throw WireError(manifest: error)
    }
  }

  /// The manifest as JSON for a file, with sorted keys, so that equal manifests have equal texts.
  public func json() throws(WireError) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    do {
      return try encoder.encode(self)
    } catch {
      throw WireError(manifest: error)
    }
  }
}

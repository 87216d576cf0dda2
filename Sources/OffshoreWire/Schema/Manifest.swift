public import Foundation

/// The synced tables of an app, as client and server have agreed on them.
///
/// An app derives its manifest from its sync schema and exports it as JSON, which the server reads:
///
/// ```swift
/// let manifest = try Manifest(json: Data(contentsOf: url))
/// ```
///
/// It also declares the tables and columns that the app does not have any more, for the devices of former
/// releases. Every manifest is valid. Manifests with the same declarations in another order are equal.
public struct Manifest: Hashable, Sendable {
  /// The version, at least 1. It grows with each release that changes the declarations.
  public let version: Int
  /// The tables, sorted by name.
  package let tables: [SyncedTable]
  /// The kinds of scopes that are owned by the first account that writes to them.
  package let claimableKinds: Set<String>
  /// The kinds of scopes of which each account has one, with the account's id as the value.
  package let personalKinds: Set<String>
  /// The kinds of scopes to which an owner may add accounts without an invitation.
  package let admittingKinds: Set<String>
  /// The maximum number of members of a scope, by kind.
  package let memberLimits: [String: Int]
  /// The maximum number of scopes of which an account is a member, by kind.
  package let membershipLimits: [String: Int]
  /// The rules by which accounts read personal scopes of each other, sorted by kinds.
  package let accessRules: [AccessRule]

  private let indices: [String: Int]

  /// Declares the synced tables.
  /// - Parameters:
  ///   - version: at least 1, and greater with each release that changes the declarations.
  ///   - tables: the tables, in any order.
  ///   - claimableKinds: the kinds of scopes that are owned by the first account that writes to
  ///     them. So a device can create a scope offline without permission. The values of such scopes
  ///     should be impossible to guess.
  ///   - personalKinds: the kinds of scopes of which each account has one.
  ///   - admittingKinds: the kinds of scopes to which an owner may add accounts without an invitation,
  ///     if they share another scope.
  ///   - memberLimits: the maximum number of members of a scope, by kind; by default without a limit.
  ///   - membershipLimits: the maximum number of scopes of which an account is a member, by kind.
  ///   - accessRules: the rules by which accounts read personal scopes of each other.
  /// - Throws: `WireError` with the code `invalidManifest` if the declarations contradict each
  ///   other.
  package init(
    version: Int, tables: [SyncedTable], claimableKinds: Set<String> = [],
    personalKinds: Set<String> = [], admittingKinds: Set<String> = [],
    memberLimits: [String: Int] = [:], membershipLimits: [String: Int] = [:],
    accessRules: [AccessRule] = []
  ) throws(WireError) {
    self.version = version
    self.claimableKinds = claimableKinds
    self.personalKinds = personalKinds
    self.admittingKinds = admittingKinds
    (self.memberLimits, self.membershipLimits) = (memberLimits, membershipLimits)
    self.accessRules = accessRules.sorted { ($0.kind, $0.sharedKind) < ($1.kind, $1.sharedKind) }
    self.tables = tables.sorted { $0.name < $1.name }
    indices = Dictionary(
      self.tables.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    try ManifestValidation(manifest: self).validate()
    try AccessRuleValidation(manifest: self).validate()
  }

  /// The table with a name in messages, or `nil` if it is not declared.
  package subscript(table: String) -> SyncedTable? { indices[table].map { tables[$0] } }

  /// Returns the table with a name in the present release or in messages, or `nil` if there is none.
  package func table(named name: String) -> SyncedTable? {
    self[name] ?? tables.first { $0.renamed == name }
  }

  /// Returns the declarations of the present release: without the retired tables and columns.
  /// - Throws: `WireError` with the code `invalidManifest` if a present declaration needs a retired one.
  package func withoutRetired() throws(WireError) -> Manifest {
    let tables = tables.filter { !$0.isRetired }
    let kinds = Set(tables.map(\.scopeKind))
    return try Manifest(
      version: version,
      tables: tables.map { table in table.with(table.columns.filter { !$0.isRetired }) },
      claimableKinds: claimableKinds.intersection(kinds),
      personalKinds: personalKinds.intersection(kinds),
      admittingKinds: admittingKinds.intersection(kinds),
      memberLimits: memberLimits.filter { kinds.contains($0.key) },
      membershipLimits: membershipLimits.filter { kinds.contains($0.key) },
      accessRules: accessRules.filter { kinds.isSuperset(of: [$0.kind, $0.sharedKind]) })
  }
}

// MARK: - JSON

extension Manifest: Codable {
  private enum Key: String, CodingKey, CaseIterable {
    case version, tables, claimableKinds, personalKinds, admittingKinds
    case memberLimits, membershipLimits, accessRules
  }

  /// Encodes the declarations; see ``json()``.
  public func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode(version, forKey: .version)
    try object.encode(tables, forKey: .tables)
    try object.encode(claimableKinds.sorted(), forKey: .claimableKinds)
    try object.encode(personalKinds.sorted(), forKey: .personalKinds)
    // NB: Only if there are any: a former version of the server refuses the key.
    if !admittingKinds.isEmpty {
      try object.encode(admittingKinds.sorted(), forKey: .admittingKinds)
    }
    if !memberLimits.isEmpty { try object.encode(memberLimits, forKey: .memberLimits) }
    if !membershipLimits.isEmpty {
      try object.encode(membershipLimits, forKey: .membershipLimits)
    }
    if !accessRules.isEmpty { try object.encode(accessRules, forKey: .accessRules) }
  }

  /// Decodes the declarations and checks them.
  /// - Throws: `DecodingError`, or `WireError` with the code `invalidManifest`.
  public init(from decoder: any Decoder) throws {
    let object = try decoder.object(of: Key.self)
    try self.init(
      version: try object.decode(Int.self, forKey: .version),
      tables: try object.decode([SyncedTable].self, forKey: .tables),
      claimableKinds: try object.decodeIfPresent(Set<String>.self, forKey: .claimableKinds) ?? [],
      personalKinds: try object.decodeIfPresent(Set<String>.self, forKey: .personalKinds) ?? [],
      admittingKinds: try object.decodeIfPresent(Set<String>.self, forKey: .admittingKinds) ?? [],
      memberLimits: try object.decodeIfPresent([String: Int].self, forKey: .memberLimits) ?? [:],
      membershipLimits: try object.decodeIfPresent(
        [String: Int].self, forKey: .membershipLimits) ?? [:],
      accessRules: try object.decodeIfPresent([AccessRule].self, forKey: .accessRules) ?? [])
  }

  /// Parses the JSON that ``json()`` returns.
  ///
  /// An unknown key is refused: it may stand for a rule that would then be broken unnoticed.
  /// - Throws: `WireError` with the code `invalidManifest` if the JSON is not a valid manifest.
  public init(json: Data) throws(WireError) {
    do {
      self = try JSONDecoder().decode(Manifest.self, from: json)
    } catch let error as WireError {
      throw error
    } catch {
      throw WireError(manifest: error)
    }
  }

  /// Returns the manifest as JSON with sorted keys, so that equal manifests have equal texts.
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

extension Manifest {
  /// The hash of the declarations. Equal manifests have equal hashes on all devices.
  package var hash: ContentHash {
    var writer = WireWriter()
    writer.number(UInt64(version))
    writer.count(tables.count)
    for table in tables { table.writeDeclaration(to: &writer) }
    writer.texts(claimableKinds.sorted())
    writer.texts(personalKinds.sorted())
    // NB: At the end, and only if there are any: manifests without them have their former hashes.
    for table in tables where table.writers != .members {
      writer.text(table.name)
      writer.texts(table.writers.authorColumn.map { [$0] } ?? [])
    }
    if !admittingKinds.isEmpty { writer.texts(admittingKinds.sorted()) }
    for (name, limits) in [("members", memberLimits), ("memberships", membershipLimits)]
    where !limits.isEmpty {
      writer.texts([name] + limits.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" })
    }
    for table in tables where !table.history.isEmpty { writer.texts(table.history) }
    for rule in accessRules { writer.texts(rule.texts) }
    return ContentHash(of: writer.bytes)
  }
}

extension SyncedTable {
  fileprivate func writeDeclaration(to writer: inout WireWriter) {
    for text in [name, idColumn, scopeKind, scopeColumn] { writer.text(text) }
    writer.count(columns.count)
    for column in columns { column.writeDeclaration(to: &writer) }
    writer.count(uniqueKeys.count)
    for key in uniqueKeys { writer.texts(key) }
    writer.texts(idSource)
  }

  /// The differences from the first release, and the columns with a default or files. An empty list is
  /// not hashed.
  fileprivate var history: [String] {
    let own = [renamed.map { "\(name) renamed \($0)" }, isRetired ? "\(name) retired" : nil]
    let ofColumns = columns.flatMap { column in
      column.history.map { "\(name).\(column.name) \($0)" }
    }
    return own.compactMap(\.self) + ofColumns
  }
}

extension SyncedColumn {
  /// The differences from the first release, the default and the files.
  fileprivate var history: [String] {
    let facts: [String?] = [
      renamed.map { "renamed \($0)" }, isRetired ? "retired" : nil, hasDefault ? "default" : nil,
      derivedFrom.map { "from \($0)" }, isFile ? "file" : nil,
    ]
    return facts.compactMap(\.self)
  }

  fileprivate func writeDeclaration(to writer: inout WireWriter) {
    writer.text(name)
    writer.text(type.rawValue)
    writer.flag(isNullable)
    writer.flag(isSealed)
    writer.text(policy.name)
    switch policy {
    case .ordered(let states): writer.texts(states)
    case .rule(let name): writer.text(name)
    default: break
    }
    writer.texts(reference.map { [$0] } ?? [])
  }
}

extension WireWriter {
  fileprivate mutating func texts(_ texts: [String]) {
    count(texts.count)
    for text in texts { self.text(text) }
  }
}

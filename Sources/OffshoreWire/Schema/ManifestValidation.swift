/// The check for contradictions in a manifest, which reports the first.
struct ManifestValidation {
  let manifest: Manifest

  func validate() throws(WireError) {
    guard manifest.version >= 1 else {
      throw failure("version", "A manifest's version is 1 or more. Count on from the last release.")
    }
    guard manifest.tables.count <= WireLimits.tables else {
      throw failure("tables", "More than \(WireLimits.tables) tables are synced. Merge some.")
    }
    let names = manifest.tables.flatMap { [$0.name, $0.renamed].compactMap(\.self) }
    if let name = Self.firstDuplicate(in: names) {
      throw failure(
        "tables.\(name)", "Two synced tables have, or have had, this name. Rename one.")
    }
    for table in manifest.tables { try check(table) }
    try checkKinds()
  }

  private func checkKinds() throws(WireError) {
    let known = Set(manifest.tables.map(\.scopeKind))
    let (claimable, personal) = (manifest.claimableKinds, manifest.personalKinds)
    let admitting = manifest.admittingKinds
    let limits = manifest.memberLimits.merging(manifest.membershipLimits) { min($0, $1) }
    let named = claimable.union(personal).union(admitting).union(limits.keys)
    if let kind = named.subtracting(known).sorted().first {
      throw failure(
        "kinds.\(kind)", "No table is of such scopes. Correct the name, or take it out.")
    }
    if let kind = claimable.intersection(personal).sorted().first {
      throw failure(
        "kinds.\(kind)", "A personal kind cannot be claimed. Choose one of the two.")
    }
    if let kind = admitting.intersection(personal).sorted().first {
      throw failure(
        "kinds.\(kind)",
        "A personal scope has no other members. Remove it from the admitting kinds.")
    }
    if let (kind, _) = limits.sorted(by: { $0.key < $1.key })
      .first(where: { $0.value < 1 || personal.contains($0.key) })
    {
      throw failure(
        "kinds.\(kind)",
        "A limit of members or memberships is at least 1, and none of a personal kind. Correct it.")
    }
  }

  // MARK: - Tables

  private func check(_ table: SyncedTable) throws(WireError) {
    let place = "tables.\(table.name)"
    try checkName(table.name, place)
    if let name = table.renamed { try checkName(name, place) }
    try checkName(table.idColumn, "\(place).idColumn")
    try checkName(table.scopeKind, "\(place).scopeKind")
    guard table.columns.count <= WireLimits.columns else {
      throw failure(place, "It has more than \(WireLimits.columns) columns. Split the table.")
    }
    // SQLite ignores the case of names.
    let names = table.columns.flatMap { [$0.name, $0.renamed].compactMap(\.self) }
    if let name = Self.firstDuplicate(in: names + [table.idColumn]) {
      throw failure(
        "\(place).columns.\(name)", "Two columns have, or have had, this name. Rename one.")
    }
    for column in table.columns { try check(column, of: table) }
    try checkScope(of: table)
    try checkKeys(of: table)
    try checkAuthor(of: table)
  }

  private func checkScope(of table: SyncedTable) throws(WireError) {
    guard table.scopeColumn != table.idColumn else { return }
    let place = "tables.\(table.name).scopeColumn"
    guard let column = table[table.scopeColumn] else {
      throw failure(place, "The scope column is not among the columns. Declare it.")
    }
    guard column.type == .text, Self.isPlain(column) else {
      throw failure(
        place, "A scope column is a text, not NULL, not sealed, and merged by its last writer.")
    }
  }

  private func checkAuthor(of table: SyncedTable) throws(WireError) {
    guard let name = table.writers.authorColumn else { return }
    let place = "tables.\(table.name).writers"
    try checkColumns([name], of: table, place)
    guard let column = table[name], column.type == .text, Self.isPlain(column) else {
      throw failure(
        place, "An author column is a text, not NULL, not sealed, and merged by its last writer.")
    }
  }

  private func checkKeys(of table: SyncedTable) throws(WireError) {
    let place = "tables.\(table.name)"
    try checkColumns(table.idSource, of: table, "\(place).idSource")
    for name in table.idSource {
      guard let column = table[name], Self.isPlain(column) else {
        throw failure(
          "\(place).idSource",
          "What an id is derived from is not NULL, not sealed, and merged by its last writer.")
      }
    }
    for key in table.uniqueKeys {
      try checkColumns(key, of: table, "\(place).uniqueKeys")
      guard !table.idSource.isEmpty, Set(table.idSource).isSubset(of: key) else {
        throw failure(
          "\(place).uniqueKeys",
          """
          Two devices can make rows of one (\(key.joined(separator: ", "))) that have two ids. Derive \
          the id from columns of the key, and name them as its source.
          """)
      }
    }
  }

  private func checkColumns(
    _ names: [String], of table: SyncedTable, _ place: String
  ) throws(WireError) {
    if let name = names.first(where: { table[$0] == nil }) {
      throw failure(
        place, "It names \(name), which is not a column. Declare it, or correct the name.")
    }
    if let name = Self.firstDuplicate(in: names) { throw failure(place, "It names \(name) twice.") }
  }

  // MARK: - Columns

  private func check(_ column: SyncedColumn, of table: SyncedTable) throws(WireError) {
    let place = "tables.\(table.name).columns.\(column.name)"
    try checkName(column.name, place)
    if let name = column.renamed { try checkName(name, place) }
    try checkPolicy(of: column, place)
    try checkDerivation(of: column, in: table, place)
    if column.isFile { try checkFile(column, of: table, place) }
    guard !column.isSealed || [.text, .blob].contains(column.type) else {
      throw failure(place, "What is sealed is stored as a BLOB or a text. Change the type.")
    }
    guard let reference = column.reference else { return }
    guard let target = manifest[reference] else {
      throw failure(place, "It refers to \(reference), which is not synced. Add that table.")
    }
    guard target.scopeKind == table.scopeKind else {
      throw failure(
        place, "It refers to \(reference) in another kind of scope, which cannot be held.")
    }
    guard column.type == .text, !column.isSealed, !column.policy.isCompound else {
      throw failure(place, "A reference is one id as a text, and not sealed.")
    }
  }

  private func checkDerivation(
    of column: SyncedColumn, in table: SyncedTable, _ place: String
  ) throws(WireError) {
    guard let former = column.derivedFrom else { return }
    guard table[former]?.isRetired != false else {
      throw failure(
        place, "It is derived from \(former), which is not retired. Retire that column.")
    }
    guard column.policy.mergesWholes, table[former]?.policy.mergesWholes != false else {
      throw failure(
        place, "A counter, a set or a keyed column is not derived from another. Change the policy.")
    }
  }

  /// Checks that the server finds all references to blobs in a column, because it deletes other blobs.
  private func checkFile(
    _ column: SyncedColumn, of table: SyncedTable, _ place: String
  ) throws(WireError) {
    guard column.type == .text, column.policy == .lastWriter, !column.isSealed else {
      throw failure(place, "A file column is a text, not sealed, and merged by its last writer.")
    }
    guard column.reference == nil, column.name != table.scopeColumn else {
      throw failure(
        place,
        "A file column is neither the scope column nor a reference to a row. Choose another column."
      )
    }
    guard let former = column.derivedFrom else { return }
    guard table[former]?.isFile != false else {
      throw failure(
        place,
        "It is derived from \(former), which is not a file column. Declare that one as such, too.")
    }
  }

  private func checkPolicy(of column: SyncedColumn, _ place: String) throws(WireError) {
    switch column.policy {
    case .lastWriter, .serverOrder: return
    case .counter where column.type != .integer:
      throw failure(place, "A counter is an integer. Change its type or its policy.")
    case .set where column.type != .text, .keyed where column.type != .text:
      throw failure(
        place, "A set or a keyed column is JSON in a text. Change its type or its policy.")
    case .ordered where column.type != .text:
      throw failure(place, "An ordered state is a text. Change its type or its policy.")
    case .ordered(let states) where states.count < 2 || Set(states).count < states.count:
      throw failure(place, "An ordered state has two states or more, all of them different.")
    case .rule(let name): try checkName(name, "\(place).policy")
    default: break
    }
    guard !column.isSealed else {
      throw failure(
        place, "What is sealed cannot be looked into: let the last writer or the server win.")
    }
  }

  // MARK: - Rules

  private func checkName(_ name: String, _ place: String) throws(WireError) {
    guard !name.hasPrefix("_"), !name.lowercased().hasPrefix("sqlite_") else {
      throw failure(
        place, "Names with an underscore at the front, or sqlite_, are reserved. Rename it.")
    }
    guard Identifier.isValid(name) else {
      throw failure(
        place, "A name is a letter, then letters, digits and underscores of ASCII, 64 at the most.")
    }
  }

  /// Returns whether a column can hold the value of a row's scope or be a source of its id.
  private static func isPlain(_ column: SyncedColumn) -> Bool {
    !column.isNullable && !column.isSealed && column.policy == .lastWriter
  }

  private static func firstDuplicate(in names: [String]) -> String? {
    var seen: Set<String> = []
    return names.first { !seen.insert($0.lowercased()).inserted }
  }

  private func failure(_ place: String, _ message: String) -> WireError {
    WireError(.invalidManifest, message, place: place)
  }
}

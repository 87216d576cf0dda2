extension Migration {
  /// A short text that changes with the written steps; `nil` if one of them is a closure, whose
  /// code cannot be read.
  ///
  /// It covers names, SQL and expressions, with uniform spacing and without comments. It does not
  /// cover declarations, which change with the app.
  var digest: String? {
    var hash = FowlerHash()
    for step in steps {
      guard let parts = step.writtenParts else { return nil }
      for part in parts { hash.combine(part) }
    }
    return hash.text
  }
}

extension MigrationStep {
  /// The hand-written parts of a step, its kind first; `nil` for a closure.
  fileprivate var writtenParts: [String]? {
    switch kind {
    case .create: ["create"]
    case .drop(let table): ["drop", table]
    case .rename(let old): ["rename", old]
    case .addColumn(let column, let filling): ["addColumn", column, filling.plain]
    case .renameColumn(let old, let new): ["renameColumn", old, new]
    case .dropColumn(let column, let definition): ["dropColumn", column, definition.plain]
    case .rebuild(let rebuild):
      ["rebuild"] + rebuild.formerDefinitions.parts + ["adding"] + rebuild.adding + ["copying"]
        + rebuild.copying.parts
    case .createIndex(let name): ["createIndex", name]
    case .dropIndex(let index): ["dropIndex", index.name, "\(index.isUnique)"] + index.columns
    case .createTextIndex: ["createTextIndex"]
    case .dropTextIndex: ["dropTextIndex"]
    case .sql(let sql): ["sql", sql.text.plain]
    case .perform: nil
    }
  }
}

extension String {
  /// The SQL with uniform spacing and without comments.
  fileprivate var plain: String { SQLTokens(self).text }
}

extension String? {
  fileprivate var plain: String { self?.plain ?? "" }
}

extension [String: String] {
  fileprivate var parts: [String] {
    sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value.plain] }
  }
}

/// A 64-bit FNV-1a hash, which is the same in each run
/// (<http://www.isthe.com/chongo/tech/comp/fnv/>).
private struct FowlerHash {
  private var value: UInt64 = 0xcbf2_9ce4_8422_2325

  /// Adds a text and a terminator.
  mutating func combine(_ text: String) {
    for byte in Array(text.utf8) + [0] { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
  }

  var text: String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

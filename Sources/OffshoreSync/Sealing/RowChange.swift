import OffshoreWire

/// What some adjacent transactions together did to a row.
///
/// An insertion and what follows it are one insertion; an insertion and a deletion are nothing;
/// updates are one update; a deletion and an insertion are both, because the row begins another life.
struct RowChange: Hashable {
  /// The number of the first entry, by which changes are ordered.
  let first: Int64
  /// Whether the row was there before.
  let wasThere: Bool
  /// Whether the row was deleted, though it may have been inserted again.
  let wasDeleted: Bool
  /// The values before, of the columns that changed.
  let old: [String: WireValue]
  /// The entry that each of those values is from.
  let sources: [String: Int64]
  /// The columns whose values were written again as they are, in a row that lives on.
  let restated: Set<String>
  /// The values after, or `nil` where the row was then not there.
  let new: [String: WireValue]?

  /// Puts together what entries say.
  ///
  /// - Parameters:
  ///   - entries: those of the row in the transactions, in order; at least one.
  ///   - later: those of the row in later transactions, which have changed what is read now.
  ///   - current: the values of the row now.
  init(_ entries: [JournalEntry], before later: [JournalEntry], current: [String: WireValue]?) {
    first = entries.first?.number ?? 0
    // NB: An app's trigger may have changed a row that it was told of before the library was, so an
    // update can come before the insertion. What tells is which of the other two kinds comes first.
    wasThere = entries.first(where: \.kind.changesPresence).map { $0.kind == .delete } ?? true
    wasDeleted = wasThere && entries.contains { $0.kind == .delete }
    var old: [String: WireValue] = [:]
    var sources: [String: Int64] = [:]
    for entry in wasThere ? entries : [] {
      for (column, value) in entry.old where old[column] == nil {
        old[column] = value
        sources[column] = entry.number
      }
    }
    (self.old, self.sources) = (old, sources)
    restated = entries.reduce(into: []) { columns, entry in
      if entry.kind == .restatement { columns.formUnion(entry.old.keys) }
      if entry.kind.changesPresence { columns = [] }
    }
    new = Self.values(before: later, current: current)
  }

  /// Whether the row is as it was, whatever happened in between.
  var isUndone: Bool {
    guard let new else { return !wasThere }
    return wasThere && old.allSatisfy { new[$0.key] == nil || new[$0.key] == $0.value }
  }

  /// The values of a row at a moment, going back from those of now.
  private static func values(
    before later: [JournalEntry], current: [String: WireValue]?
  ) -> [String: WireValue]? {
    switch later.first(where: \.kind.changesPresence)?.kind {
    case .insert: return nil
    case nil where current == nil: return nil
    default: break
    }
    var values = current ?? [:]
    var known: Set<String> = []
    for entry in later {
      for (column, value) in entry.old where known.insert(column).inserted {
        values[column] = value
      }
    }
    return values
  }
}

import OffshoreWire

/// The combined effect of adjacent transactions on a row.
///
/// An insertion followed by updates is one insertion. An insertion followed by a deletion is no
/// change. Several updates are one update. A deletion followed by an insertion stays both, because
/// the row begins another generation.
struct CapturedRow: Hashable {
  /// The number of the first entry, by which changes are ordered.
  let first: Int64
  /// Whether the row existed before the transactions.
  let wasThere: Bool
  /// Whether the row was deleted. It may have been inserted again.
  let wasDeleted: Bool
  /// The values of the changed columns before the transactions.
  let old: [String: WireValue]
  /// The number of the entry that each of those values is from.
  let sources: [String: Int64]
  /// The columns whose values were written again without a change, if the row still exists.
  let restated: Set<String>
  /// The values after the transactions, or `nil` if the row did not exist then.
  let new: [String: WireValue]?

  /// Combines entries of the journal.
  ///
  /// - Parameters:
  ///   - entries: the entries of the row in the transactions, in order; at least one.
  ///   - later: the entries of the row in later transactions, whose changes are undone.
  ///   - current: the current values of the row, or `nil` if it does not exist.
  init(_ entries: [JournalEntry], before later: [JournalEntry], current: [String: WireValue]?) {
    first = entries.first?.number ?? 0
    // NB: A trigger of the app may run before the capture trigger and update the same row. So an
    // update can precede its insertion. The first entry that is not an update decides.
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

  /// Whether the row is the same before and after the transactions.
  var isUndone: Bool {
    guard let new else { return !wasThere }
    return wasThere && old.allSatisfy { new[$0.key] == nil || new[$0.key] == $0.value }
  }

  /// Returns the values of the row before later entries, computed backwards from the current
  /// values.
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

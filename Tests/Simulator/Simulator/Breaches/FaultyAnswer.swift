import OffshoreWire

/// An answer to a pull that may break a rule.
struct FaultyAnswer {
  private let response: PullResponse
  private let breach: Breach?
  private let version: AppVersion

  /// - Parameters:
  ///   - version: The version of the app that reads the answer.
  ///   - isCalm: Whether faults are disabled. The scopes of a pull are then applied together: a scope
  ///     that never arrives is another breach.
  init(_ response: PullResponse, _ breach: Breach?, for version: AppVersion, isCalm: Bool) {
    self.response = response
    self.version = version
    self.breach = breach == .scopesApart && isCalm ? nil : breach
  }

  /// The answer with the breach applied.
  var spoiled: PullResponse {
    switch breach {
    case .scopesApart where response.scopes.count > 1:
      let place = Int(response.serverTime) % response.scopes.count
      return PullResponse(
        serverTime: response.serverTime, epoch: response.epoch, grants: response.grants,
        scopes: [response.scopes[place]])
    case .earlyEnd, .endlessPages, .missingRow, .missingArrival, .untoldBatches, .otherBatches,
      .appliedAsRefused, .refusedAsApplied, .presentNames, .presentTables, .forgottenColumns:
      let moved = response.movedTokens
      let scopes = response.scopes.map { answer in
        guard case .page(let page) = answer.content else { return answer }
        return ScopeAnswer(answer.scope, epoch: answer.epoch, .page(spoiled(page, moved)))
      }
      return PullResponse(
        serverTime: response.serverTime, epoch: response.epoch, grants: response.grants,
        scopes: scopes)
    default: return response
    }
  }

  private func spoiled(_ page: ScopePage, _ moved: Set<RowID>) -> ScopePage {
    switch breach {
    case .earlyEnd:
      guard page.isFull, case .changes = page.next else { return page }
      return page.with(page.rows, isFull: false, next: .changes(after: page.head))
    case .endlessPages: return page.with(page.rows, isFull: true, next: page.next)
    case .missingRow:
      let place = page.rows.rows.firstIndex { $0.row.table == "ties" && $0.state.isLiving }
      return page.without(place.map { [$0] } ?? [])
    case .missingArrival:
      let rows = page.rows.rows
      return page.without(
        rows.indices.filter { rows[$0].state.isLiving && moved.contains(rows[$0].row) })
    case .presentNames:
      return page.naming { row, field in
        row.table == Mark.name && field == "title" && version.number > 1 ? "label" : field
      }
    case .presentTables:
      return page.placing { RowID(table: version.localName(of: $0.table), id: $0.id) }
    case .forgottenColumns:
      return page.naming { row, field in
        let isForgotten =
          version.table(row.table) != nil
          && !version.hasColumn(FieldName(field).column, of: row.table)
        return isForgotten ? nil : field
      }
    case .untoldBatches: return page.telling { _ in nil }
    case .otherBatches:
      return page.telling { batch in
        var bytes = batch.hash.encoded()
        bytes[0] ^= 1
        return (try? ContentHash(decoding: bytes)).map { hash in
          DecidedBatch(number: batch.number, hash: hash, isApplied: batch.isApplied)
        }
      }
    case .appliedAsRefused:
      return page.telling { DecidedBatch(number: $0.number, hash: $0.hash, isApplied: false) }
    case .refusedAsApplied:
      return page.telling { DecidedBatch(number: $0.number, hash: $0.hash, isApplied: true) }
    default: return page
    }
  }
}

extension PullResponse {
  /// The tokens that moved out of a scope.
  fileprivate var movedTokens: Set<RowID> {
    var rows: Set<RowID> = []
    for case .page(let page) in scopes.map(\.content) {
      for row in page.rows.rows where row.state.presence == .moved && row.row.isToken {
        rows.insert(row.row)
      }
    }
    return rows
  }
}

extension ScopePage {
  /// Returns the page with changed results of batches.
  fileprivate func telling(_ change: (DecidedBatch) -> DecidedBatch?) -> ScopePage {
    with(rows, isFull: isFull, next: next, batches: batches.compactMap(change))
  }

  /// Returns the page with other names of living rows.
  fileprivate func placing(_ rename: (RowID) -> RowID) -> ScopePage {
    let rows = rows.rows.map { row in
      row.state.isLiving ? SyncedRow(rename(row.row), seq: row.seq, state: row.state) : row
    }
    return with(RowPage(rows), isFull: isFull, next: next)
  }

  /// Returns the page with other names of fields. Fields without a name are left out.
  fileprivate func naming(_ rename: (RowID, String) -> String?) -> ScopePage {
    let rows = rows.rows.map { row in
      guard row.state.isLiving else { return row }
      var (fields, versions) = ([String: WireValue](), [String: Stamp]())
      for (field, value) in row.state.fields {
        guard let name = rename(row.row, field) else { continue }
        (fields[name], versions[name]) = (value, row.state.version(of: field))
      }
      let state = RowState(
        generation: row.state.generation, stamp: row.state.stamp, fields: fields,
        versions: versions)
      return SyncedRow(row.row, seq: row.seq, state: state)
    }
    return with(RowPage(rows), isFull: isFull, next: next)
  }

  /// Returns the page without the rows at the given places.
  fileprivate func without(_ places: [Int]) -> ScopePage {
    if places.isEmpty { return self }
    let rows = rows.rows
    let left = rows.indices.filter { !places.contains($0) }.map { rows[$0] }
    return with(RowPage(left), isFull: isFull, next: next)
  }

  fileprivate func with(
    _ rows: RowPage, isFull: Bool, next: PullCursor.Position,
    batches: [DecidedBatch]? = nil
  ) -> ScopePage {
    ScopePage(
      rows: rows, conflicts: conflicts, isFull: isFull, next: next, head: head, digest: digest,
      rangeDigests: rangeDigests, minSeq: minSeq, lastBatch: lastBatch,
      batches: batches ?? self.batches)
  }
}

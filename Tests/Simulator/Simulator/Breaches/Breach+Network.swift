import OffshoreWire

extension Breach {
  /// The answer to a pull as it arrives.
  func spoiled(_ response: PullResponse) -> PullResponse {
    switch self {
    case .scopesApart where response.scopes.count > 1:
      let place = Int(response.serverTime) % response.scopes.count
      return PullResponse(
        serverTime: response.serverTime, epoch: response.epoch, grants: response.grants,
        scopes: [response.scopes[place]])
    case .earlyEnd, .endlessPages, .missingRow:
      let scopes = response.scopes.map { answer in
        guard case .page(let page) = answer.content else { return answer }
        return ScopeAnswer(answer.scope, epoch: answer.epoch, .page(spoiled(page)))
      }
      return PullResponse(
        serverTime: response.serverTime, epoch: response.epoch, grants: response.grants,
        scopes: scopes)
    default: return response
    }
  }

  private func spoiled(_ page: ScopePage) -> ScopePage {
    switch self {
    case .earlyEnd:
      guard page.isFull, case .changes = page.next else { return page }
      return page.with(page.rows, isFull: false, next: .changes(after: page.head))
    case .endlessPages: return page.with(page.rows, isFull: true, next: page.next)
    case .missingRow:
      let rows = page.rows.rows
      guard let place = rows.firstIndex(where: { $0.row.table == "ties" && $0.state.isLiving })
      else { return page }
      return page.with(
        RowPage(rows.indices.filter { $0 != place }.map { rows[$0] }), isFull: page.isFull,
        next: page.next)
    default: return page
    }
  }
}

extension ScopePage {
  fileprivate func with(
    _ rows: RowPage, isFull: Bool, next: PullCursor.Position
  ) -> ScopePage {
    ScopePage(
      rows: rows, conflicts: conflicts, isFull: isFull, next: next, head: head, digest: digest,
      rangeDigests: rangeDigests, minSeq: minSeq, lastBatch: lastBatch,
      batches: batches)
  }
}

import OffshoreSync
import OffshoreWire

extension Schedule {
  func spelled(_ request: PushRequest) -> String {
    guard trace.isKept else { return "" }
    let batches = request.batches.map { batch in
      "\(batch.scope) \(batch.number) [\(batch.ops.map(\.spelled).joined(separator: "; "))]"
    }
    return "as \(request.device.short) of epoch \(request.epoch % 1_000): "
      + batches.joined(separator: ", ")
  }

  func spelled(_ request: PullRequest) -> String {
    guard trace.isKept else { return "" }
    let cursors = request.cursors.map { cursor in
      switch cursor.position {
      case .changes(let seq): "\(cursor.scope) after \(seq)"
      case .repair(_, let head, _): "\(cursor.scope) repaired at \(head.map { "\($0)" } ?? "-")"
      case .snapshot(let head, let row):
        "\(cursor.scope) anew at \(head.map { "\($0)" } ?? "-") after \(row.map { "\($0)" } ?? "-")"
      }
    }
    return "grants after \(request.grantsAfter), \(cursors.joined(separator: ", "))"
  }

  func spelled(_ content: Envelope.Content) -> String {
    guard trace.isKept else { return "" }
    switch content {
    case .pushed(_, let response):
      return response.results.map { "\($0.scope) \($0.number) \($0.spelled)" }
        .joined(separator: ", ")
    case .pulled(_, let response):
      let grants = response.grants.map { "\($0.scope) \($0.role)" }
      return (grants + response.scopes.map(\.spelled)).joined(separator: ", ")
    case .problem(let problem): return "\(problem.code)"
    case .push, .pull: return ""
    }
  }

  // MARK: - Counting

  func note(_ response: PushResponse) {
    for result in response.results {
      if result.isRepeated { count("outcome.repeated") }
      switch result.outcome {
      case .applied: count("outcome.applied")
      case .rejected(let rejection, _): count("outcome.rejected.\(rejection.code)")
      case .forked: count("outcome.forked")
      case .gap: count("outcome.gap")
      }
    }
  }

  func note(_ response: PullResponse) {
    for answer in response.scopes {
      switch answer.content {
      case .page(let page):
        if page.isFull { count("outcome.fullPage") }
        for batch in page.batches {
          count(batch.isApplied ? "outcome.toldApplied" : "outcome.toldRefused")
        }
        if case .snapshot = page.next { count("outcome.snapshot") }
      case .resync: count("outcome.resync")
      case .notGranted: count("outcome.notGranted")
      }
    }
  }
}

extension DeviceID {
  /// The first digits, which distinguish the devices of a schedule.
  var short: String { String(description.prefix(4)) }
}

extension BatchResult {
  fileprivate var spelled: String {
    let repeated = isRepeated ? " again" : ""
    return switch outcome {
    case .applied(let range): "applied up to \(range.last)\(repeated)"
    case .rejected(let rejection, _): "rejected: \(rejection)\(repeated)"
    case .forked: "forked"
    case .gap(let expected): "gap, \(expected) expected"
    }
  }
}

extension ScopeAnswer {
  fileprivate var spelled: String {
    switch content {
    case .page(let page):
      let rows = page.rows.rows.map { row in
        "\(row.row)@\(row.state.generation)\(row.state.isLiving ? "" : " \(row.state.presence)")"
          + " \(row.seq)"
      }
      return "\(scope) \(page.isFull ? "full" : "last") page at \(page.head), "
        + "batch \(page.lastBatch)\(page.batches.map(\.spelled).joined()) "
        + "[\(rows.joined(separator: "; "))]"
    case .resync(let minSeq): return "\(scope) resync, \(minSeq) forgotten"
    case .notGranted: return "\(scope) not granted"
    }
  }
}

extension DecidedBatch {
  fileprivate var spelled: String { ", \(number) \(isApplied ? "applied" : "rejected")" }
}

extension PushReport {
  var spelled: String {
    "\(applied) applied, \(known) known, \(rejected) rejected\(isForked ? ", forked" : "")"
      + "\(needsPull || !heads.isEmpty ? ", needs pull" : "")\(hasMore ? ", has more" : "")"
  }
}

extension PullReport {
  var spelled: String {
    "\(rows) rows\(isComplete ? ", complete" : "")\(hasMore ? ", has more" : "")"
      + "\(needsPush ? ", needs push" : "")\(inDoubt.isEmpty ? "" : ", in doubt")"
  }
}

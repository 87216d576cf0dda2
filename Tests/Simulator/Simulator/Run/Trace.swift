import OffshoreSync
import OffshoreWire

/// The events of a schedule, one line each.
final class Trace {
  /// Whether lines are stored; schedules run faster without them.
  let isKept: Bool
  private(set) var lines: [String] = []

  init(isKept: Bool) { self.isKept = isKept }

  func add(_ line: @autoclosure () -> String) {
    if isKept { lines.append(line()) }
  }
}

extension WireValue {
  /// The value in readable form, for a trace.
  var spelled: String {
    switch self {
    case .null: "NULL"
    case .integer(let number): String(number)
    case .real(let number): String(number)
    case .text(let bytes): "'\(String(decoding: bytes, as: UTF8.self))'"
    case .blob(let bytes): "x\(bytes.count)"
    }
  }
}

extension Op {
  /// The op in readable form, for a trace.
  var spelled: String {
    let name =
      switch kind {
      case .put: "put"
      case .patch: "patch"
      case .delete: "delete"
      case .increment: "increment"
      case .move(let scope): "move to \(scope)"
      }
    let fields = fields.sorted { $0.key < $1.key }.map { "\($0)=\($1.spelled)" }
    return "\(name) \(row)@\(generation) \(fields.joined(separator: ","))"
  }
}

extension SyncEngine.Event {
  /// The event in readable form, for a trace.
  var spelled: String {
    switch self {
    case .hint(let hint) where hint.head == WireLimits.number: "a grant in \(hint.scope)"
    case .hint(let hint): "\(hint.text)"
    case .pushAnswered(let summary) where !summary.isSent: "nothing to send"
    case .pushAnswered(let summary): "\(summary.applied) applied, \(summary.rejected) refused"
    case .pullAnswered(let summary): summary.isComplete ? "complete" : "not complete"
    case .streamClosed(nil): "ended"
    case .pushFailed(let failure), .pullFailed(let failure), .streamClosed(let failure?):
      "failed, \(failure.code)"
    default: "\(self)"
    }
  }
}

extension PushRequest {
  /// The request in readable form, for a trace.
  var spelled: String {
    let batches = batches.map { batch in
      "\(batch.scope) \(batch.number) [\(batch.ops.map(\.spelled).joined(separator: "; "))]"
    }
    return "as \(device.short) of epoch \(epoch % 1_000): " + batches.joined(separator: ", ")
  }
}

extension PullRequest {
  /// The request in readable form, for a trace.
  var spelled: String {
    let cursors = cursors.map { cursor in
      switch cursor.position {
      case .changes(let seq): "\(cursor.scope) after \(seq)"
      case .repair(_, let head, _): "\(cursor.scope) repaired at \(head.map { "\($0)" } ?? "-")"
      case .snapshot(let head, let row):
        "\(cursor.scope) anew at \(head.map { "\($0)" } ?? "-") after \(row.map { "\($0)" } ?? "-")"
      }
    }
    return "grants after \(grantsAfter), \(cursors.joined(separator: ", "))"
  }
}

extension Envelope.Content {
  /// The answer in readable form, for a trace.
  var spelled: String {
    switch self {
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
}

extension DeviceID {
  /// The first digits, which distinguish the devices of a schedule.
  fileprivate var short: String { String(description.prefix(4)) }
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
    "\(applied) applied, \(alreadyApplied) already applied, \(rejected) rejected"
      + "\(isForked ? ", forked" : "")"
      + "\(needsPull || !heads.isEmpty ? ", needs pull" : "")\(hasMore ? ", has more" : "")"
  }
}

extension PullReport {
  var spelled: String {
    "\(rows) rows\(isComplete ? ", complete" : "")\(hasMore ? ", has more" : "")"
      + "\(needsPush ? ", needs push" : "")\(differingScopes.isEmpty ? "" : ", digests differ")"
  }
}

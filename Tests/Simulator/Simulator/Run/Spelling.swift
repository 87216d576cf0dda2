import OffshoreSync
import OffshoreWire

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

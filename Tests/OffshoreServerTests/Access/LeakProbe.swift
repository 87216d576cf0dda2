import Foundation
import OffshoreHTTP
import OffshoreWire

@testable import OffshoreServer

/// A request about something that an account may not read.
struct LeakProbe {
  let method: Request.Method
  let path: String
  var headers: Headers = [:]
  var body: [UInt8] = []

  /// Creates a request with JSON.
  static func json(
    _ method: Request.Method, _ path: String, _ json: String, _ headers: Headers = [:]
  ) -> LeakProbe {
    var headers = headers
    headers["Content-Type"] = "application/json"
    return LeakProbe(method: method, path: path, headers: headers, body: Array(json.utf8))
  }
}

extension LeakProbe {
  /// Returns whether a route answers the request.
  func isRequest(of route: ServerRoute) -> Bool {
    let names = path.prefix { $0 != "?" }.split(separator: "/")
    let pattern = route.pattern.split(separator: "/")
    return method == route.method && names.count == pattern.count
      && zip(names, pattern).allSatisfy { $1.hasPrefix(":") || $0 == $1 }
  }
}

/// The names of things that exist, or of others that do not.
struct LeakTarget {
  let scope: ScopeID
  /// The beginning of the ids of rows.
  let row: String
  /// A blob of the scope.
  let blob: ContentHash
  /// An invitation to the scope.
  let invitation: ContentHash
  /// An access token of another account.
  let token: ContentHash
}

/// Requests about a target, for all routes that name a scope or a thing of another account.
struct LeakProbes {
  /// The account that sends the requests.
  let person: Circles.Person
  let target: LeakTarget

  private var scope: ScopeID { target.scope }
  private var table: String {
    switch scope.kind {
    case "week": "days"
    case "person": "sharings"
    default: "circles"
    }
  }
  private var rows: String { "/v1/tables/\(table)/rows" }

  /// Requests that claim no scope, whatever its kind.
  var reading: [LeakProbe] {
    [LeakProbe(method: .get, path: "\(rows)?scope=\(scope)")] + members + blobs + pulls + commands
  }

  /// All requests.
  var all: [LeakProbe] { reading + singleRows + pushes + [move] }

  // MARK: - Members and accounts

  private var members: [LeakProbe] {
    let members = "/v1/scopes/\(scope)/members"
    let invitations = "/v1/scopes/\(scope)/invitations"
    return [
      LeakProbe(method: .get, path: members),
      .json(.put, "\(members)/\(person.id.uuidString)", #"{"role":"owner"}"#),
      LeakProbe(method: .delete, path: "\(members)/\(person.id.uuidString)"),
      LeakProbe(method: .get, path: invitations),
      .json(.post, invitations, #"{"role":"viewer"}"#),
      LeakProbe(method: .delete, path: "\(invitations)/\(target.invitation)"),
      LeakProbe(method: .delete, path: "/v1/tokens/\(target.token)"),
      .json(.delete, "/v1/account", #"{"password":"\#(scope.value)"}"#),
    ]
  }

  // MARK: - Blobs

  private var blobs: [LeakProbe] {
    let (blob, other) = ("/v1/blobs/\(target.blob)", "/v1/blobs/\(ContentHash(of: [7]))")
    let parts: [Headers] = [
      [:], ["Upload-Offset": "0", "Upload-Length": "2"],
      ["Upload-Offset": "1", "Upload-Length": "2"],
    ]
    return [
      LeakProbe(method: .get, path: blob), LeakProbe(method: .head, path: blob),
      LeakProbe(method: .get, path: blob, headers: ["Range": "bytes=0-3"]),
      LeakProbe(method: .get, path: blob, headers: ["Range": "bytes=1000-"]),
      LeakProbe(
        method: .get, path: blob, headers: ["If-None-Match": EntityTag(target.blob).text]),
      LeakProbe(method: .delete, path: "\(blob)?scope=\(scope)"),
    ]
      + [blob, other].flatMap { path in
        parts.map {
          LeakProbe(method: .put, path: "\(path)?scope=\(scope)", headers: $0, body: [7])
        }
      }
  }

  // MARK: - Rows

  private var singleRows: [LeakProbe] {
    let values = scope.kind == "week" ? #"{"note":"x"}"# : #"{"circleID":"c","shows":"week"}"#
    let insertion = #"{"scope":"\#(scope)","id":"\#(target.row)-1","values":\#(values)}"#
    let key: Headers = ["Idempotency-Key": "\(scope.kind)-\(target.row)"]
    var probes: [LeakProbe] = [
      .json(.post, rows, insertion), .json(.post, rows, insertion, key),
    ]
    for number in 1...2 {
      let path = "\(rows)/\(target.row)-\(number)?scope=\(scope)"
      let requests: [LeakProbe] = [
        LeakProbe(method: .get, path: path), LeakProbe(method: .delete, path: path),
        .json(.patch, path, #"{"values":\#(values)}"#), .json(.patch, path, #"{"values":[]}"#),
        .json(.patch, path, #"{"values":{"unknown":1}}"#),
      ]
      let conditions: [Headers] = [[:], ["If-Match": "*"], ["If-None-Match": "*"]]
      probes +=
        requests
        + conditions.map { LeakProbe.json(.put, path, #"{"values":\#(values)}"#, $0) }
    }
    return probes
  }

  // MARK: - Messages

  private var pushes: [LeakProbe] {
    let stamp = Stamp(milliseconds: 9_000, device: person.device)
    let id = RowID(table: table, id: "\(target.row)-1")
    let kinds: [Op.Kind] = [.put, .patch, .increment, .delete]
    return kinds.map { kind in
      let op = Op(
        kind, id, fields: kind == .delete ? [:] : ["ownerID": WireValue(scope.value)],
        stamp: stamp)
      return push([op], to: scope, of: person.device)
    }
  }

  /// Commands by which the account would become an owner, or end its membership. Each is of a device of its
  /// own, because refusals of a former member are stored under the number of the batch.
  private var commands: [LeakProbe] {
    let commands = [
      MemberCommand(.owner, of: person.id), MemberCommand(.owner, of: person.id, isAddition: true),
      MemberCommand(.left, of: person.id), MemberCommand(.revoked, of: person.id),
    ]
    return commands.map { command in
      let device = DeviceID(UUID())
      return push(
        [command.op(at: Stamp(milliseconds: 9_000, device: device))], to: scope, of: device)
    }
  }

  /// A move of an own row to the scope.
  private var move: LeakProbe {
    // A device of its own, because the refusal is stored under the number of the batch.
    let device = DeviceID(UUID())
    let (row, own) = (RowID(table: table, id: "moved"), person.id.uuidString)
    let insertion = Op(
      .put, row, fields: ["ownerID": WireValue(own)],
      stamp: Stamp(milliseconds: 9_000, device: device))
    let move = Op(
      .move(to: scope), row, fields: ["ownerID": WireValue(scope.value)],
      stamp: Stamp(milliseconds: 9_001, device: device))
    let source = (try? person.scope(scope.kind)) ?? scope
    return push([insertion, move], to: source, of: device)
  }

  private func push(_ ops: [Op], to scope: ScopeID, of device: DeviceID) -> LeakProbe {
    let request = PushRequest(
      device: device, epoch: 0, manifestVersion: 1,
      batches: [Batch(scope, number: 1, id: UUID(), ops: ops)])
    return LeakProbe(method: .post, path: "/v1/push", body: request.body)
  }

  private var pulls: [LeakProbe] {
    let positions: [PullCursor.Position] = [
      .snapshot(head: nil, after: nil), .changes(after: 0), .changes(after: 1),
      .repair(ranges: .all, head: nil, after: nil),
    ]
    return positions.map { position in
      let request = PullRequest(
        device: person.device, manifestVersion: 1, capabilities: .all, grantsAfter: 1 << 40,
        cursors: [
          PullCursor(scope, epoch: 7, position: position, acknowledged: 0, conflictsAfter: 0)
        ], limit: 10)
      return LeakProbe(method: .post, path: "/v1/pull", body: request.body)
    }
  }
}

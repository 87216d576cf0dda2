import Foundation
import OffshoreHTTP
import OffshoreWire

/// Routes for single rows, for clients without a local copy of the data.
///
/// A change passes the same checks and the same merge as a push, and devices pull it.
extension SyncServer {
  func addRows(to router: inout Router) {
    let rows = "v1/tables/:table/rows"
    router.get(rows) { try await rowPage($0) }
    router.post(rows, bodyLimit: WireLimits.bodyBytes) { try await insertRow($0) }
    router.get("\(rows)/:id") { try await row($0) }
    router.on(.patch, "\(rows)/:id", bodyLimit: WireLimits.bodyBytes) { try await patchRow($0) }
    router.on(.delete, "\(rows)/:id", bodyLimit: 0) { try await deleteRow($0) }
  }

  // MARK: - Reading

  private func rowPage(_ request: Request) async throws -> Response {
    let account = try await authenticate(request).account
    let table = try table(request)
    let query = request.query
    let scope = try query["scope"].map { try RowBody.scope($0) }
    let place = try query["after"].map { try RowPlace($0) }
    let limit = try Self.limit(query["limit"])
    let page = try await log.read { log in
      try RowReading(table: table, account: account, log: log)
        .page(in: scope, after: place, limit: limit)
    }
    return .rows(RowText(table: table, manifest: push.manifest).json(page))
  }

  private func row(_ request: Request) async throws -> Response {
    let account = try await authenticate(request).account
    let table = try table(request)
    let place = try Self.place(request, in: table)
    let row = try await log.read { log in
      try RowReading(table: table, account: account, log: log).row(place)
    }
    let tag = EntityTag(row.state, push.manifest)
    guard !Preconditions(request.headers).isKnown(tag) else {
      return Response(.notModified, headers: ["ETag": tag.text, "Cache-Control": "no-store"])
    }
    return response(row, at: place, table)
  }

  private static func limit(_ text: String?) throws -> Int {
    guard let text else { return 100 }
    guard let limit = Int(text), 1...RowReading<Log.Snapshot>.maximumLimit ~= limit else {
      throw ResourceError.malformed("A page has 1 to 1000 rows.", field: "limit")
    }
    return limit
  }

  // MARK: - Writing

  private func insertRow(_ request: Request) async throws -> Response {
    let bearer = try await authenticate(request)
    let table = try table(request)
    let body = try RowBody(request, keys: ["id", "scope", "values"])
    let change = RowChange(
      kind: .insert, table: table, place: try Self.place(of: body, in: table), values: body.values)
    let (row, place) = try await write(change, request, bearer)
    guard let row else { throw ResourceError.gone }
    var response = response(row, at: place, table)
    response.status = .created
    response.headers["Location"] = Self.path(of: place, in: table)
    return response
  }

  private func patchRow(_ request: Request) async throws -> Response {
    let bearer = try await authenticate(request)
    let table = try table(request)
    let body = try RowBody(request, keys: ["values", "increments"])
    let change = RowChange(
      kind: .patch, table: table, place: try Self.place(request, in: table), values: body.values,
      increments: body.increments)
    let (row, place) = try await write(change, request, bearer)
    guard let row else { throw ResourceError.gone }
    return response(row, at: place, table)
  }

  private func deleteRow(_ request: Request) async throws -> Response {
    let bearer = try await authenticate(request)
    let table = try table(request)
    let place = try Self.place(request, in: table)
    _ = try await write(RowChange(kind: .delete, table: table, place: place), request, bearer)
    return .noContent
  }

  /// Applies a change, unless it was applied before under the same key, and sends hints.
  /// - Returns: the current row, or `nil` if it was deleted, and its place.
  private func write(
    _ change: RowChange, _ request: Request, _ bearer: Bearer
  ) async throws -> (row: SyncedRow?, place: RowPlace) {
    let key = try IdempotencyKey(request, of: bearer.account)
    let preconditions = Preconditions(request.headers)
    let (account, scopes, now) = (bearer.account, [change.place.scope], clock())
    let writing = try RowWriting(push, account, token: bearer.token, at: now)
    let (row, place, before, after) = try await log.write { transaction in
      let before = try Standing(of: account, in: scopes, transaction)
      let (row, place) = try writing.apply(change, once: key, if: preconditions, to: &transaction)
      return (row, place, before, try Standing(of: account, in: scopes, transaction))
    }
    hub.send(after.hints(since: before))
    for grant in after.newGrants(since: before) { hub.apply(grant, of: account) }
    return (row, place)
  }

  // MARK: - Names

  private func table(_ request: Request) throws -> SyncedTable {
    guard let table = push.manifest[try request.parameter("table")] else {
      throw ResourceError(.notFound, "unknownTable", "There is no such synced table.")
    }
    return table
  }

  private static func place(_ request: Request, in table: SyncedTable) throws -> RowPlace {
    let id: String = try request.parameter("id")
    if let text = request.query["scope"] { return RowPlace(try RowBody.scope(text), id) }
    return RowPlace(try ownScope(of: id, in: table), id)
  }

  private static func place(of body: RowBody, in table: SyncedTable) throws -> RowPlace {
    if table.scopeColumn == table.idColumn, let scope = body.scope {
      return RowPlace(scope, body.id ?? scope.value)
    }
    guard body.id != nil || table.idSource.isEmpty else {
      throw ResourceError.malformed(
        "The id is derived from \(table.idSource.joined(separator: ", ")). Send it.", field: "id")
    }
    let id = body.id ?? UUID().uuidString
    return RowPlace(try body.scope ?? ownScope(of: id, in: table), id)
  }

  /// Returns the scope of a row whose id is the value of its scope.
  private static func ownScope(of id: String, in table: SyncedTable) throws -> ScopeID {
    guard table.scopeColumn == table.idColumn else {
      throw ResourceError.malformed(
        "Name the row's scope, as “\(table.scopeKind)/…”.", field: "scope")
    }
    guard let scope = try? ScopeID(kind: table.scopeKind, value: id) else {
      throw ResourceError.notFound
    }
    return scope
  }

  private static func path(of place: RowPlace, in table: SyncedTable) -> String {
    let id = place.id.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? place.id
    return "/v1/tables/\(table.name)/rows/\(id)?\((["scope": place.scope.text] as Fields).encoded)"
  }

  private func response(_ row: SyncedRow, at place: RowPlace, _ table: SyncedTable) -> Response {
    let text = RowText(table: table, manifest: push.manifest)
    var response = Response.rows(text.json(row, in: place.scope))
    response.headers["ETag"] = EntityTag(row.state, push.manifest).text
    return response
  }
}

extension Response {
  fileprivate static func rows(_ json: [UInt8]) -> Response {
    Response(
      .ok, headers: ["Content-Type": "application/json", "Cache-Control": "no-store"],
      body: .bytes(json))
  }
}

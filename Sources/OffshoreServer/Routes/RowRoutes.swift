import Foundation
import OffshoreHTTP
import OffshoreWire

/// The routes for single rows, for clients without a local copy of the data.
///
/// A change passes the same checks and the same merge as a push, and devices pull it.
struct RowRoutes: Sendable {
  let server: SyncServer

  private var manifest: Manifest { server.push.manifest }

  var routes: [ServerRoute] {
    let rows = "v1/tables/:table/rows"
    let table = ServerRoute.Parameter.path("table", "The name of a synced table.")
    return [
      ServerRoute(
        .get, rows, "Tells a page of rows.", parameters: [table] + Self.pageParameters,
        answers: [
          .answer(200, "Rows in the order of scopes and ids.", .json(Self.page)),
          .problem(404, "There is no such table or scope, or it may not be read."),
        ], handler: list),
      ServerRoute(
        .post, rows, "Inserts a row.", parameters: [table, Self.form, Self.key],
        body: .json(Self.insertion), bodyLimit: WireLimits.bodyBytes,
        answers: [
          .answer(201, "The row.", .json(Self.row), headers: Self.address),
          Self.forbidden, .problem(404, "There is no such table."),
          .problem(
            409, "There is such a row, or what it refers to was deleted.",
            headers: ["ETag": "The validator of the row that is there."]),
          .problem(410, "What was inserted by the key was deleted meanwhile."), Self.invalid,
          Self.tooLarge,
        ], handler: insert),
      ServerRoute(
        .get, "\(rows)/:id", "Tells a row.",
        parameters: Self.place + [
          Self.form, .header("If-None-Match", "The ETag of the copy that the client has."),
        ],
        answers: [
          .answer(200, "The row.", .json(Self.row), headers: Self.tag),
          .answer(304, "The client's copy is current.", headers: Self.tag), Self.notFound,
          Self.gone,
        ], handler: get),
      ServerRoute(
        .put, "\(rows)/:id", "Inserts a row, or replaces its values.",
        parameters: Self.place + [Self.form, Self.ifMatch, Self.ifNoneMatch, Self.key],
        body: .json(Self.replacement), bodyLimit: WireLimits.bodyBytes,
        answers: [
          .answer(200, "The row with its new values.", .json(Self.row), headers: Self.tag),
          .answer(201, "The row, which was inserted.", .json(Self.row), headers: Self.address),
          Self.forbidden, .problem(404, "There is no such table."),
          .problem(409, "What the row refers to was deleted."),
          .problem(410, "The row was replaced by the key, and deleted meanwhile."),
          Self.precondition, Self.invalid, Self.tooLarge,
        ], handler: put),
      ServerRoute(
        .patch, "\(rows)/:id", "Changes columns of a row.",
        parameters: Self.place + [Self.form, Self.ifMatch, Self.key], body: .json(Self.changes),
        bodyLimit: WireLimits.bodyBytes,
        answers: [
          .answer(200, "The row as it is now.", .json(Self.row), headers: Self.tag),
          Self.forbidden, Self.notFound, .problem(409, "What the row refers to was deleted."),
          Self.gone, Self.precondition, Self.invalid, Self.tooLarge,
        ], handler: patch),
      ServerRoute(
        .delete, "\(rows)/:id", "Deletes a row.",
        parameters: Self.place + [Self.ifMatch, Self.key], bodyLimit: 0,
        answers: [
          .answer(204, "It is deleted."), Self.forbidden, Self.notFound, Self.gone,
          Self.precondition, Self.tooLarge, .problem(422, "Another request had the key."),
        ], handler: delete),
    ]
  }

  // MARK: - Reading

  private func list(_ request: Request, _ caller: Caller) async throws -> Response {
    let (table, json) = try table(request)
    let query = request.query
    let scope = try query["scope"].map { try RowBody.scope($0) }
    let place = try query["after"].map { try RowPlace($0) }
    let limit = try Self.limit(query["limit"])
    let page = try await server.storage.read { log in
      try RowReading(table: table, account: caller.account, access: server.push.access)
        .page(in: scope, after: place, limit: limit, from: log)
    }
    return .rows(json.page(page))
  }

  private func get(_ request: Request, _ caller: Caller) async throws -> Response {
    let (table, json) = try table(request)
    let place = try Self.place(request, in: table)
    let row = try await server.storage.read { log in
      try RowReading(table: table, account: caller.account, access: server.push.access).row(
        place, from: log)
    }
    let tag = EntityTag(row.state, manifest)
    guard !Preconditions(request.headers).isKnown(tag) else {
      return Response(.notModified, headers: ["ETag": tag.text, "Cache-Control": "no-store"])
    }
    return response(row, at: place, json)
  }

  private static func limit(_ text: String?) throws -> Int {
    guard let text else { return 100 }
    guard let limit = Int(text), 1...RowReading.maximumLimit ~= limit else {
      throw ResourceError.malformed("A page has 1 to 1000 rows.", field: "limit")
    }
    return limit
  }

  // MARK: - Writing

  private func insert(_ request: Request, _ caller: Caller) async throws -> Response {
    let (table, json) = try table(request)
    let body = try RowBody(request, keys: ["id", "scope", "values"])
    let change = RequestedChange(
      kind: .insert, table: table, place: try Self.place(of: body, in: table),
      values: body.values, isMessage: json.form == .message)
    return try response(try await write(change, request, caller), isNew: true, json)
  }

  private func put(_ request: Request, _ caller: Caller) async throws -> Response {
    let (table, json) = try table(request)
    let body = try RowBody(request, keys: ["values"])
    let change = RequestedChange(
      kind: .put, table: table, place: try Self.place(request, in: table), values: body.values,
      isMessage: json.form == .message)
    let written = try await write(change, request, caller)
    return try response(written, isNew: written.isNew, json)
  }

  private func patch(_ request: Request, _ caller: Caller) async throws -> Response {
    let (table, json) = try table(request)
    let body = try RowBody(request, keys: ["values", "increments"])
    let change = RequestedChange(
      kind: .patch, table: table, place: try Self.place(request, in: table), values: body.values,
      increments: body.increments, isMessage: json.form == .message)
    return try response(try await write(change, request, caller), isNew: false, json)
  }

  private func delete(_ request: Request, _ caller: Caller) async throws -> Response {
    let (table, _) = try table(request)
    let place = try Self.place(request, in: table)
    let change = RequestedChange(kind: .delete, table: table, place: place)
    _ = try await write(change, request, caller)
    return .noContent
  }

  /// Applies a change, unless it was applied before under the same key, and sends hints.
  private func write(
    _ change: RequestedChange, _ request: Request, _ caller: Caller
  ) async throws -> WrittenRow {
    let key = try IdempotencyKey(request, of: caller.account)
    let preconditions = Preconditions(request.headers)
    let writing = try RowWriting(
      server.push, caller.account, token: caller.token, at: server.clock())
    do {
      return try await server.write(to: [change.place.scope]) {
        try writing.apply(change, once: key, if: preconditions, to: &$0)
      }
    } catch let error as ResourceError {
      throw change.named(error)
    }
  }

  // MARK: - Names

  /// Returns the table of a request, and the encoder of its rows in the requested form.
  private func table(_ request: Request) throws -> (SyncedTable, RowJSON) {
    guard let table = manifest.table(named: try request.parameter("table")) else {
      throw ResourceError(.notFound, "unknownTable", "There is no such synced table.")
    }
    guard let form = RowJSON.Form(rawValue: request.query["form"] ?? "release") else {
      throw ResourceError.malformed("The form is release or message.", field: "form")
    }
    return (table, RowJSON(table: table, manifest: manifest, form: form))
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
    return
      "/v1/tables/\(table.presentName)/rows/\(id)?\((["scope": place.scope.text] as Fields).encoded)"
  }

  /// Returns the answer to a change.
  /// - Throws: `ResourceError` with 410 if the row was deleted.
  private func response(
    _ written: WrittenRow, isNew: Bool, _ json: RowJSON
  ) throws -> Response {
    guard let row = written.row else { throw ResourceError.gone }
    var response = response(row, at: written.place, json)
    guard isNew else { return response }
    response.status = .created
    response.headers["Location"] = Self.path(of: written.place, in: json.table)
    return response
  }

  private func response(_ row: SyncedRow, at place: RowPlace, _ json: RowJSON) -> Response {
    var response = Response.rows(json.row(row, in: place.scope))
    response.headers["ETag"] = EntityTag(row.state, manifest).text
    return response
  }
}

// MARK: - Description

extension RowRoutes {
  private static let place: [ServerRoute.Parameter] = [
    .path("table", "The name of a synced table."), .path("id", "The row's id."),
    .query("scope", "The row's scope, as kind/value; not needed where the id names it."),
  ]
  private static let form = ServerRoute.Parameter.query(
    "form",
    "With message, columns have their names in messages, and missing ones are unknown to a sender.",
    ["type": "string", "enum": ["release", "message"], "default": "release"])
  private static let pageParameters: [ServerRoute.Parameter] = [
    form, .query("scope", "A scope, as kind/value; all that may be read unless one is named."),
    .query("after", "What the page before has as next."),
    .query(
      "limit", "How many rows there are at the most.",
      ["type": "integer", "minimum": 1, "maximum": 1_000, "default": 100]),
  ]
  private static let key = ServerRoute.Parameter.header(
    "Idempotency-Key", "A new text for each change, with which it may be sent again.")
  private static let ifMatch = ServerRoute.Parameter.header(
    "If-Match", "The ETag of the version that the change is for.")
  private static let ifNoneMatch = ServerRoute.Parameter.header(
    "If-None-Match", "The sign * if the row is to be inserted, and not replaced.")
  private static let tag = ["ETag": "The validator of the row."]
  private static let address = tag.merging(["Location": "The row's address."]) { $1 }

  private static let notFound = ServerRoute.Answer.problem(
    404, "There is no such table or row, or it may not be read.")
  private static let gone = ServerRoute.Answer.problem(410, "The row was deleted.")
  private static let forbidden = ServerRoute.Answer.problem(403, "The account may not write here.")
  private static let precondition = ServerRoute.Answer.problem(
    412, "The row is another by now.", headers: tag)
  private static let invalid = ServerRoute.Answer.problem(
    422, "A value, a column, a reference or the key is not allowed.")
  private static let tooLarge = ServerRoute.Answer.problem(
    413, "The body, a value or the row would be too large.")

  private static let row = JSONSchema.named("Row")
  private static let page = JSONSchema.object([
    "rows": JSONSchema.list(row), "next": ["type": ["string", "null"]],
  ])
  private static let values = JSONSchema.map(JSONSchema.named("Value"), "The columns by name.")
  private static let insertion = JSONSchema.object(
    ["scope": JSONSchema.text, "id": JSONSchema.text, "values": values],
    optional: ["scope", "id"])
  private static let replacement = JSONSchema.object(["values": values])
  private static let changes = JSONSchema.object(
    [
      "values": values,
      "increments": JSONSchema.map(
        ["type": "integer"], "What is added to counters, by column."),
    ], optional: ["values", "increments"])
}

extension Response {
  fileprivate static func rows(_ json: [UInt8]) -> Response {
    Response(
      .ok, headers: ["Content-Type": "application/json", "Cache-Control": "no-store"],
      body: .bytes(json))
  }
}

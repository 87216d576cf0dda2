public import Foundation
public import Offshore
public import OffshoreWire

/// A client of single rows on a server, typed by their records, for programs without a copy of the
/// data.
///
/// ```swift
/// let rows = RowClient(ServerClient(HTTPTransport(server)), schema, token: account.token)
/// let found = try await rows.row(Charter.self, id)
/// var charter = found.value
/// charter.name = "Vis"
/// try await rows.update(found.value, to: charter, ifMatch: found.entityTag)
/// ```
///
/// The schema is that of the app. It determines the scope of a record, and the names and policies
/// of its columns. The values are those that a device would send, so devices pull the changes of
/// the client, and the client reads theirs.
///
/// A change can have two safeguards:
///
/// - `ifMatch` is the version of the row that the change is for. If the row has changed since,
///   nothing is changed, and the call throws `preconditionFailed`. Without it, the change applies
///   to any version.
/// - `key` identifies the change. If an answer was lost, repeat the call with the same key and
///   arguments within a day: the change takes effect once. By default, each call has a new key.
///
/// Besides the errors that are listed with each call, every call throws the ``Failure`` of a
/// request, such as `unreachable` or `unauthorized`; `notFound` if the account may not read the row
/// or its scope; `unknownTable` if the schema or the server lacks the table; `malformed` if the
/// server's row cannot be read as a record. Changes also throw `forbidden` if the account may not
/// write the row, and the reasons for which a server refuses the changes of a device, such as
/// `invalidValue`, `missingReference`, `tooLarge` or `limitReached`. If a column is the reason, the
/// message names the column and the type of its values, and `field` is the column's name in messages.
public struct RowClient: Sendable {
  /// The reason why a request failed.
  public typealias Failure = ServerClient.Failure

  private let client: ServerClient
  private let schema: SyncSchema
  private let token: String

  /// Creates a client for the rows of a schema.
  /// - Parameters:
  ///   - client: the client of the server.
  ///   - schema: the synced tables of the app. The server may have loaded the manifest of another
  ///     release.
  ///   - token: the access token of an account.
  public init(_ client: ServerClient, _ schema: SyncSchema, token: String) {
    self.client = client
    self.schema = schema
    self.token = token
  }

  // MARK: - Reading

  /// Returns a page of rows.
  ///
  /// A row that is written while pages are read may or may not be on one of them.
  /// - Parameters:
  ///   - type: the record of the table.
  ///   - scope: the scope of the rows; by default all scopes that the account may read.
  ///   - place: the ``RemotePage/next`` of the page before; by default the page is the first one.
  ///   - limit: the maximum number of rows: 1 to 1,000. A page of large rows has fewer.
  /// - Throws: ``Failure``.
  public func page<Row: Record>(
    of type: Row.Type, in scope: ScopeID? = nil, after place: String? = nil, limit: Int = 100
  ) async throws(Failure) -> RemotePage<Row> {
    var query = [URLQueryItem(name: "limit", value: "\(limit)")]
    if let place { query.append(URLQueryItem(name: "after", value: place)) }
    let bytes = try await client.bytes(request("GET", type, in: scope, query), token)
    let page: RowsAnswer
    do throws(WireError) {
      page = try RowsAnswer(bytes)
    } catch {
      throw Failure(unreadable: error)
    }
    let form = try RecordForm<Row>(schema)
    var rows: [RemoteRow<Row>] = []
    for row in page.rows { rows.append(try form.received(row)) }
    return RemotePage(rows: rows, next: page.next)
  }

  /// Returns a row.
  /// - Parameters:
  ///   - type: the record of the table.
  ///   - id: the key of the row.
  ///   - scope: the scope of the row. It is optional if the key is the value of the scope.
  /// - Throws: ``Failure``: `notFound`, or `gone` if the row was deleted.
  public func row<Row: Record & Identifiable>(
    _ type: Row.Type, _ id: Row.ID, in scope: ScopeID? = nil
  ) async throws(Failure) -> RemoteRow<Row> {
    try await answer(to: request("GET", type, id: Self.text(of: id, type), in: scope))
  }

  // MARK: - Writing

  /// Inserts a row.
  /// - Parameters:
  ///   - row: the row, whose scope is that of its scope column.
  ///   - key: the identity of this change.
  /// - Returns: the row as the server has stored it.
  /// - Throws: ``Failure``: `exists` if there is such a row, `gone` if the row was inserted by the
  ///   same key and deleted since.
  @discardableResult
  public func insert<Row: Record>(
    _ row: Row, key: UUID = UUID()
  ) async throws(Failure) -> RemoteRow<Row> {
    try await answer(to: insertion(of: row, key))
  }

  /// Inserts a row, or replaces the values of the row with its key.
  ///
  /// A counter of an existing row can only be replaced with `ifMatch`, because another value would
  /// undo the increments of others. ``update(_:to:ifMatch:key:)`` adds to it instead.
  /// - Parameters:
  ///   - row: the row, whose scope is that of its scope column.
  ///   - tag: the version to replace. With it, a row that does not exist is not inserted.
  ///   - key: the identity of this change.
  /// - Returns: the row as the server has stored it. If a policy such as `max` decides which value
  ///   stays, the row has that value.
  /// - Throws: ``Failure``: `preconditionFailed`; `invalidValue` also if a counter has another
  ///   value; `gone` if the row was deleted since the change with the same key.
  @discardableResult
  public func put<Row: Record>(
    _ row: Row, ifMatch tag: EntityTag? = nil, key: UUID = UUID()
  ) async throws(Failure) -> RemoteRow<Row> {
    try await answer(to: replacement(by: row, tag, key))
  }

  /// Changes the columns of a row in which two records differ.
  ///
  /// The difference of a counter is added to it. A set or a keyed map is replaced as a whole, so
  /// pass `ifMatch` if others may have changed other parts of it.
  /// - Parameters:
  ///   - old: the row as it was read.
  ///   - new: the row with the new values. It has the same key and scope.
  ///   - tag: the version to change.
  ///   - key: the identity of this change.
  /// - Returns: the row as the server has stored it.
  /// - Throws: ``Failure``: `preconditionFailed`, `notFound`, or `gone` if the row was deleted.
  @discardableResult
  public func update<Row: Record>(
    _ old: Row, to new: Row, ifMatch tag: EntityTag? = nil, key: UUID = UUID()
  ) async throws(Failure) -> RemoteRow<Row> {
    try await answer(to: change(of: old, to: new, tag, key))
  }

  /// Deletes a row. Rows that refer to it are deleted, or their references become `nil`.
  /// - Parameters:
  ///   - type: the record of the table.
  ///   - id: the key of the row.
  ///   - scope: the scope of the row. It is optional if the key is the value of the scope.
  ///   - tag: the version to delete.
  ///   - key: the identity of this change.
  /// - Throws: ``Failure``: `preconditionFailed`, `notFound`, or `gone` if the row was deleted by
  ///   another change.
  public func delete<Row: Record & Identifiable>(
    _ type: Row.Type, _ id: Row.ID, in scope: ScopeID? = nil, ifMatch tag: EntityTag? = nil,
    key: UUID = UUID()
  ) async throws(Failure) {
    var request = try request("DELETE", type, id: Self.text(of: id, type), in: scope)
    request.addConditions(tag, key)
    try await client.send(request, token: token)
  }
}

// MARK: - Requests

// NB: These functions are synchronous, because a record is converted by a connection, and none may
// be open while a request waits.
extension RowClient {
  private func insertion<Row: Record>(
    of row: Row, _ key: UUID
  ) throws(Failure) -> ServerClient.Request {
    let form = try RecordForm<Row>(schema)
    let sent = try form.sent(row)
    let body =
      Array(#"{"scope":"#.utf8) + ValueText.json(sent.scope.text) + Array(#","id":"#.utf8)
      + ValueText.json(sent.id) + Array(#","values":"#.utf8) + form.json(sent.values)
      + Array("}".utf8)
    var request = try request("POST", Row.self, in: nil, body: body)
    request.addConditions(nil, key)
    return request
  }

  private func replacement<Row: Record>(
    by row: Row, _ tag: EntityTag?, _ key: UUID
  ) throws(Failure) -> ServerClient.Request {
    let form = try RecordForm<Row>(schema)
    let sent = try form.sent(row)
    let body = Array(#"{"values":"#.utf8) + form.json(sent.values) + Array("}".utf8)
    var request = try request("PUT", Row.self, id: sent.id, in: sent.scope, body: body)
    request.addConditions(tag, key)
    return request
  }

  private func change<Row: Record>(
    of old: Row, to new: Row, _ tag: EntityTag?, _ key: UUID
  ) throws(Failure) -> ServerClient.Request {
    let form = try RecordForm<Row>(schema)
    let (sent, changes) = try form.changes(from: old, to: new)
    let body =
      Array(#"{"values":"#.utf8) + form.json(changes.values) + Array(#","increments":"#.utf8)
      + form.json(changes.increments) + Array("}".utf8)
    var request = try request("PATCH", Row.self, id: sent.id, in: sent.scope, body: body)
    request.addConditions(tag, key)
    return request
  }

  /// Returns a request about the rows of a table, or about one of them.
  private func request<Row: Record>(
    _ method: String, _: Row.Type, id: String? = nil, in scope: ScopeID?,
    _ query: [URLQueryItem] = [], body: [UInt8]? = nil
  ) throws(Failure) -> ServerClient.Request {
    let name = Row.table.name
    guard let table = schema[name], table.name == name else { throw .unsyncedTable(name) }
    var query = query
    if method != "DELETE" { query.append(URLQueryItem(name: "form", value: "message")) }
    if let scope { query.append(URLQueryItem(name: "scope", value: scope.text)) }
    var request = ServerClient.Request(
      method, "v1/tables/\(table.sentName)/rows", query: query, body: body)
    request.component = id
    return request
  }

  /// Returns the stored text of a key.
  private static func text<Row: Record & Identifiable>(
    of id: Row.ID, _: Row.Type
  ) throws(Failure) -> String {
    guard case .text(let text)? = Row.find(id).key?.first else {
      throw Failure(
        .invalidValue, "The key of “\(Row.table.name)” is not the text of the property “id”.")
    }
    return text
  }

  private func answer<Row: Record>(
    to request: ServerClient.Request
  ) async throws(Failure) -> RemoteRow<Row> {
    let bytes = try await client.bytes(request, token)
    let row: RowAnswer
    do throws(WireError) {
      row = try RowAnswer(bytes)
    } catch {
      throw Failure(unreadable: error)
    }
    return try RecordForm<Row>(schema).received(row)
  }
}

extension ServerClient.Request {
  /// Adds the conditions under which a change takes effect.
  fileprivate mutating func addConditions(_ tag: EntityTag?, _ key: UUID) {
    fields["If-Match"] = tag?.text
    fields["Idempotency-Key"] = key.uuidString
  }
}

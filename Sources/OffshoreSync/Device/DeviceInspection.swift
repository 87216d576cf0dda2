import Foundation
package import Offshore
import OffshoreWire

/// A description of a device's file, by which the cause of a problem is found: its scopes with
/// their cursors, the pending and refused changes, and the conflicts.
///
/// It needs no schema, and changes nothing. Values are the user's, so they are described by their type
/// and size unless they are asked for.
package struct DeviceInspection {
  private let reader: Reader
  private let showsValues: Bool

  /// Creates the description of a file.
  /// - Parameter showsValues: whether values are shown as they are.
  package init(_ reader: Reader, showsValues: Bool) {
    (self.reader, self.showsValues) = (reader, showsValues)
  }

  /// Returns the description as text, one entry a line.
  /// - Throws: ``ReplicaError``: `notInstalled` for a file that is not prepared for syncing,
  ///   `newerLayout` for one of a newer version, `damaged`. `DatabaseError`.
  package func text() throws -> String {
    guard let version = try DeviceTables.version(reader) else { throw StateRow.notPrepared }
    guard version <= DeviceTables.version else {
      throw ReplicaError(
        .newerLayout, "A newer version of the library has prepared the file. Use that version.")
    }
    let parts = try [state(), scopes(), captured(), batches(), refused(), conflicts()]
    return parts.flatMap(\.self).joined(separator: "\n")
  }

  // MARK: - Parts

  private func state() throws -> [String] {
    let state = try StateRow.required { try StateRow.all.first(reader) }
    let epoch = state.epoch == 0 ? "none pulled yet" : String(state.epoch)
    return [
      "device: \(state.device)", "epoch of the server's data: \(epoch)",
      "last grant: \(state.grants)",
    ]
  }

  private func scopes() throws -> [String] {
    let cursors = try ScopeCursor.inOrder(reader)
    let arrivals = try ScopeArrival.hasTable(reader) ? ScopeArrival.byScope(reader) : [:]
    return list("scopes", cursors) { cursor in
      let pulled = arrivals[cursor.scope] == nil ? "pulled up to \(cursor.seq)" : "arriving"
      var parts = [
        cursor.scope.text, cursor.role.map(\.name) ?? "no role yet",
        cursor.epoch == 0 ? "not pulled yet" : pulled,
        "last batch \(cursor.sent)",
      ]
      if let wanted = cursor.wanted {
        parts.append("\(wanted.shown.name) here until the server answers")
      }
      if cursor.fetch != nil { parts.append("being fetched") }
      if cursor.doubt != .none { parts.append("digests differ (\(cursor.doubt))") }
      if cursor.repairs > 0 { parts.append("fetched again \(cursor.repairs) times") }
      return [parts.joined(separator: ", ")]
    }
  }

  private func captured() throws -> [String] {
    let layout = try CaptureLayout(reader)
    let dates = try TransactionEnd.dates(reader)
    return list("changes not sealed yet", try JournalRow.all.order { $0.number }.all(reader)) {
      entry in
      let table = Int(entry.tableNumber)
      let known = layout.tables.indices.contains(table) ? layout.tables[table] : nil
      let columns = (known?.columns ?? []).enumerated().filter { entry.mask & 1 << $0.offset != 0 }
      let place = "\(known?.name ?? "table \(table)")/\(id(entry.id.value))"
      let changed =
        entry.kind == .update ? [columns.map(\.element).joined(separator: ", ")] : []
      return [
        ([date(dates[entry.transaction]), "\(entry.kind)", place] + changed).joined(separator: ", ")
      ]
    }
  }

  private func batches() throws -> [String] {
    list("batches", try SealedBatch.all.order { $0.key }.all(reader)) { sealed in
      let progress =
        switch sealed.phase {
        case .waiting: "waiting"
        case .applied: "applied, not pulled yet"
        case .postponed: "sent again from \(date(sealed.due))"
        }
      var parts = [
        date(sealed.made), sealed.scope.text, "batch \(sealed.number)", progress,
        "\(sealed.count) changes",
      ]
      if sealed.refusals > 0 { parts.append("refused \(sealed.refusals) times") }
      return [parts.joined(separator: ", ")] + sealed.batch.ops.flatMap(lines(of:))
    }
  }

  private func refused() throws -> [String] {
    list("refused changes", try StoredRefusal.all.order { $0.number }.all(reader)) { refusal in
      let place = "\(refusal.tableName)/\(refusal.id)"
      let scope = refusal.scope?.text ?? "no scope"
      return ["\(date(refusal.date)), \(scope), \(place), \(refusal.code): \(refusal.message)"]
        + (refusal.op.map(lines(of:)) ?? [])
    }
  }

  private func conflicts() throws -> [String] {
    let stored = try StoredConflict.all.all(reader)
      .sorted { ($0.scope, $0.number) < ($1.scope, $1.number) }
    return list("conflicts", stored) { stored in
      let conflict = stored.conflict
      let winning = conflict.winning.map(value) ?? "no row"
      return [
        """
        \(date(conflict.winningStamp.milliseconds)), \(stored.scope.text), \
        \(conflict.row).\(conflict.field), \(value(conflict.losing)) lost to \(winning) \
        (\(conflict.reason))
        """
      ]
    }
  }

  // MARK: - Lines

  /// Returns a heading with the number of entries, and the lines of each.
  private func list<Entry>(
    _ heading: String, _ entries: [Entry], _ lines: (Entry) -> [String]
  ) -> [String] {
    ["", "\(heading): \(entries.count)"] + entries.flatMap(lines).map { "  \($0)" }
  }

  private func lines(of op: Op) -> [String] {
    let kind =
      switch op.kind {
      case .put: "insert"
      case .patch: "update"
      case .delete: "delete"
      case .increment: "increment"
      case .move(let scope): "move to \(scope.text)"
      }
    let fields = op.fields.sorted { $0.key < $1.key }
    return ["  \(kind) \(op.row)"] + fields.map { "    \($0.key): \(value($0.value))" }
  }

  private func date(_ milliseconds: Int64?) -> String {
    milliseconds.map { Date(milliseconds: $0).formatted(.iso8601) } ?? "time unknown"
  }

  private func id(_ value: WireValue) -> String {
    switch value {
    case .text(let bytes): String(decoding: bytes, as: UTF8.self)
    case .integer(let number): String(number)
    default: value.description
    }
  }

  private func value(_ value: WireValue) -> String {
    guard showsValues else { return value.description }
    return switch value {
    case .null: "NULL"
    case .integer(let number): String(number)
    case .real(let number): String(number)
    // Quotation marks and line breaks are escaped, so each value stays on its line.
    case .text(let bytes): String(decoding: bytes, as: UTF8.self).debugDescription
    case .blob(let bytes):
      "x'" + bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() + "'"
    }
  }
}

import Foundation
import Offshore
import OffshoreServer
import OffshoreSync
import OffshoreWire
import ServerSupport

/// The checks that a restore of the server's data from a copy loses nothing.
///
/// A text that a device has shown may leave it only if the restored server knows it, if the device
/// stores it as a refused change or in a batch, or if a later write or a deletion replaces it. A copy of
/// the device's file may have sent and stored it instead. In the
/// end, the server knows each text that was stored as a refused change, or a device still stores it.
struct RestoreChecks {
  let schedule: Schedule

  /// A text that a device shows.
  struct Shown: Hashable {
    let row: RowID
    let column: String
    let text: [UInt8]

    var spelled: String { "\(String(decoding: text, as: UTF8.self)) as \(row).\(column)" }
  }

  /// Returns the texts that a device shows, to be compared with those after an answer.
  /// - Parameter envelope: An answer to a pull.
  /// - Returns: Nothing as long as the data was not restored, and for an answer of lost data.
  func shown(on device: SimulatedDevice, before envelope: Envelope) throws -> Set<Shown> {
    let epochs = schedule.server.history.epochs
    guard epochs > 0, envelope.epochs == epochs else { return [] }
    return try shown(on: device)
  }

  /// Returns the texts that a device shows, without those of rows of another user.
  func shown(on device: SimulatedDevice) throws -> Set<Shown> {
    var shown: Set<Shown> = []
    let own = WireValue(device.account.description)
    for (row, values) in try device.rows() where values["ownerID"] ?? own == own {
      for case (let column, .text(let text)) in values where text.first == Text.mark {
        shown.insert(Shown(row: row, column: column, text: text))
      }
    }
    return shown
  }

  /// Checks the texts that have left a device.
  /// - Parameter before: The texts that it showed before it took an answer.
  func check(_ before: Set<Shown>, on device: SimulatedDevice) throws {
    if before.isEmpty { return }
    let gone = before.subtracting(try shown(on: device)).filter { !isKnown($0) }
    if gone.isEmpty { return }
    let copies = schedule.devices.filter { $0.account == device.account }
    let dead = Set(try copies.flatMap { try $0.deadOps().flatMap(\.texts) })
    let rows = try device.rowsWithoutOps()
    let pending = try device.connection.read { try device.pendingTexts($0) }
    let hidden = try device.hiddenRows()
    for shown in gone where !hidden.contains(shown.row) && pending[shown.text] == nil {
      guard dead.contains(shown.text) || rows.contains(shown.row) else {
        throw Violation(
          .nothingLostByRestore,
          "\(device.name) does not show \(shown.spelled) any more, which the server has lost.")
      }
      if schedule.keptTexts.insert(shown).inserted { schedule.count("outcome.keptByRestore") }
    }
  }

  // MARK: - The end of access

  /// Returns the texts of other devices that a device stores because a restored server lacks them, by scope.
  /// - Returns: Nothing as long as no text is expected to stay.
  func storedOfOthers(on device: SimulatedDevice) throws -> [String: Set<[UInt8]>] {
    guard !schedule.keptTexts.isEmpty else { return [:] }
    return try device.connection.read { reader in
      let own = try device.replica.device(reader)
      let stored = try SQL(
        "SELECT scope, op FROM _dead WHERE code = 'lostByRestore' AND scope NOT NULL AND op NOT NULL"
      ).all(reader, as: String.self, Data.self)
      var texts: [String: Set<[UInt8]>] = [:]
      for (scope, bytes) in stored {
        let op = try Op(decoding: Array(bytes))
        texts[scope, default: []].formUnion(op.texts(besides: own))
      }
      return texts
    }
  }

  /// Removes expectations about the texts of others that a device has removed from scopes which its account
  /// may not read any more. Those of its own have to stay.
  /// - Parameter stored: the texts that it stored before, by scope.
  func forgetEnded(_ stored: [String: Set<[UInt8]>], on device: SimulatedDevice) throws {
    guard !stored.isEmpty else { return }
    let left = Set(try device.deadOps().flatMap(\.texts))
    for scope in try device.texts("SELECT scope FROM _cursor WHERE role = 4") {
      schedule.forgetKept((stored[scope] ?? []).subtracting(left))
    }
  }

  // MARK: - The end of the schedule

  /// Checks in the end that each text that was stored as a refused change is on the server or still
  /// stored.
  func checkKept() throws {
    guard !schedule.keptTexts.isEmpty else { return }
    var stored: Set<[UInt8]> = []
    var rows: Set<RowID> = []
    for device in schedule.devices {
      stored.formUnion(try device.deadOps().flatMap(\.texts))
      stored.formUnion(try device.connection.read { try device.pendingTexts($0) }.keys)
      rows.formUnion(try device.rowsWithoutOps())
      // The user may have deleted a row before it was sent again.
      rows.formUnion(device.ledger.uncounted)
    }
    for shown in schedule.keptTexts
    where !isKnown(shown) && !stored.contains(shown.text) && !rows.contains(shown.row) {
      throw Violation(
        .nothingLostByRestore, "\(shown.spelled) is neither on the server nor on a device.")
    }
  }

  /// Whether the server's data has a text, or a later value, or has ended a life of its row.
  private func isKnown(_ shown: Shown) -> Bool {
    let server = schedule.server
    if server.history.knownTexts.contains(shown.text) { return true }
    let versions = server.history.versionsOfTexts
    return schedule.scopes.contains { scope in
      if server.history.hasEnded(shown.row, in: scope) { return true }
      guard let own = versions[shown.text], let state = server.log.row(shown.row, in: scope)?.state,
        let later = state.version(of: shown.column), later > own.upperBound
      else { return false }
      // An earlier text that a device has written again is not a later one.
      guard case .text(let text)? = state.fields[shown.column], let others = versions[text] else {
        return true
      }
      return others.lowerBound > own.lowerBound
    }
  }
}

extension Op {
  /// Returns the texts whose versions are of other devices than one. The base of a change that a restored
  /// server lacks has the versions of its values.
  fileprivate func texts(besides device: DeviceID) -> Set<[UInt8]> {
    if stamp.device == device, base.values.allSatisfy({ $0.device == device }) { return [] }
    let others = fields.filter { base[$0.key]?.device != device }
    return Set(Op(kind, row, fields: others, stamp: stamp).texts)
  }
}

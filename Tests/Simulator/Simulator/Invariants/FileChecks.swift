import Offshore
import OffshoreServer
import OffshoreSync
import OffshoreWire
import ServerSupport

/// The checks of the files to which rows refer.
struct FileChecks {
  let schedule: Schedule

  // MARK: - During the run

  /// Returns the files that a device must not delete: those to which its rows and its pending and
  /// refused changes refer. The cancellation of a captured change may restore any reference.
  func needed(on device: SimulatedDevice) throws -> Set<ContentHash> {
    if try device.number("SELECT count(*) FROM _outbox") > 0 {
      let known = try device.texts("SELECT hash FROM _file")
      return Set(known.compactMap { ContentHash(hexadecimal: $0) })
    }
    let batches = try device.connection.read { try device.replica.outbox.sealedBatches($0) }
    let ops = try device.deadOps() + batches.flatMap(\.ops)
    return try shown(on: device).union(ops.flatMap(\.files))
  }

  /// Returns the files to which rows of a device refer.
  private func shown(
    on device: SimulatedDevice, where condition: SQL = "true"
  ) throws -> Set<ContentHash> {
    let texts = try device.texts(
      "SELECT DISTINCT file FROM photos WHERE file NOT NULL AND \(condition)")
    return Set(texts.compactMap { BlobReference($0)?.hash })
  }

  func checkKept(_ needed: Set<ContentHash>, on device: SimulatedDevice) throws(Violation) {
    guard let hash = needed.subtracting(device.folder.hashes).first else { return }
    throw Violation(.files, "\(device.name) has deleted \(hash.spelled), which it still needs.")
  }

  // MARK: - In the end

  /// Checks that the server has the files of all rows, unless no device can send them any more.
  ///
  /// NB: A file is sent after its row. If the row is moved meanwhile to a board that only others may
  /// write, or the account loses its role, no other device has the file.
  func checkStored() throws {
    try schedule.server.checkFiles()
    for board in schedule.boards {
      for hash in schedule.server.model.files(in: board)
      where !schedule.server.hasFile(hash, in: board) {
        // All accounts may write all boards then, and nothing is restored.
        if try schedule.profile.keepsTokens || hasSender(of: hash, to: board) {
          throw Violation(.files, "\(board) has a row of \(hash.spelled), and not the file.")
        }
      }
    }
    for (hash, content) in schedule.server.files.contents where ContentHash(of: content) != hash {
      throw Violation(.files, "The server has another content of \(hash.spelled).")
    }
  }

  private func hasSender(of hash: ContentHash, to scope: ScopeID) throws -> Bool {
    try schedule.devices.contains { device in
      guard schedule.server.history.role(of: device.account, in: scope)?.canWrite == true,
        device.folder.contents[hash] != nil
      else { return false }
      let count = try device.number(
        """
        SELECT count(*) FROM _file
        WHERE scope = \(scope.text) AND hash = \(hash.description) AND own = 1 AND refs > 0
        """)
      return count > 0
    }
  }

  /// Checks that each device has the files of its rows, as far as the server has them.
  func checkArrived() throws {
    for device in schedule.devices {
      for board in schedule.boards
      where schedule.server.history.role(of: device.account, in: board)?.canRead == true {
        let files = try shown(on: device, where: "boardID = \(board.value)")
        let missing = files.subtracting(device.folder.hashes)
        if let hash = missing.first(where: { schedule.server.hasFile($0, in: board) }) {
          throw Violation(.files, "\(device.name) has not fetched \(hash.spelled) of \(board).")
        }
      }
    }
  }

  /// Checks that neither the server nor a device has a file that nothing refers to.
  func checkOrphans() throws {
    for hash in schedule.server.files.contents.keys {
      for scope in schedule.server.files.scopes(with: hash)
      where !schedule.server.model.files(in: scope).contains(hash) {
        throw Violation(.orphans, "The server still has \(hash.spelled) in \(scope).")
      }
    }
    for device in schedule.devices {
      let rest = device.folder.hashes.subtracting(try shown(on: device))
      if let hash = try rest.first(where: { try !isMentioned($0, on: device) }) {
        throw Violation(.orphans, "\(device.name) still has \(hash.spelled).")
      }
    }
  }

  /// Whether a change, a conflict or a hidden row refers to a file.
  private func isMentioned(_ hash: ContentHash, on device: SimulatedDevice) throws -> Bool {
    let text = BlobReference(hash).text
    let places = [
      ("_dead", "op"), ("_conflict", "content"), ("_shadow", "state"), ("_batch", "content"),
      ("_page", "content"),
    ]
    return try places.contains { table, column in
      let count = try device.number(
        """
        SELECT count(*) FROM \(identifier: table)
        WHERE instr(CAST(\(identifier: column) AS BLOB), CAST(\(text) AS BLOB)) > 0
        """)
      return count > 0
    }
  }
}

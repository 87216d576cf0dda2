import OffshoreWire

/// The checks after all processes have ended, from the files alone.
struct Audit {
  let devices: [DeviceFile]
  let server: ServerFile
  /// The lines that each device printed about committed writes.
  let printed: [[String]]

  /// Returns a description of each failed check.
  func complaints() -> [String] {
    kept() + converged() + sound() + counted() + inserted() + deleted() + texts() + marks()
      + moved()
  }

  /// Returns the ledger entries and refused changes of the rows that complaints name.
  func story(of complaints: [String]) -> String {
    let words = Set(complaints.joined(separator: " ").split(separator: " ").map(String.init))
    return devices.flatMap { device in
      device.ledger.filter { words.contains($0.row) }.map {
        "\(device.name): \($0.line) at \($0.clock.map(String.init).joined(separator: "."))"
      }
        + device.dead.filter { words.contains($0.key) }.flatMap { row, ops in
          ops.map { "\(device.name): \(row) set aside: \($0.map { "\($0)" } ?? "unknown")" }
        }
    }.joined(separator: "\n")
  }

  // MARK: - Each device

  /// Every printed write is in the file, and no device has seen an incomplete group.
  private func kept() -> [String] {
    zip(devices, printed).flatMap { device, lines in
      let lost = Set(lines).subtracting(device.ledger.map(\.line)).subtracting(["quiet"])
      return lost.sorted().prefix(3).map { "\(device.name) has lost its own write “\($0)”." }
    }
  }

  /// A device shows exactly the server's rows of the boards that its account may read.
  private func converged() -> [String] {
    zip(devices, Fleet.owners).flatMap { device, account in
      let readable = server.readable[account]
      let expected = readable.reduce(into: BoardContent()) { all, board in
        guard let content = server.contents[board] else { return }
        all.boards.formUnion(content.boards)
        all.cards.merge(content.cards) { first, _ in first }
        all.ties.merge(content.ties) { first, _ in first }
      }
      let leaked = device.keptScopes.subtracting(readable.map { "board/\($0)" })
      var complaints = leaked.sorted().map { scope in
        "\(device.name) has rows of \(scope), which it may not read."
      }
      complaints += differences(of: device.content.cards, to: expected.cards, device.name)
      complaints += differences(of: device.content.ties, to: expected.ties, device.name)
      if device.content.boards != expected.boards {
        complaints.append("\(device.name) has other boards.")
      }
      return complaints
    }
  }

  private func differences<Value: Equatable>(
    of shown: [String: Value], to expected: [String: Value], _ name: String
  ) -> [String] {
    Set(shown.keys).union(expected.keys).sorted().filter { shown[$0] != expected[$0] }.prefix(3)
      .map { id in
        let (found, wanted) = (shown[id].map { "\($0)" }, expected[id].map { "\($0)" })
        return "\(name) shows \(id) as \(found ?? "nothing"), not \(wanted ?? "nothing")."
      }
  }

  /// Files pass the integrity check, digests match, and groups are complete.
  private func sound() -> [String] {
    let groups = server.contents.values.flatMap(\.ties.values)
    let sizes = Dictionary(grouping: groups) { $0 }.mapValues(\.count)
    return devices.filter { $0.integrity != ["ok"] }.map { "The file of \($0.name) is damaged." }
      + server.unsound.map { "The digest of \($0) is not that of its rows." }
      + sizes.filter { "\($1)" != $0.split(separator: " ").last ?? "" }
      .map { "Of the group \($0.key) there are \($0.value)." }
  }

  // MARK: - All writes

  /// A counter is the sum of all additions: none is lost, none counts twice.
  private func counted() -> [String] {
    server.cards.sorted { $0.key < $1.key }.compactMap { id, faces in
      guard id.hasPrefix("c"), let face = faces.first,
        !devices.contains(where: { $0.hasLostTrack(of: id) })
      else { return nil }
      let sum = devices.reduce(0) { $0 + $1.votes(for: id) }
      return face.votes == sum ? nil : "\(id) counts \(face.votes), but \(sum) was added."
    }
  }

  /// An inserted row exists, unless a device deleted it or its insertion was refused.
  private func inserted() -> [String] {
    let gone = Set(entries("delete", "untie").map(\.row))
    let groups = Set(
      server.contents.values.flatMap(\.ties.values)
        .compactMap { $0.split(separator: " ").dropFirst().first.map(String.init) })
    return devices.flatMap { device in
      device.ledger.filter { entry in
        guard entry.kind == "insert" || entry.kind == "tie", !gone.contains(entry.row),
          server.cards[entry.row] == nil, !groups.contains(entry.row)
        else { return false }
        let row = entry.kind == "tie" ? "\(entry.row).0" : entry.row
        return device.dead[row] == nil
      }.map { "\(device.name) has inserted \($0.row), which is nowhere." }
    }
  }

  /// A deleted row does not come back, unless the deletion was refused.
  private func deleted() -> [String] {
    devices.flatMap { device in
      device.ledger.filter { entry in
        switch entry.kind {
        case "delete":
          server.cards[entry.row] != nil && !device.hasDead(entry.row) { $0.kind == .delete }
        case "untie":
          server.contents.values.contains { $0.ties["\(entry.row).0"] != nil }
            && !device.hasDead("\(entry.row).0") { $0.kind == .delete }
        default: false
        }
      }.map { "\(device.name) has deleted \($0.row), which is there." }
    }
  }

  /// The text of a card is the last write of some device. It is the inserted text only if no other
  /// text was written and accepted.
  private func texts() -> [String] {
    let writes = Dictionary(grouping: entries("insert", "text"), by: \.row)
    return server.cards.sorted { $0.key < $1.key }.compactMap { id, faces in
      guard let face = faces.first, let writes = writes[id] else { return nil }
      guard let write = writes.first(where: { $0.value == face.text }) else {
        return "\(id) has the text \(face.text), which nobody wrote."
      }
      let later = writes.filter { other in
        guard other != write, let device = device(of: other) else { return false }
        let isLater = device.name == self.device(of: write)?.name && other.number > write.number
        return (isLater || write.kind == "insert") && !device.hasDeadText(of: other)
      }
      return later.first.map { "\(id) has the text \(face.text), not the later \($0.value)." }
    }
  }

  /// The key of a device has the last number that the device wrote and that was not refused.
  private func marks() -> [String] {
    devices.flatMap { device in
      Dictionary(grouping: device.ledger.filter { $0.kind == "mark" }, by: \.row)
        .sorted { $0.key < $1.key }.compactMap { id, writes in
          guard let face = server.cards[id]?.first, let last = writes.last else { return nil }
          let found = face.mark(device.name)
          let isDead = device.hasDead(id) { op in
            op.fields["marks.\(device.name)"] == WireValue("\(last.number)")
          }
          return found == last.number || isDead || device.hasDeadDeletion(with: last)
            ? nil : "\(id) has \(found ?? 0) as the mark of \(device.name), not \(last.number)."
        }
    }
  }

  /// A card that moves is in one board.
  private func moved() -> [String] {
    server.cards.filter { $0.value.count > 1 }.map { "\($0.key) is on \($0.value.count) boards." }
  }

  // MARK: - Parts

  private func entries(_ kinds: String...) -> [DeviceFile.Entry] {
    devices.flatMap(\.ledger).filter { kinds.contains($0.kind) }
  }

  /// The device that wrote an entry; the entry's text begins with its name.
  private func device(of entry: DeviceFile.Entry) -> DeviceFile? {
    devices.first { entry.value.hasPrefix("\($0.name).") }
  }
}

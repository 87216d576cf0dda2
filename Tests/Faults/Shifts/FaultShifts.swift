import Foundation
import OffshoreCalendar
import OffshoreFiles
import ShiftScheduler

/// A process that changes the records of ShiftScheduler until a test kills it.
///
///     fault-shifts FOLDER files|database change|undo|redo
///
/// `change` makes those of 50 mixed changes that the log does not have yet, `undo` undoes them, and `redo` repeats
/// them. Each prints the number of changes in the log after each step, and `done` at the end.
@main
struct FaultShifts {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 4 else {
      FileHandle.standardError.write(
        Data("usage: fault-shifts FOLDER files|database change|undo|redo\n".utf8))
      exit(2)
    }
    let folder = URL(filePath: arguments[1], directoryHint: .isDirectory)
    let repository: any PersistenceRepository =
      arguments[2] == "files"
      ? JSONFilePersistenceRepository(directory: folder)
      : DatabaseRepository(
        database: try ShiftDatabase(
          path: folder.appending(path: "shifts.sqlite").path(percentEncoded: false)))
    let work = ShiftWork(repository: repository)
    while try await work.step(arguments[3]) { say("\(try await repository.loadChanges().count)") }
    say("done")
  }

  /// Prints a line with one call, so that the output contains it as a whole or not at all.
  private static func say(_ line: String) {
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
  }
}

/// The steps of the process.
private struct ShiftWork {
  let repository: any PersistenceRepository
  private static let count = 50

  /// Makes the next step.
  /// - Returns: `false` if there is none.
  func step(_ kind: String) async throws -> Bool {
    let changes = try await repository.loadChanges()
    let history = UndoHistory(changes)
    switch kind {
    case "change":
      guard changes.count < Self.count else { return false }
      try await change(changes.count)
    case "undo":
      guard let latest = history.undoable.last else { return false }
      try await repository.apply(latest.inverse.edits)
    default:
      guard let next = history.redoable.last else { return false }
      try await repository.apply(next.edits)
    }
    return true
  }

  private func id(_ number: Int) -> UUID {
    let digits = String(repeating: "0", count: 12 - "\(number)".count) + "\(number)"
    return UUID(uuidString: "00000000-0000-0000-0000-\(digits)") ?? UUID()
  }

  /// Makes one change, also of several files.
  private func change(_ number: Int) async throws {
    switch number % 5 {
    case 0: try await repository.saveLocation(Location(id: id(number), name: "Pier \(number)"))
    case 1:
      try await repository.saveShiftType(
        ShiftType(
          id: id(number), symbol: "N", duration: .allDay, title: "Night \(number)",
          locationID: id(number - 1)))
    case 2: try await repository.saveShift(shift(number))
    case 3:
      var shifts = try await repository.loadShifts()
      for index in shifts.indices { shifts[index].note = "Note \(number)" }
      try await repository.saveShifts(shifts + [shift(number)])
    default:
      let types = try await repository.loadShiftTypes()
      let location = try await repository.loadLocations().first { $0.id == id(number - 4) }
      try await repository.apply(location?.removal(from: types, .clear) ?? [])
    }
  }

  private func shift(_ number: Int) -> ScheduledShift {
    ScheduledShift(
      id: id(number), shiftTypeID: id(number / 5 * 5 + 1), date: .first + (740_000 + number))
  }
}

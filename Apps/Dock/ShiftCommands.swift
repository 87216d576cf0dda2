import Foundation
import OffshoreFiles
import OffshoreHost
import OffshorePresentation
import OffshoreSync
import ShiftScheduler

extension HostCommand {
  /// The command that measures the engines of ShiftScheduler.
  static let engines = HostCommand(
    "engines", "measure the storage engines of shiftscheduler on this device"
  ) { _, _, _ in
    let folder = FileManager.default.temporaryDirectory.appending(path: "engines-\(UUID())")
    let comparison = EngineComparison(ofShiftsIn: folder)
    print(row(["engine", "shifts", "load ms", "save ms", "month ms", "bytes"]))
    for count in EngineComparison.counts {
      for engine in StorageEngine.allCases {
        let measured = try await comparison.measure(engine, count: count)
        let times = [measured.load, measured.saveOne, measured.month].map(milliseconds)
        print(row([engine.rawValue, "\(count)"] + times + ["\(measured.bytes)"]))
      }
    }
  }

  /// The command that imports a store of SwiftData or Core Data into ShiftScheduler.
  static let importStore = HostCommand(
    "import", "import the store of a former app into shiftscheduler", operands: 1,
    operandName: "FILE"
  ) { options, program, _ in
    guard let path = options.operands.first else {
      throw HostError("Name the file of the store, such as default.store.")
    }
    let folder = try DataFolder(options.home, for: Set(program.apps.map(\.fileName)))
    let store = try SyncedStore(
      folder.path(of: "shiftscheduler.sqlite"), schema: ShiftSchema.current)
    do {
      let storage = ScheduleStorage(beside: store)
      let report = try await SwiftDataMigration(store: URL(filePath: path))
        .migrate(to: storage.repository())
      print("Locations: \(report.locations). Shift types: \(report.shiftTypes).")
      for row in report.skipped {
        print("Left out: \(row.table) \(row.key), \(row.reason.rawValue).")
      }
    } catch SwiftDataMigration.Failure.notAStore {
      await store.close()
      throw HostError("“\(path)” is not a store with locations and shift types.")
    } catch {
      await store.close()
      throw HostError(error.asAppError.localizedMessage.in(options.language))
    }
    await store.close()
  }

  /// Returns a line of a table.
  private static func row(_ cells: [String]) -> String {
    cells.map { $0.padding(toLength: 10, withPad: " ", startingAt: 0) }.joined()
  }

  private static func milliseconds(_ duration: Duration) -> String {
    String(format: "%.2f", duration / .milliseconds(1))
  }
}

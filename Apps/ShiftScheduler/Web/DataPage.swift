import OffshoreFiles
import OffshoreHTTP
import OffshorePages
import OffshorePresentation
import OffshoreWeb
import ShiftScheduler

/// The files of the app: a backup, its restoration, the import of another store, and damaged files.
struct DataPage: RoutedPage {
  private let app: ShiftApp
  private let damaged: DamagedFiles
  private let backup: BackupPart
  private let importing: UploadForm

  init(_ app: ShiftApp) {
    self.app = app
    damaged = DamagedFiles(of: app.engine == .database ? nil : app.storage.files.files)
    backup = BackupPart(app.backup)
    importing = UploadForm(
      "import", field: LocalizedText(en: "Files of the store", ru: "Файлы хранилища"),
      button: LocalizedText(en: "Import them", ru: "Импортировать"), allowsSeveral: true
    ) { try await app.importStore($0) }
  }

  func load() async { await damaged.load() }

  func page(_ tab: Tab) -> Page {
    let (say, address) = (app.say, ShiftRoute.data.address)
    return app.frame.page(tab, say(.data), in: "profile", back: app.frame.backToProfile) {
      tab.region("damaged") { damaged.html(to: address, say) }
      tab.region("backup") { backup.html(to: address, say) }
      h2 { say(en: "Import", ru: "Импорт") }
      p {
        say(
          en:
            "Adds the types and locations of a former app’s store, with what its “-wal” file has.",
          ru: "Добавляет виды и места из хранилища прежнего приложения и его файла «-wal».")
      }
      tab.region("importing") { importing.html(to: address, say) }
    }
  }

  func perform(_ form: PageForm) async throws -> Outcome {
    if let outcome = await damaged.perform(form) { return outcome }
    if let outcome = await backup.perform(form) { return outcome }
    if let outcome = await importing.perform(form) { return outcome }
    throw form.unknownAction
  }
}

extension ShiftApp {
  /// The backup of all records.
  var backup: DataBackup<ScheduleChange> {
    DataBackup(named: "shifts", today: today) { [self] in
      records.group
    } restored: { [self] in
      offerUndo($0, of: $1)
    }
  }

  /// Imports a store with the files beside it, which have its name and a suffix.
  fileprivate func importStore(_ files: [FormData.File]) async throws -> [LocalizedText] {
    try await UploadForm.withStore(files) { store in
      do {
        let report = try await SwiftDataMigration(store: store).migrate(to: records)
        return [.imported(report)] + report.skipped.map { .skipped($0) }
      } catch SwiftDataMigration.Failure.notAStore {
        throw UploadForm.Refusal(
          LocalizedText(
            en: "This is not a store with shift types and locations.",
            ru: "Это не хранилище с видами смен и местами."))
      }
    }
  }
}

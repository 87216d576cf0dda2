import Foundation
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
  private let restore: UploadForm
  private let importing: UploadForm

  init(_ app: ShiftApp) {
    self.app = app
    damaged = DamagedFiles(of: app.engine == .database ? nil : app.storage.files.files)
    restore = UploadForm(
      "restore", field: LocalizedText(en: "File of a backup", ru: "Файл копии"),
      button: LocalizedText(en: "Replace all by it", ru: "Заменить всё копией"),
      accepting: [".json"]
    ) { try await app.restore($0[0]) }
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
      h2 { say(en: "Backup", ru: "Резервная копия") }
      p {
        say(
          en: "One file with all shifts, types, locations and changes.",
          ru: "Один файл со всеми сменами, видами, местами и изменениями.")
      }
      p {
        a(.class("button", "plain"), .href(ShiftDownload.backup.address), .download()) {
          say(en: "Download a backup", ru: "Скачать копию")
        }
      }
      tab.region("restoring") { restore.html(to: address, say) }
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
    if let outcome = await restore.perform(form) { return outcome }
    if let outcome = await importing.perform(form) { return outcome }
    throw form.unknownAction
  }
}

extension ShiftApp {
  /// Returns the file of a download.
  func file(of download: ShiftDownload) async throws -> Response {
    let data = try await records.group.content().backup()
    return .download(
      .bytes(Array(data)), named: "shifts-\(today.day).json", type: "application/json")
  }

  fileprivate func restore(_ file: FormData.File) async throws -> [LocalizedText] {
    let content = try ScheduleContent(backup: Data(file.bytes))
    let sentence = LocalizedText(en: "The backup replaced everything.", ru: "Всё заменено копией.")
    offerUndo(sentence, of: try await records.group.restore(content))
    return [sentence, .shifts(content[ScheduledShift.self].count)]
  }

  /// Imports a store with the files beside it, which have its name and a suffix.
  fileprivate func importStore(_ files: [FormData.File]) async throws -> [LocalizedText] {
    let manager = FileManager.default
    let folder = manager.temporaryDirectory.appending(path: "import-\(UUID())")
    try manager.createDirectory(
      at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    defer { try? manager.removeItem(at: folder) }
    let store = folder.appending(path: "store")
    for file in files {
      let suffix = ["-wal", "-shm", "-journal"].first { file.fileName.hasSuffix($0) } ?? ""
      try Data(file.bytes).write(to: URL(filePath: store.path + suffix))
    }
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

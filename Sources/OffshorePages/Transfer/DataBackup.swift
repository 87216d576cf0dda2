public import Foundation
public import OffshoreFiles
public import OffshoreHTTP
public import OffshorePresentation
public import OffshoreWeb

/// The backup of an app's `CollectionGroup`: one file with all elements and changes.
///
/// ```swift
/// let backup = DataBackup(named: "trips", today: today) { trips.group }
/// router.addBackup(backup)           // the download
/// let part = BackupPart(backup)      // on a page: a link to it, and a form that restores a file
/// ```
@MainActor public struct DataBackup<Change: LoggedChange> {
  private let name: String
  private let today: Today
  private let group: () -> any CollectionGroup<Change>
  private let restored: (LocalizedText, Change?) async throws -> Void

  /// Creates a backup.
  /// - Parameters:
  ///   - name: the beginning of the file name, before the date.
  ///   - group: returns the elements and changes of the app.
  ///   - restored: is called after a file was restored, such as to offer to undo that: with a sentence, and the
  ///     logged change if there is one.
  public init(
    named name: String, today: Today, of group: @escaping () -> any CollectionGroup<Change>,
    restored: @escaping (_ sentence: LocalizedText, _ change: Change?) async throws -> Void = {
      _, _ in
    }
  ) {
    self.name = name
    self.today = today
    self.group = group
    self.restored = restored
  }

  fileprivate func response() async throws -> Response {
    let data = try await group().content().backup()
    return .download(
      .bytes(Array(data)), named: "\(name)-\(today.day).json", type: "application/json")
  }

  fileprivate func restore(_ file: FormData.File) async throws -> [LocalizedText] {
    let change = try await group().restore(GroupContent(backup: Data(file.bytes)))
    try await restored(.wasRestored, change)
    return [.wasRestored]
  }
}

/// A part of a page with a link to the download of a backup, and with a form that restores one.
@MainActor public final class BackupPart {
  private let restore: UploadForm

  /// Creates the part for a backup.
  public init(_ backup: DataBackup<some LoggedChange>) {
    restore = UploadForm("restore", field: .backupFile, button: .replaceAll, accepting: [".json"]) {
      try await backup.restore($0[0])
    }
  }

  /// Returns the part.
  /// - Parameter address: the page's own address.
  @HTMLBuilder public func html(to address: String, _ say: Localizer) -> HTML {
    h2 { say(.backup) }
    p { say(.backupExplained) }
    p {
      a(.class("button", "plain"), .href(BackupRoute.backup.address), .download()) {
        say(.downloadBackup)
      }
    }
    restore.html(to: address, say)
  }

  /// Performs the form of the part.
  /// - Returns: the outcome, or `nil` if the form is not that of the part.
  public func perform(_ form: PageForm) async -> Outcome? { await restore.perform(form) }
}

/// The download of a backup.
enum BackupRoute: PageRoute {
  case backup

  var path: RoutePath { "backup" }

  static let all = [RouteCase(Self.backup)]
}

extension Router {
  /// Adds the download of a backup.
  @MainActor public mutating func addBackup(_ backup: DataBackup<some LoggedChange>) {
    addDownloads(BackupRoute.self) { _, _ in try await backup.response() }
  }
}

extension UploadForm {
  /// Writes the received files of a SQLite store to a folder, which is removed after an operation.
  /// - Parameters:
  ///   - files: the store, and files beside it, whose names end with `-wal`, `-shm` or `-journal`.
  ///   - body: the operation, with the file of the store.
  public static func withStore<Result>(
    _ files: [FormData.File], _ body: (URL) async throws -> Result
  ) async throws -> Result {
    let manager = FileManager.default
    let folder = manager.temporaryDirectory.appending(path: "store-\(UUID())")
    try manager.createDirectory(
      at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    defer { try? manager.removeItem(at: folder) }
    let store = folder.appending(path: "store")
    for file in files {
      let suffix = ["-wal", "-shm", "-journal"].first { file.fileName.hasSuffix($0) } ?? ""
      try Data(file.bytes).write(to: URL(filePath: store.path + suffix))
    }
    return try await body(store)
  }
}

extension LocalizedText {
  fileprivate static let backup = LocalizedText(en: "Backup", ru: "Резервная копия")
  fileprivate static let backupExplained = LocalizedText(
    en: "One file with everything that you have entered, and all changes.",
    ru: "Один файл со всем, что вы ввели, и со всеми изменениями.")
  fileprivate static let downloadBackup = LocalizedText(
    en: "Download a backup", ru: "Скачать копию")
  fileprivate static let backupFile = LocalizedText(en: "File of a backup", ru: "Файл копии")
  fileprivate static let replaceAll = LocalizedText(
    en: "Replace all by it", ru: "Заменить всё копией")
  fileprivate static let wasRestored = LocalizedText(
    en: "The backup replaced everything.", ru: "Всё заменено копией.")
}

/// A failure of the storage on this device.
public enum DatabaseFailure: Error, Equatable, Sendable {
  /// Reading failed.
  case readFailed
  /// Writing failed, and nothing was changed.
  case writeFailed
  /// A value violates a constraint of its table, and nothing was changed; the detail names the
  /// column or the constraint, without values.
  case refused(detail: String)
  /// The data could not be migrated to the schema of this version.
  case migrationFailed
  /// The data was saved by a newer version of the app.
  case newerVersion
  /// The storage itself is damaged; the detail names the kind of damage, without values.
  case corrupted(detail: String)
  /// A file is damaged and was not overwritten. Its last good copy can be restored if there is one.
  case fileDamaged(name: String, hasCopy: Bool)
  /// One stored entry is damaged, and can be deleted. All other entries are intact.
  case unreadable(StoredPlace)
  /// The entry does not exist, or was deleted.
  case notFound
  /// The disk is full.
  case full
  /// The data is in use by another process.
  case busy
}

extension DatabaseFailure {
  /// The name of the case, for ``AppError/id``.
  var name: String {
    switch self {
    case .readFailed: "readFailed"
    case .writeFailed: "writeFailed"
    case .refused: "refused"
    case .migrationFailed: "migrationFailed"
    case .newerVersion: "newerVersion"
    case .corrupted: "corrupted"
    case .fileDamaged: "fileDamaged"
    case .unreadable: "unreadable"
    case .notFound: "notFound"
    case .full: "full"
    case .busy: "busy"
    }
  }

  /// A sentence for the user about the failure.
  var message: LocalizedText {
    switch self {
    case .readFailed:
      LocalizedText(en: "Your data could not be read.", ru: "Не удалось прочитать ваши данные.")
    case .writeFailed:
      LocalizedText(
        en: "Your change could not be saved.", ru: "Не удалось сохранить ваше изменение.")
    case .refused:
      LocalizedText(
        en: "Your change was not saved, because one of its values is not allowed.",
        ru: "Изменение не сохранено: одно из значений недопустимо.")
    case .migrationFailed:
      LocalizedText(
        en: "Your data could not be prepared for this version of the app.",
        ru: "Не удалось подготовить ваши данные для этой версии приложения.")
    case .newerVersion:
      LocalizedText(
        en: "Your data was saved by a newer version of the app.",
        ru: "Ваши данные сохранены более новой версией приложения.")
    case .corrupted:
      LocalizedText(en: "Some of your data is damaged.", ru: "Часть ваших данных повреждена.")
    case .fileDamaged(let name, _):
      LocalizedText(
        en: "The file “\(name)” is damaged. It was not overwritten.",
        ru: "Файл «\(name)» повреждён. Он не перезаписан.")
    case .unreadable:
      LocalizedText(en: "This entry cannot be read.", ru: "Эту запись не удаётся прочитать.")
    case .notFound:
      LocalizedText(
        en: "This does not exist on this device, or not any more.",
        ru: "Этого здесь нет или оно удалено.")
    case .full:
      LocalizedText(
        en: "The disk is full, so your change was not saved.",
        ru: "Диск заполнен, поэтому изменение не сохранено.")
    case .busy:
      LocalizedText(
        en: "Your data is in use by another program.", ru: "Ваши данные заняты другой программой.")
    }
  }

  /// A sentence for the user about a remedy.
  var suggestion: LocalizedText {
    switch self {
    case .readFailed, .writeFailed: .tryAgainHint
    case .refused:
      LocalizedText(
        en: "Correct it and try again.", ru: "Исправьте его и попробуйте ещё раз.")
    case .migrationFailed:
      LocalizedText(
        en: "Your data was left as it was. Update the app.",
        ru: "Данные остались как были. Обновите приложение.")
    case .newerVersion:
      LocalizedText(
        en: "Update the app to open it.", ru: "Обновите приложение, чтобы открыть их.")
    case .corrupted:
      LocalizedText(
        en: "Restore a backup to get it back.",
        ru: "Чтобы вернуть её, восстановите резервную копию.")
    case .fileDamaged(_, hasCopy: true):
      LocalizedText(
        en: "Restore its last good copy.", ru: "Восстановите его последнюю исправную копию.")
    case .fileDamaged(_, hasCopy: false):
      LocalizedText(
        en: "There is no good copy of it. Restore a backup, or go on without it.",
        ru: "Исправной копии нет. Восстановите резервную копию или продолжайте без него.")
    case .unreadable:
      LocalizedText(
        en: "It can be deleted. All other data is unaffected.",
        ru: "Её можно удалить. Остальные данные не затронуты.")
    case .notFound: .chooseAnotherHint
    case .full:
      LocalizedText(
        en: "Free some space and try again.", ru: "Освободите место и попробуйте ещё раз.")
    case .busy:
      LocalizedText(
        en: "Close the other program, or try again in a moment.",
        ru: "Закройте другую программу или попробуйте ещё раз чуть позже.")
    }
  }
}

/// The place of a stored value: a column of a row of a table.
///
/// It is for support, and is not localized: `charters.crew, 4C5E…`.
public struct StoredPlace: Hashable, Sendable {
  /// The table, if it is known.
  public let table: String?
  /// The column.
  public let column: String
  /// The key of the row.
  public let row: String

  /// Creates a place.
  public init(table: String? = nil, column: String, row: String) {
    self.table = table
    self.column = column
    self.row = row
  }
}

extension StoredPlace: CustomStringConvertible {
  public var description: String {
    [[table, column].compactMap(\.self).joined(separator: "."), row]
      .filter { !$0.isEmpty }.joined(separator: ", ")
  }
}

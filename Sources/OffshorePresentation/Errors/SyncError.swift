/// A failure of syncing.
public enum SyncError: Error, Equatable, Sendable {
  /// Two devices, or two screens of one device, changed the same value, and the user has to choose.
  case conflict
  /// The server refused a change. The reason is a message of the server, which is not localized.
  case rejected(reason: String)
  /// The server does not accept this version of the app any more.
  case tooOld
  /// Syncing is paused.
  case paused
  /// The server has the entry, or may have it, so that it cannot be taken back.
  case alreadySent
}

extension SyncError {
  /// The name of the case, for ``AppError/id``.
  var name: String {
    switch self {
    case .conflict: "conflict"
    case .rejected: "rejected"
    case .tooOld: "tooOld"
    case .paused: "paused"
    case .alreadySent: "alreadySent"
    }
  }

  /// A sentence for the user about the failure.
  var message: LocalizedText {
    switch self {
    case .conflict:
      LocalizedText(
        en: "This was changed elsewhere meanwhile.",
        ru: "Тем временем это изменили в другом месте.")
    case .rejected(let reason):
      LocalizedText(
        en: "The server did not accept a change: \(reason)",
        ru: "Сервер не принял изменение: \(reason)")
    case .tooOld:
      LocalizedText(
        en: "This version of the app is too old to sync.",
        ru: "Эта версия приложения слишком старая для синхронизации.")
    case .paused: LocalizedText(en: "Syncing is paused.", ru: "Синхронизация приостановлена.")
    case .alreadySent:
      LocalizedText(
        en: "This was sent already, or may have been.",
        ru: "Это уже отправлено или, возможно, отправлено.")
    }
  }

  /// A sentence for the user about a remedy.
  var suggestion: LocalizedText {
    switch self {
    case .conflict:
      LocalizedText(
        en: "Look at both versions and choose.", ru: "Посмотрите обе версии и выберите одну.")
    case .rejected:
      LocalizedText(
        en: "Change it and try again, or discard the change.",
        ru: "Исправьте и попробуйте ещё раз или отмените изменение.")
    case .tooOld:
      LocalizedText(
        en: "Update the app. Your changes are kept on this device.",
        ru: "Обновите приложение. Ваши изменения хранятся на этом устройстве.")
    case .paused:
      LocalizedText(en: "Resume it in the settings.", ru: "Возобновите её в настройках.")
    case .alreadySent:
      LocalizedText(
        en: "Change or delete it like anything else that was sent.",
        ru: "Измените или удалите это, как и всё отправленное.")
    }
  }
}

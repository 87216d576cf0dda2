import OffshorePresentation
import OffshoreSync

// The texts of the page of syncing, and of the bar of every page.

extension LocalizedText {
  static let sync = LocalizedText(en: "Sync", ru: "Синхронизация")
  static let syncStatus = LocalizedText(en: "Sync status", ru: "Состояние синхронизации")
  static let offline = LocalizedText(en: "Offline", ru: "Не в сети")
  static let airplaneMode = LocalizedText(en: "Airplane mode", ru: "Режим полёта")
  static let airplaneExplained = LocalizedText(
    en: "Switched on, this device sends and requests nothing. Your changes are kept.",
    ru: "Пока он включён, устройство ничего не отправляет и не запрашивает. Изменения сохраняются.")
  static let syncNow = LocalizedText(en: "Sync now", ru: "Синхронизировать")

  // MARK: - State

  static let syncFailed = LocalizedText(en: "Sync failed", ru: "Сбой синхронизации")
  static let signInAgain = LocalizedText(en: "Sign in again", ru: "Войдите снова")
  static let updateApp = LocalizedText(en: "Update the app", ru: "Обновите приложение")
  static let neverSynced = LocalizedText(en: "Not synced yet", ru: "Ещё не синхронизировалось")
  static let lastProblem = LocalizedText(en: "Last problem", ru: "Последняя ошибка")
  static let nothingWaits = LocalizedText(en: "No changes wait", ru: "Ничего не ждёт отправки")

  static func lastSynced(_ date: String) -> LocalizedText {
    LocalizedText(en: "Last synced \(date)", ru: "Последний раз \(date)")
  }

  static func nextTry(_ date: String) -> LocalizedText {
    LocalizedText(en: "Next try at \(date)", ru: "Следующая попытка в \(date)")
  }

  static func changesWait(_ count: Int) -> LocalizedText {
    guard count > 0 else { return nothingWaits }
    return .counted(
      count, en: .init(one: "# change waits", other: "# changes wait"),
      ru: .init(one: "# изменение ждёт", few: "# изменения ждут", many: "# изменений ждут"))
  }

  // MARK: - Pending changes

  static let unsent = LocalizedText(en: "Not sent yet", ru: "Ещё не отправлено")
  static let onItsWay = LocalizedText(en: "On its way", ru: "Отправляется")
  static let notCancelled = LocalizedText(
    en: "This change could not be cancelled.", ru: "Это изменение не удалось отменить.")
  static let notCancelledExplained = LocalizedText(
    en: "It is on its way by now, or a later change builds on it.",
    ru: "Оно уже отправляется, или на нём основано более позднее.")
  static let lookingForChanges = LocalizedText(
    en: "Looking for changes…", ru: "Ищем изменения…")
  static let cancelChangeTitle = LocalizedText(en: "Cancel", ru: "Отменить")

  static let tryNow = LocalizedText(en: "Try now", ru: "Повторить сейчас")
  static func attempts(_ count: Int) -> LocalizedText {
    .counted(
      count, en: .init(one: "Refused once", other: "Refused # times"),
      ru: .init(one: "Отказано # раз", few: "Отказано # раза", many: "Отказано # раз"))
  }

  static let cancelAddition = LocalizedText(en: "Cancel…", ru: "Отменить…")
  static let additionExplained = LocalizedText(
    en: "It was made on this device and is nowhere else, so it is deleted for good.",
    ru: "Это создано на этом устройстве, и больше этого нигде нет, поэтому оно удалится навсегда.")

  static func cancelChange(_ name: String) -> LocalizedText {
    LocalizedText(en: "Cancel the change of \(name)", ru: "Отменить изменение: \(name)")
  }

  static func deleteAddition(_ name: String) -> LocalizedText {
    LocalizedText(en: "Delete \(name)", ru: "Удалить: \(name)")
  }

  static func moreChanges(_ count: Int) -> LocalizedText {
    .counted(
      count, en: .init(one: "# more", other: "# more"),
      ru: .init(one: "Ещё #", few: "Ещё #", many: "Ещё #"))
  }

  static func companions(_ count: Int) -> LocalizedText {
    .counted(
      count, en: .init(one: "with # more thing in it", other: "with # more things in it"),
      ru: .init(
        one: "вместе с # записью в нём", few: "вместе с # записями в нём",
        many: "вместе с # записями в нём"))
  }

  // MARK: - Refused changes

  static let refusedTitle = LocalizedText(en: "Not accepted", ru: "Не принято")
  static let refusedExplained = LocalizedText(
    en: "These changes are kept aside until you decide.",
    ru: "Эти изменения отложены, пока вы не решите, что с ними делать.")
  /// Returns a sentence about the changes that a restored server has lost.
  static func lostByRestore(_ count: Int) -> LocalizedText {
    .counted(
      count,
      en: .init(
        one: "The server was restored from an older copy. # change that it lacks is kept here.",
        other: "The server was restored from an older copy. # changes that it lacks are kept here."),
      ru: .init(
        one:
          "Сервер восстановили из старой копии. Здесь сохранено # изменение, которого в ней нет.",
        few: "Сервер восстановили из старой копии. Здесь сохранены # изменения, которых в ней нет.",
        many: "Сервер восстановили из старой копии. Здесь сохранено # изменений, которых в ней нет."
      ))
  }

  static let textCopied = LocalizedText(en: "Copied ✓", ru: "Скопировано ✓")
  static let copyText = LocalizedText(en: "Copy the text", ru: "Скопировать текст")

  /// Returns a sentence about the deletion of a scope with refused changes, or about the end of
  /// access to it.
  /// - Parameter place: the place of another device in a sentence.
  static func ended(_ end: RefusedChange.End, _ place: LocalizedText) -> LocalizedText {
    switch (end.kind, end.title) {
    case (.deletedElsewhere, let title?):
      LocalizedText(en: "“\(title)” was deleted \(place).", ru: "«\(title)» удалили \(place).")
    case (.deletedElsewhere, nil):
      LocalizedText(en: "The thing was deleted \(place).", ru: "Это удалили \(place).")
    case (.deletedHere, let title?):
      LocalizedText(
        en: "“\(title)” was deleted on this device.", ru: "«\(title)» удалили на этом устройстве.")
    case (.deletedHere, nil):
      LocalizedText(
        en: "The thing was deleted on this device.", ru: "Это удалили на этом устройстве.")
    case (.revoked, let title?):
      LocalizedText(
        en: "You no longer have access to “\(title)”.", ru: "У вас больше нет доступа к «\(title)»."
      )
    case (.revoked, nil):
      LocalizedText(
        en: "You no longer have access to the thing.", ru: "У вас больше нет доступа к этому.")
    }
  }

  static let bringItBack = LocalizedText(en: "Bring it back", ru: "Вернуть")
  static func bringBack(_ title: String) -> LocalizedText {
    LocalizedText(en: "Bring “\(title)” back", ru: "Вернуть «\(title)»")
  }

  static let discard = LocalizedText(en: "Discard…", ru: "Отбросить…")
  static let discardNow = LocalizedText(en: "Discard", ru: "Отбросить")
  static let discardExplained = LocalizedText(
    en: "The change is forgotten for good.", ru: "Изменение будет забыто навсегда.")
  static let notRetried = LocalizedText(
    en: "This change cannot be made any more.", ru: "Это изменение больше нельзя внести.")
  static let notRetriedExplained = LocalizedText(
    en: "The item this change belongs to was deleted. Discard the change.",
    ru: "Того, что оно меняло, больше нет. Отбросьте его.")

  static func retryChange(_ name: String) -> LocalizedText {
    LocalizedText(en: "Try again: \(name)", ru: "Повторить: \(name)")
  }

  static func discardChange(_ name: String) -> LocalizedText {
    LocalizedText(en: "Discard: \(name)", ru: "Отбросить: \(name)")
  }
}

// MARK: - Connections

extension SyncService.Connection {
  /// The connection in words.
  var text: LocalizedText {
    switch self {
    case .noServer: .noServer
    case .signedOut: LocalizedText(en: "Signed out", ru: "Вы не вошли")
    case .airplane: LocalizedText(en: "Syncing is off", ru: "Синхронизация выключена")
    case .offline: .offline
    case .failed: .syncFailed
    case .expired: .signInAgain
    case .tooOld: .updateApp
    case .online: LocalizedText(en: "Online", ru: "В сети")
    }
  }
}

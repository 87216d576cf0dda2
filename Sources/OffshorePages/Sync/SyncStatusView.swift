package import OffshorePresentation
package import OffshoreWeb

/// The state of syncing, in the bar of every page.
struct SyncStatusView: Component {
  private let indicator: SyncIndicator
  private let say: Localizer

  init(_ indicator: SyncIndicator, _ say: Localizer) {
    self.indicator = indicator
    self.say = say
  }

  var html: HTML {
    let text = say(indicator.shortText)
    return StatusLabel(
      text, tone: indicator.tone,
      link: PageLink("\(say(.syncStatus)): \(say(indicator.text))", to: indicator.address),
      id: "status-" + text.replacing(" ", with: "-")
    ).html
  }
}

extension SyncIndicator {
  /// The tone of the state, shown by the dot beside it.
  package var tone: StatusLabel.Tone {
    switch self {
    case .synced: .good
    case .syncing, .connecting: .busy
    case .pending, .waitingForGrant, .offline, .airplane: .offline
    case .failed, .refused, .signInAgain, .updateApp: .bad
    case .notSynced: .neutral
    }
  }

  /// The address of the page with details of the state.
  fileprivate var address: String {
    switch self {
    case .notSynced, .signInAgain: SystemRoute.account.address
    default: SystemRoute.sync.address
    }
  }

  /// A short form of the state, which is part of ``text`` and fits into the bar.
  var shortText: LocalizedText {
    switch self {
    case .pending(let count), .waitingForGrant(let count), .offline(let count),
      .failed(let count), .airplane(let count):
      count > 0 ? .changesWait(count) : text
    default: text
    }
  }

  /// The state in words.
  package var text: LocalizedText {
    switch self {
    case .notSynced: LocalizedText(en: "Not synced", ru: "Без синхронизации")
    case .synced: LocalizedText(en: "Synced", ru: "Синхронизировано")
    case .syncing: LocalizedText(en: "Syncing", ru: "Синхронизация")
    case .connecting: LocalizedText(en: "Connecting", ru: "Подключение")
    case .pending(let count): .changesWait(count)
    case .waitingForGrant(let count): .waitingForGrant.with(count)
    case .refused(let count): .refused(count)
    case .offline(let count): .offline.with(count)
    case .failed(let count): .syncFailed.with(count)
    case .airplane(let count): .airplaneMode.with(count)
    case .signInAgain: .signInAgain
    case .updateApp: .updateApp
    }
  }
}

extension LocalizedText {
  fileprivate static let waitingForGrant = LocalizedText(
    en: "Waiting for access", ru: "Нет доступа, ожидание")

  fileprivate static func refused(_ count: Int) -> LocalizedText {
    .counted(
      count, en: .init(one: "# refused", other: "# refused"),
      ru: .init(one: "Отклонено: #", few: "Отклонено: #", many: "Отклонено: #"))
  }

  /// Returns the text with the number of pending changes, if there are any.
  fileprivate func with(_ count: Int) -> LocalizedText {
    guard count > 0 else { return self }
    return LocalizedText { "\(self.in($0)), \(LocalizedText.changesWait(count).in($0))" }
  }
}

import Anyfleet
import OffshorePages
import OffshorePresentation

// The texts of the pages on which charters are shared, and of their histories.

extension SharedKind {
  /// A charter, shared by its crew.
  static let charter = SharedKind(CharterModel.scopeKind, in: .charters, texts: .ofCharters) {
    CharterRoute.detail($0).address
  }
}

extension MembersTexts {
  fileprivate static let ofCharters: MembersTexts = {
    var texts = MembersTexts()
    texts.owner = LocalizedText(
      en: "You own this charter: you may change it and invite others.",
      ru: "Вы владелец: можете менять чартер и приглашать других.")
    texts.editor = LocalizedText(
      en: "You may look at this charter and change it.",
      ru: "Вы можете смотреть этот чартер и менять его.")
    texts.viewer = .onlyLook
    texts.left = LocalizedText(
      en: "You left this charter. This copy stays as it was and is not synced any more.",
      ru: "Вы вышли из этого чартера. Эта копия остаётся как была и больше не обновляется.")
    texts.revoked = LocalizedText(
      en: "You do not take part in this charter any more.",
      ru: "Вы больше не участвуете в этом чартере.")
    texts.unshared = LocalizedText(
      en: "On this device alone. Invite others to sail with you.",
      ru: "Только на этом устройстве. Пригласите других.")
    texts.signInToShare = LocalizedText(
      en:
        "With an account you can invite others to this charter, and tick its checklists together.",
      ru: "С учётной записью можно пригласить других и отмечать чек-листы вместе.")
    texts.noServer = LocalizedText(
      en: "This app was started without a server, so charters cannot be shared.",
      ru: "Приложение запущено без сервера, поэтому делиться чартерами нельзя.")
    texts.unsent = LocalizedText(
      en: "The server does not have this charter yet. Once it does, you can invite others.",
      ru: "На сервере этого чартера ещё нет. Когда появится, можно будет приглашать других.")
    texts.removal = LocalizedText(
      en: "The charter leaves their devices. Their ticks stay.",
      ru: "Чартер исчезнет с их устройств. Их отметки останутся.")
    texts.leaving = LocalizedText(en: "Leave this charter", ru: "Выйти из этого чартера")
    texts.joinHint = LocalizedText(
      en: "The code that an owner of the charter gave you.",
      ru: "Код, который вам дал владелец чартера.")
    texts.signInToJoin = LocalizedText(
      en: "You need an account to take part in the charter of another person.",
      ru: "Чтобы участвовать в чужом чартере, нужна учётная запись.")
    texts.late = LocalizedText(
      en: "You take part now. The charter is still on its way and shows here when it has come.",
      ru: "Вы участвуете. Чартер ещё в пути и появится здесь, когда придёт.")
    texts.arrived = LocalizedText(en: "The charter is here.", ru: "Чартер уже здесь.")
    return texts
  }()
}

extension HistoryTexts {
  private static let ofPhones: HistoryTexts = {
    var texts = HistoryTexts()
    texts.elsewhere = LocalizedText(en: "Another phone", ru: "Другой телефон")
    return texts
  }()

  static let ofCharters: HistoryTexts = {
    var texts = ofPhones
    texts.explanation = LocalizedText(
      en: """
        If two phones change the same field at the same time, the later change stays, and a removal in any \
        case. No version is lost: choose the one to keep.
        """,
      ru: """
        Если два телефона одновременно меняют одно и то же поле, остаётся более позднее изменение, а \
        убранное остаётся убранным. Ни один вариант не потерян: выберите, какой оставить.
        """)
    texts.deleted = LocalizedText(en: "removed", ru: "убрано")
    texts.ended = LocalizedText(
      en: "A removal stays.", ru: "Убранное остаётся убранным.")
    texts.empty = LocalizedText(
      en: "No two phones have changed this charter at the same time.",
      ru: "Два телефона ни разу не меняли этот чартер одновременно.")
    return texts
  }()

  static let ofItems: HistoryTexts = {
    var texts = ofPhones
    texts.explanation = LocalizedText(
      en: """
        If two phones change the same item at the same time, the later change stays, and a reset in any \
        case. No version is lost: choose the one to keep.
        """,
      ru: """
        Если два телефона одновременно меняют один и тот же пункт, остаётся более позднее изменение, а сброс \
        остаётся в силе. Ни один вариант не потерян: выберите, какой оставить.
        """)
    texts.empty = LocalizedText(
      en: "No two phones have changed this item at the same time.",
      ru: "Два телефона ни разу не меняли этот пункт одновременно.")
    texts.deleted = LocalizedText(en: "reset", ru: "сброшено")
    texts.ended = LocalizedText(
      en: "A reset stays.", ru: "Сброс остаётся в силе.")
    return texts
  }()
}

extension LocalizedText {
  static let sharedWith = LocalizedText(en: "Shared with", ru: "Общий доступ")
  static let onlyLook = LocalizedText(
    en: "You may look at this charter, not change it.",
    ru: "Этот чартер вы можете смотреть, но не менять.")
  static let removeTheCopy = LocalizedText(en: "Remove the copy", ru: "Удалить копию")
  static let copyRemovalExplained = LocalizedText(
    en: "It is removed from this device. The members keep the charter.",
    ru: "Она исчезнет с этого устройства. У участников чартер останется.")

  static func removeCopy(of name: String) -> LocalizedText {
    LocalizedText(en: "Remove the copy of \(name)", ru: "Удалить копию: \(name)")
  }

  static let charterIsOnItsWay = LocalizedText(
    en: "The server has this charter. It is on its way and shows here when it has come.",
    ru: "Этот чартер есть на сервере. Он ещё в пути и появится здесь, когда придёт.")
}

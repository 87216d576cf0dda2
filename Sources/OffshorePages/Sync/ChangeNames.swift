public import OffshorePresentation
public import OffshoreSync
import OffshoreWire

/// The names of changed rows on the page of syncing.
struct ChangeNames {
  /// The names of kinds of rows, by table.
  let kinds: [String: LocalizedText]
  /// The place of another device in a sentence.
  let elsewhere: LocalizedText
  let say: Localizer

  /// Returns the title of a row, or the name of its kind without one.
  func name(of row: RowName) -> LocalizedText {
    if row.table == RowName.members, row.title == nil { return .someone }
    return row.title.map { LocalizedText(verbatim: $0) } ?? kinds[row.table] ?? .somethingElse
  }

  /// Returns the kind of row, the action and the date of a pending change.
  func line(of change: PendingChange) -> String {
    let parts =
      place(of: change.row)
      + [
        say(change.member?.text ?? Self.visibleAction(of: change).text),
        change.partCount > 0 ? say(.companions(change.partCount)) : nil,
        change.date.map { say.dayAndTime($0) },
      ].compactMap(\.self)
    return parts.joined(separator: " · ")
  }

  /// Returns the kind of row and the date of a refused change.
  func line(of change: RefusedChange) -> String {
    let parts =
      place(of: change.row)
      + [change.member.map { say($0.text) }, say.dayAndTime(change.date)].compactMap(\.self)
    return parts.joined(separator: " · ")
  }

  /// Returns whether the row was created on this device and exists on no other.
  static func isNew(_ change: PendingChange) -> Bool {
    change.action == .added && change.level == .whole
  }

  /// Returns the action from the user's point of view: the first tick inserts a row, but does not
  /// add anything visible.
  private static func visibleAction(of change: PendingChange) -> PendingChange.Action {
    change.action == .added && change.level == .detail ? .changed : change.action
  }

  /// Returns the kind of row and the title of its parent, unless the name contains them.
  private func place(of row: RowName) -> [String] {
    [row.title == nil ? nil : kinds[row.table].map { say($0) }, row.whole].compactMap(\.self)
  }
}

extension LocalizedText {
  fileprivate static let somethingElse = LocalizedText(en: "Something else", ru: "Что-то ещё")
  fileprivate static let someone = LocalizedText(en: "Someone", ru: "Кто-то")
}

extension MemberChange {
  /// The effect on the member.
  fileprivate var text: LocalizedText {
    switch role {
    case .owner: LocalizedText(en: "becomes an owner", ru: "станет владельцем")
    case .editor: LocalizedText(en: "becomes an editor", ru: "станет редактором")
    case .viewer: LocalizedText(en: "becomes a viewer", ru: "станет наблюдателем")
    case .revoked, .left:
      isOwn
        ? LocalizedText(en: "you leave", ru: "вы выходите")
        : LocalizedText(en: "removed", ru: "больше не участвует")
    }
  }
}

extension PendingChange.Action {
  /// The action in a word.
  var text: LocalizedText {
    switch self {
    case .added: LocalizedText(en: "added", ru: "добавлено")
    case .changed: LocalizedText(en: "changed", ru: "изменено")
    case .removed: LocalizedText(en: "deleted", ru: "удалено")
    case .sendsFile: LocalizedText(en: "file not sent yet", ru: "файл ещё не отправлен")
    }
  }
}

extension AppFrame {
  /// Returns the reason of a refusal in a sentence.
  public func text(of reason: RefusedChange.Reason) -> LocalizedText {
    reason.text(facts.elsewhere)
  }
}

extension RefusedChange.Reason {
  /// The reason in a sentence.
  /// - Parameter elsewhere: the place of another device in a sentence.
  func text(_ elsewhere: LocalizedText) -> LocalizedText {
    switch self {
    case .gone:
      LocalizedText(en: "It was deleted \(elsewhere).", ru: "Это удалили \(elsewhere).")
    case .missingReference:
      LocalizedText(
        en: "The item it belongs to was deleted \(elsewhere).",
        ru: "То, к чему это относится, удалили \(elsewhere).")
    case .forbidden:
      LocalizedText(en: "You may not change this.", ru: "Вам нельзя это менять.")
    case .tooLarge:
      LocalizedText(en: "It is too large to be sent.", ru: "Это слишком большое для отправки.")
    case .dependency:
      LocalizedText(
        en: "It builds on a change that was not accepted.",
        ru: "Это основано на изменении, которое не приняли.")
    case .collision:
      LocalizedText(
        en: "The changes of others leave no room for it.",
        ru: "То, что изменили другие, не оставляет ему места.")
    case .lostByRestore:
      LocalizedText(
        en: "The server was restored from an older copy, which lacks it.",
        ru: "Сервер восстановили из старой копии, в которой этого нет.")
    case .lastOwner:
      LocalizedText(
        en: "It would be left without an owner. Make another member the owner first.",
        ru: "Не осталось бы владельца. Сначала сделайте владельцем другого участника.")
    case .scopeFull:
      LocalizedText(
        en: "There is no room for another member. Remove one first.",
        ru: "Больше участников быть не может. Сначала удалите кого-нибудь.")
    case .accountFull:
      LocalizedText(
        en: "One account cannot take part in more of these. Leave one first.",
        ru:
          "Одна учётная запись не может участвовать в большем их числе. Сначала выйдите из одного.")
    case .limitReached:
      LocalizedText(
        en: "You own as much as one account may. Delete things that you do not need.",
        ru: "У вас столько, сколько разрешено одной записи. Удалите то, что не нужно.")
    case .other(let message):
      LocalizedText(
        en: "The server did not accept it: \(message)", ru: "Сервер не принял это: \(message)")
    }
  }
}

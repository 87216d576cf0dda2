import Anyfleet
import Foundation
import OffshoreHTTP
import OffshorePages
import OffshorePresentation
import OffshoreWeb
import OffshoreWire

/// The page of a charter with the progress of its checklists.
struct CharterDetailPage: RoutedPage {
  let frame: AppFrame
  let viewModel: CharterDetailViewModel
  /// The list of charters beside the page.
  let others: CharterListViewModel

  private var say: Localizer { frame.say }
  private var address: String { CharterRoute.detail(viewModel.charterID).address }

  func load() async throws {
    async let others: Void = others.load()
    async let conflicts: Void = frame.loadConflicts()
    await viewModel.load()
    _ = await (others, conflicts)
    if viewModel.charter.errorValue == .database(.notFound) {
      throw AppError.database(.notFound)
    }
  }

  func page(_ tab: Tab) -> Page {
    frame.page(
      tab, viewModel.charter.data?.name ?? say(.charter), in: .charters,
      subtitle: viewModel.charter.data.map(subtitle),
      back: PageLink(say(.charters), to: AppRoute.charterDetail(viewModel.charterID).backAddress)
    ) {
      tab.region("charter-notices") { notices }
      tab.region("checklists") {
        if let error = viewModel.charter.errorValue {
          ErrorView(error, say, address: address)
        } else {
          continuation
          h2 { say(.checklists) }
          checklists
        }
      }
      tab.region("arranging") {
        if viewModel.charter.errorValue == nil, viewModel.canEdit {
          ArrangementView(viewModel: viewModel, say: say).html
        }
      }
      tab.region("sharing") {
        if viewModel.charter.data != nil { sharing }
      }
      tab.region("facts") {
        if let charter = viewModel.charter.data { facts(charter) }
      }
      tab.region("ending") {
        if viewModel.canDelete, case .database(.unreadable) = viewModel.charter.errorValue {
          DeletionSection(label: .deleteCharter(say(.charter)), to: address, say)
        } else if viewModel.role == .left, let charter = viewModel.charter.data {
          DeletionSection(
            .removeTheCopy, text: .copyRemovalExplained, button: .remove,
            label: .removeCopy(of: charter.name), action: "remove-copy", to: address, say)
        }
      }
    } actions: {
      tab.region("actions") {
        if let charter = viewModel.charter.data { actions(charter) }
      }
    } beside: {
      tab.region("others") {
        CharterAside(others, current: viewModel.charterID, frame)
      }
    }
  }

  /// Returns the address of the list if the form deletes the charter and it was deleted already.
  func addressIfMissing(for form: PageForm) -> String? {
    removes(form) ? CharterRoute.list.address : nil
  }

  private func removes(_ form: PageForm) -> Bool {
    ["delete", "remove-copy"].contains(form.action)
  }

  func perform(_ form: PageForm) async throws -> Outcome {
    if removes(form) { return await remove(form) }
    let isDone =
      switch form.action {
      case "active": await viewModel.setActive(try form.value("isOn"))
      case "archived": await viewModel.setArchived(try form.value("isOn"))
      case "assign": await viewModel.assign(ChecklistChoice.chosen(form.fields))
      case "unassign": await viewModel.unassign(try form.value("checklist"))
      case "move": await viewModel.move(try form.value("checklist"), to: try form.value("place"))
      case "check-in":
        await viewModel.setCheckIn(
          try form.value("isOn"), checklistID: try form.value("checklist"))
      case "reset": await reset(try form.value("checklist"))
      // The charter has arrived meanwhile.
      case "refresh": true
      default: throw form.unknownAction
      }
    return isDone ? .done : .invalid
  }

  private func remove(_ form: PageForm) async -> Outcome {
    if form.action == "delete" {
      let name = viewModel.charter.data?.name
      if let restore = await viewModel.delete() {
        frame.offerUndo(.charterDeleted(name), leadingTo: address, restore: restore)
      }
    } else {
      await viewModel.removeCopy()
    }
    return viewModel.actionError == nil ? .go(to: CharterRoute.list.address) : .invalid
  }

  private func reset(_ id: UUID) async -> Bool {
    let title = viewModel.checklists.data?.first { $0.id == id }?.title
    if let restore = await viewModel.resetChecklist(id) {
      frame.offerUndo(.checklistReset(title ?? say(.checklist)), restore: restore)
    }
    return viewModel.actionError == nil
  }

  private func subtitle(_ charter: CharterModel) -> String {
    let parts = [charter.boatName, charter.location, charter.region].compactMap(\.self)
    return
      (parts + [say.days(of: charter), say(.guests(charter.guests))])
      .joined(separator: ", ")
  }

  @HTMLBuilder private var notices: HTML {
    if let error = viewModel.actionError { ErrorView(error, say) }
    // Without the charter there is no content that could be incomplete, so notices are omitted.
    if viewModel.charter.errorValue == nil { Notices(viewModel.notices, say, address: address) }
    if let charter = viewModel.charter.data, let phase = viewModel.phase {
      p(.id("state")) { CharterBadge(charter, phase: phase, say) }
    }
    ReadOnlyNotice(viewModel.role, frame, .charter)
  }

  // MARK: - Checklists

  private var checklists: StateContent<[ChecklistProgress]> {
    StateContent(
      viewModel.checklists, say, loading: .lookingForChecklists, address: address, empty: empty
    ) { checklists in
      if !checklists.isEmpty {
        Card(label: say(.checklists), id: "checklist-list") {
          for checklist in checklists {
            checklist.row(inCharter: viewModel.charterID, frame) {
              if viewModel.checkInChecklistID == checklist.id { Badge(say(.checkIn)) }
            }
          }
        }
      }
    }
  }

  private var empty: EmptyView {
    EmptyView(
      icon: Icon("list-check", text: "✓"), title: say(.noChecklists),
      text: say(viewModel.canEdit ? .addFromLibrary : .noneAdded))
  }

  /// The button for the next checklist to continue or to begin.
  @HTMLBuilder private var continuation: HTML {
    let checklists = viewModel.checklists.data ?? []
    let next =
      checklists.first { $0.status == .begun } ?? checklists.first { $0.status == .notBegun }
    if viewModel.canEdit, let next {
      p(.class("actions")) {
        a(
          .id("continue"), .class("button", "primary"),
          .href(RunRoute.run(charter: viewModel.charterID, checklist: next.id).address)
        ) { say(next.status == .begun ? .continueTitled(next.title) : .begin(next.title)) }
      }
    }
  }

  // MARK: - The charter

  @HTMLBuilder private var sharing: HTML {
    h2 { say(.sharedWith) }
    Card(id: "sharing-list") {
      MembersLink(frame, .charter, of: viewModel.charterID)
      HistoryLink(
        frame, count: viewModel.historyCount,
        to: SharedKind.charter.historyAddress(of: viewModel.charterID), id: "charter-history")
    }
  }

  @HTMLBuilder private func facts(_ charter: CharterModel) -> HTML {
    if !charter.crew.isEmpty || charter.budget != nil {
      h2 { say(.charterFacts) }
      Card(id: "facts-list") {
        for member in charter.crew {
          div(.class("row")) {
            span(.class("label")) { member.name }
            Badge(say(member.role.title), tone: .none)
          }
        }
        if let budget = charter.budget {
          div(.class("row")) {
            span(.class("label")) { say(.budget) }
            span { say.currency(budget.amount, budget.currencyCode) }
          }
          for line in budget.lines {
            div(.class("row")) {
              span(.class("label")) { line.title }
              span { say.currency(line.amount, budget.currencyCode) }
            }
          }
        }
      }
    }
  }

  @HTMLBuilder private func actions(_ charter: CharterModel) -> HTML {
    if viewModel.canEdit {
      BarLink.edit(say(.edit(charter.name)), to: CharterRoute.edit(charter.id).address)
    }
    Popover.menu(say(.moreActions), id: "menu") {
      Card {
        LinkRow(say(.printReport), to: CharterRoute.report(charter.id).address, id: "menu-report")
        // The active charter is each user's own choice, but an archived charter cannot be chosen.
        if viewModel.canEdit || !charter.isArchived {
          choice(charter.isActive ? .makeInactive : .makeActive, !charter.isActive, "active")
        }
        if viewModel.canEdit {
          choice(charter.isArchived ? .unarchive : .archive, !charter.isArchived, "archived")
        }
        if viewModel.role.map({ [.editor, .viewer].contains($0) }) ?? false {
          LinkRow(
            say(SharedKind.charter.texts.leaving),
            to: SharedKind.charter.membersAddress(of: charter.id),
            id: "menu-leave")
        }
      }
      if viewModel.canDelete {
        DeletionSection(
          .deleteThisCharter,
          text: viewModel.role == nil ? .deletionExplained : .deletionForAllExplained,
          label: .deleteCharter(charter.name), to: address, say)
      }
    }
  }

  /// Returns a button that posts the requested state, so that submitting it twice has the same
  /// effect as submitting it once.
  private func choice(_ title: LocalizedText, _ isOn: Bool, _ action: String) -> ButtonRow {
    ButtonRow(say(title), action: action, to: address) { HiddenValue("isOn", "\(isOn)") }
  }
}

extension LocalizedText {
  static let lookingForChecklists = LocalizedText(
    en: "Looking for checklists…", ru: "Ищем чек-листы…")
  static let noChecklists = LocalizedText(en: "No checklists", ru: "Чек-листов нет")
  static let addFromLibrary = LocalizedText(
    en: "Add some from your library.", ru: "Добавьте их из библиотеки.")
  static func continueTitled(_ title: String) -> LocalizedText {
    LocalizedText(en: "Continue “\(title)”", ru: "Продолжить «\(title)»")
  }
  static func begin(_ title: String) -> LocalizedText {
    LocalizedText(en: "Begin “\(title)”", ru: "Начать «\(title)»")
  }
  static let noneAdded = LocalizedText(
    en: "No checklists yet.", ru: "Чек-листов пока нет.")
  static let addChecklists = LocalizedText(en: "Add checklists", ru: "Добавить чек-листы")
  static let addChosen = LocalizedText(en: "Add", ru: "Добавить")
  static let arrangeChecklists = LocalizedText(
    en: "Arrange and reset checklists", ru: "Порядок и сброс чек-листов")
  static let useAtCheckIn = LocalizedText(en: "Use at check-in", ru: "Для приёмки")
  static let notAtCheckIn = LocalizedText(en: "Not at check-in", ru: "Не для приёмки")
  static let removalKeepsProgress = LocalizedText(
    en: "A checklist that is removed keeps its ticks, should you add it again.",
    ru: "Если убрать чек-лист, отметки сохранятся на случай, если вы добавите его снова.")
  static func unassigned(_ title: String) -> LocalizedText {
    LocalizedText(
      en: "“\(title)” was removed from this charter.",
      ru: "Чек-лист «\(title)» убран из этого чартера.")
  }
  static let progressUnreadable = LocalizedText(
    en: "Progress cannot be read", ru: "Отметки не удаётся прочитать")
  static let unreadable = LocalizedText(en: "Unreadable", ru: "Не читается")

  /// Returns a number out of a total, without a noun.
  static func ratio(_ count: Int, of total: Int) -> LocalizedText {
    LocalizedText(en: "\(count) of \(total)", ru: "\(count) из \(total)")
  }

  /// Returns a button's label with the title of its subject.
  static func of(_ action: LocalizedText, _ title: String) -> LocalizedText {
    LocalizedText { "\(action.in($0)): \(title)" }
  }

  static func checklistReset(_ title: String) -> LocalizedText {
    LocalizedText(
      en: "The progress of “\(title)” was reset.", ru: "Отметки чек-листа «\(title)» сброшены.")
  }

  // MARK: The charter

  static let charterFacts = LocalizedText(en: "On board", ru: "На борту")
  static let printReport = LocalizedText(en: "Check-in report", ru: "Отчёт о приёмке")
  static let makeActive = LocalizedText(en: "Make active", ru: "Сделать активным")
  static let makeInactive = LocalizedText(en: "Make inactive", ru: "Сделать неактивным")
  static let archive = LocalizedText(en: "Archive", ru: "В архив")
  static let unarchive = LocalizedText(en: "Take out of archive", ru: "Вернуть из архива")
  static let deleteThisCharter = LocalizedText(
    en: "Delete this charter", ru: "Удалить этот чартер")
  static let deletionExplained = LocalizedText(
    en: "The progress of its checklists is deleted with it. You can undo this right after.",
    ru: "Отметки его чек-листов удалятся вместе с ним. Сразу после этого удаление можно отменить.")
  static let deletionForAllExplained = LocalizedText(
    en:
      "It is deleted for all members, with the progress of its checklists. You can undo this "
      + "right after.",
    ru:
      "Он удалится у всех, у кого есть доступ, вместе с отметками его чек-листов. Сразу после этого "
      + "удаление можно отменить.")
  static func deleteCharter(_ name: String) -> LocalizedText {
    LocalizedText(en: "Delete \(name)", ru: "Удалить: \(name)")
  }

  // MARK: Report

  static let loadingReport = LocalizedText(en: "Making the report…", ru: "Готовим отчёт…")
  static let printHint = LocalizedText(
    en: "Print this page by your browser; it is laid out for paper.",
    ru: "Распечатайте эту страницу браузером: она свёрстана для бумаги.")
  static let item = LocalizedText(en: "Item", ru: "Пункт")
  static let checkedAt = LocalizedText(en: "Checked", ru: "Отмечено")
  static let state = LocalizedText(en: "Done", ru: "Готово")
  static let isChecked = LocalizedText(en: "checked", ru: "отмечено")
  static let isOpen = LocalizedText(en: "open", ru: "не отмечено")
  static let signature = LocalizedText(en: "Signature", ru: "Подпись")

  static func reportMade(_ date: String) -> LocalizedText {
    LocalizedText(en: "As of \(date)", ru: "По состоянию на \(date)")
  }
}

import OffshoreHTTP
import OffshorePresentation
import OffshoreSync
import OffshoreWeb
import Synchronization

/// The page of syncing: its state, the pending changes and the refused ones.
struct SyncPage: RoutedPage {
  private static let address = SystemRoute.sync.address

  private let frame: AppFrame
  private let model: SyncModel

  init(_ frame: AppFrame) {
    self.frame = frame
    model = SyncModel(frame.sync, kinds: frame.conflictKinds.withLock(\.self))
  }

  private var say: Localizer { frame.say }
  private var names: ChangeNames {
    ChangeNames(kinds: frame.facts.kinds, elsewhere: frame.facts.elsewhere, say: say)
  }

  func load() async {
    await model.load()
    await frame.conflicts.loadIfNeeded()
  }

  func page(_ tab: Tab) -> Page {
    frame.page(tab, say(.sync), in: .profile, back: frame.backToProfile) {
      tab.region("sync-notices") {
        if let problem = model.problem { view(of: problem) }
        Notices(Notice.all(of: model.notices), say, address: Self.address)
      }
      tab.region("sync-state") { SyncStateView(model: model, say: say).html }
      tab.region("open-conflicts") { openConflicts }
      tab.region("refused") { refused }
      tab.region("unsent") { if model.accountName != nil { unsent } }
    }
  }

  private func view(of problem: SyncModel.Problem) -> ErrorView {
    switch problem {
    case .notCancelled:
      ErrorView(say(.notCancelled), suggestion: say(.notCancelledExplained))
    case .notRetried: ErrorView(say(.notRetried), suggestion: say(.notRetriedExplained))
    case .failed(let error): ErrorView(error, say)
    }
  }

  // MARK: - Changes

  @HTMLBuilder private var openConflicts: HTML {
    if let conflicts = frame.conflicts.state.data, !conflicts.isEmpty {
      h2 { say(.twoVersions) }
      Card(label: say(.twoVersions), id: "open-conflicts-list") {
        for conflict in conflicts {
          LinkRow(
            conflict.row.map { "\(say($0)) – \(say(conflict.label))" } ?? say(conflict.label),
            to: conflict.page, text: conflict.scopeTitle, id: "open-\(conflict.id)")
        }
      }
    }
  }

  @HTMLBuilder private var unsent: HTML {
    StateContent(model.pending, say, loading: .lookingForChanges, address: Self.address) {
      changes in
      if !changes.listed.isEmpty {
        h2 { say(.unsent) }
        Card(label: say(.unsent), id: "unsent-list") {
          for change in changes.listed { PendingChangeRow(change: change, names: names) }
        }
      }
      if changes.moreCount > 0 { p(.class("hint")) { say(.moreChanges(changes.moreCount)) } }
    }
  }

  @HTMLBuilder private var refused: HTML {
    switch model.refused {
    case .error(let error): ErrorView(error, say, address: Self.address)
    case .loaded(let changes):
      if !changes.isEmpty {
        h2 { say(.refusedTitle) }
        p(.class("hint")) { say(.refusedExplained) }
        let lost = changes.count { $0.change.reason == .lostByRestore }
        if lost > 0 { div(.class("notices")) { p { say(.lostByRestore(lost)) } } }
        for group in RefusedGroup.groups(of: changes) {
          if let end = group.end {
            div(.class("notices")) {
              p {
                "\(say(.ended(end, frame.facts.elsewhere))) \(say(frame.summary(of: group.items)))"
              }
              if end.isRestorable { restoration(of: end, by: group.id) }
            }
          }
          Card(label: say(.refusedTitle), id: "refused-from-\(group.id)") {
            for item in group.items { RefusedChangeRow(item: item, names: names) }
          }
        }
      }
    case .idle, .loading, .empty: HTML()
    }
  }

  private func restoration(of end: RefusedChange.End, by id: RefusedItem.ID) -> PostForm {
    PostForm(to: Self.address, id: "bring-back-\(id)", isRepeatable: false) {
      HiddenValue("change", "\(id)")
      SubmitButton(
        say(end.title.map { .bringBack($0) } ?? .bringItBack), style: .plain, action: "bring-back")
    }
  }

  // MARK: - Requests by the user

  /// Syncs, switches syncing off or on, or decides about a change.
  func perform(_ form: PageForm) async throws -> Outcome {
    let isDone: Bool
    switch form.action {
    case "sync-now":
      await model.syncNow()
      isDone = true
    case "airplane": isDone = await model.setAirplane(try form.value("isOn"))
    case "cancel": isDone = await model.cancel(try form.value("change"))
    case "send-again": isDone = await model.sendAgain(try form.value("change"))
    case "bring-back": isDone = await model.restoreScope(ofChange: try refusedChange(form))
    case "retry": isDone = await model.retry(try refusedChange(form))
    case "discard": isDone = await model.discard(try refusedChange(form))
    default: throw form.unknownAction
    }
    return isDone ? .done : .invalid
  }

  private func refusedChange(_ form: PageForm) throws -> RefusedChange.ID {
    Int64(try form.value("change", as: Int.self))
  }
}

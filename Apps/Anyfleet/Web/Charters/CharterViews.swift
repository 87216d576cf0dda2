import Anyfleet
import Foundation
import OffshorePages
import OffshorePresentation
import OffshoreWeb
import OffshoreWire

/// The list of charters beside the page of one, for wide windows.
@MainActor struct CharterAside: Component {
  let html: HTML

  init(_ list: CharterListViewModel, current: UUID, _ frame: AppFrame) {
    let say = frame.say
    html = HTML {
      h2 { a(.href(CharterRoute.list.address)) { say(.charters) } }
      if let charters = list.charters.data, !charters.isEmpty {
        Card(label: say(.charters), id: "others-list") {
          for charter in charters {
            CharterRowView(
              charter, phase: list.phase(of: charter), isCurrent: charter.id == current,
              hasOpenConflict: frame.hasOpenConflict(inCharter: charter.id), say)
          }
        }
      }
    }
  }
}

/// A charter in a list, with its badge.
struct CharterRowView: Component {
  let html: HTML

  /// Shows a charter, and where it lies in time.
  /// - Parameter hasOpenConflict: whether a conflict in the charter is undecided.
  init(
    _ charter: CharterModel, phase: CharterPhase, isCurrent: Bool = false, hasOpenConflict: Bool,
    _ say: Localizer
  ) {
    let details = [
      charter.boatName, charter.location, say.days(of: charter),
    ]
    html =
      LinkRow(
        charter.name, to: CharterRoute.detail(charter.id).address,
        text: details.compactMap(\.self).joined(separator: ", "), id: "charter-\(charter.id)",
        isCurrent: isCurrent
      ) {
        if hasOpenConflict { Badge.twoVersions(say) }
        CharterBadge(charter, phase: phase, say)
      }.html
  }
}

extension AppFrame {
  /// Whether a conflict in a charter is undecided.
  func hasOpenConflict(inCharter id: UUID) -> Bool {
    let value = id.uuidString
    return openConflicts.contains {
      $0.scope.kind == CharterModel.scopeKind && $0.scope.value == value
    }
  }

  /// Whether a conflict in a checklist of a charter is undecided: about an item, or about the
  /// checklist itself.
  func hasOpenConflict(inChecklist id: UUID, ofCharter charterID: UUID) -> Bool {
    let page = RunRoute.run(charter: charterID, checklist: id).address + "/"
    let place = CharterHistory.place(ofChecklist: id, inCharter: charterID)
    return openConflicts.contains { $0.place == place || $0.address?.hasPrefix(page) ?? false }
  }
}

extension Localizer {
  /// Formats the days of a charter, which are the same in every time zone.
  func days(of charter: CharterModel) -> String {
    civilDayRange(charter.startDate, charter.endDate)
  }
}

/// The current phase of a charter, or its archived or active state, as a badge.
struct CharterBadge: Component {
  let html: HTML

  init(_ charter: CharterModel, phase: CharterPhase, _ say: Localizer) {
    html =
      if charter.isArchived {
        Badge(say(.archivedCharter), tone: .none).html
      } else if charter.isActive {
        Badge(say(.activeCharter), tone: .good).html
      } else {
        switch phase {
        case .inProgress: Badge(say(phase.title), tone: .good).html
        case .upcoming: Badge(say(phase.title)).html
        case .past: Badge(say(phase.title), tone: .none).html
        }
      }
  }
}

extension ChecklistProgress {
  /// The row of the checklist in a charter, with a ring that shows its progress.
  @MainActor func row(
    inCharter charterID: UUID, isCurrent: Bool = false, _ frame: AppFrame,
    @HTMLBuilder accessory: () -> HTML = { HTML() }
  ) -> LinkRow {
    let (accessory, say) = (accessory(), frame.say)
    let hasOpenConflict = frame.hasOpenConflict(inChecklist: id, ofCharter: charterID)
    return LinkRow(
      title, to: RunRoute.run(charter: charterID, checklist: id).address, text: summary(say),
      id: "checklist-\(id)", isCurrent: isCurrent, leading: ProgressRing(percent: percent).html
    ) {
      if hasOpenConflict { Badge.twoVersions(say) }
      accessory
      if status == .unreadable { Badge(say(.unreadable), tone: .bad) }
    }
  }

  /// Returns the progress in one line.
  func summary(_ say: Localizer) -> String {
    guard status != .unreadable else { return say(.progressUnreadable) }
    let done = say(.ratio(checkedCount, of: itemCount))
    guard status == .begun, openCriticalCount > 0 else { return done }
    return "\(done), \(say(.criticalOpen(openCriticalCount)))"
  }
}

extension Draft<CharterFormState> {
  /// Returns advice on the typed values, which does not prevent saving.
  @HTMLBuilder func advice(_ say: Localizer) -> HTML {
    let advice = CharterFormValidation.advice(for: validated().entry)
    if advice.contains(.linesExceedBudget),
      let text = CharterFormValidation.linesExceedBudget.advice
    {
      p(.id("advice"), .class("look-only")) { say(text) }
    }
  }
}

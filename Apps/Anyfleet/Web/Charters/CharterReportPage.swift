import Anyfleet
import Foundation
import OffshoreHTTP
import OffshorePages
import OffshorePresentation
import OffshoreWeb

/// A printable page with the checks and conditions of a charter.
struct CharterReportPage: RoutedPage {
  let frame: AppFrame
  let viewModel: CharterReportViewModel

  private var say: Localizer { frame.say }
  private var address: String { CharterRoute.report(viewModel.charterID).address }

  func load() async throws {
    await viewModel.load()
    if viewModel.charter.errorValue == .database(.notFound) {
      throw AppError.database(.notFound)
    }
  }

  func page(_ tab: Tab) -> Page {
    var page = frame.page(
      tab, viewModel.charter.data?.name ?? say(.charter), in: .charters,
      subtitle: "\(say(.printReport)). \(say(.reportMade(say.dayAndTime(viewModel.date))))",
      back: PageLink(
        viewModel.charter.data?.name ?? say(.charter),
        to: CharterRoute.detail(viewModel.charterID).address)
    ) {
      p(.class("hint", "on-screen")) { say(.printHint) }
      tab.region("report") {
        Notices(viewModel.notices, say, address: address)
        StateContent(viewModel.charter, say, loading: .loadingReport, address: address) {
          facts($0)
        }
        StateContent(viewModel.parts, say, loading: .loadingReport, address: address, empty: empty)
        { parts in
          for part in parts { table(part) }
        }
        p(.class("signature")) { say(.signature) }
      }
    }
    page.stylesheets = [.charters]
    return page
  }

  private var empty: EmptyView {
    EmptyView(title: say(.noChecklists), text: say(.addFromLibrary))
  }

  // MARK: - The charter

  private func facts(_ charter: CharterModel) -> FactList {
    let crew = charter.crew.map { "\($0.name) (\(say($0.role.title).lowercased()))" }
    return FactList([
      (say(.dates), say.days(of: charter)),
      (label("vessel"), charter.boatName), (label("destination"), charter.location),
      (label("region"), charter.region), (label("guests"), say.number(charter.guests)),
      (say(.crew), crew.isEmpty ? nil : crew.joined(separator: ", ")),
    ])
  }

  private func label(_ field: String) -> String { say(FieldNames.charter[field]) }

  // MARK: - Checklists

  private func table(_ part: CharterReportViewModel.Part) -> HTML {
    section(.id("report-\(part.id)"), .class("report")) {
      h2 { part.checklist.title }
      p(.class("sub")) {
        part.progress.summary(say)
        if !part.problems.isEmpty { ", \(say(.problems(part.problems.count)))" }
      }
      OffshoreWeb.table {
        thead {
          tr {
            th(.scope(.col)) { say(.state) }
            th(.scope(.col)) { say(.item) }
            th(.scope(.col)) { say(.checkedAt) }
          }
        }
        for section in part.checklist.sections { rows(of: section, part) }
      }
    }
  }

  private func rows(of section: ChecklistSection, _ part: CharterReportViewModel.Part) -> HTML {
    tbody {
      tr { th(.scope(.rowgroup), .colspan(3)) { section.title } }
      for item in section.items { row(item, part.itemStates[item.id]) }
    }
  }

  private func row(_ item: ChecklistItem, _ state: ChecklistItemState?) -> HTML {
    let isChecked = state?.isChecked ?? false
    return tr {
      td {
        span(.class("box"), .role(.img), .ariaLabel(say(isChecked ? .isChecked : .isOpen))) {
          isChecked ? "☑" : "☐"
        }
      }
      td {
        item.title
        if item.isCritical { strong { " (\(say(.critical).lowercased()))" } }
        if let issue = state?.issue { p(.class("finding")) { strong { say(issue.title) } } }
        if let note = state?.note { p(.class("finding")) { note } }
      }
      td { isChecked ? stamp(state) : nil }
    }
  }

  /// Returns the account that checked the item, and the date.
  private func stamp(_ state: ChecklistItemState?) -> String {
    [state?.checkedBy, state?.checkedAt.map { say.dayAndTime($0) }].compactMap(\.self)
      .joined(separator: ", ")
  }
}

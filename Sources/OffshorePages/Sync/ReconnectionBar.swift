import Foundation
import OffshoreHTTP
import OffshorePresentation
import OffshoreWeb
import OffshoreWire

/// A bar on each page after a period without the server, with the numbers of changes that were
/// sent, that were received, and that need a decision.
@MainActor struct ReconnectionBar {
  static let dismissal = "dismiss-homecoming"

  let summary: ReconnectionSummary
  let conflicts: [OpenConflict]
  let page: String
  let say: Localizer

  /// - Parameters:
  ///   - conflicts: all open conflicts. Only those from the period without the server are counted.
  ///   - page: the address of the page that shows the bar.
  init(
    _ summary: ReconnectionSummary, _ conflicts: [OpenConflict], onPage page: String,
    _ say: Localizer
  ) {
    self.summary = summary
    self.conflicts = conflicts.filter { $0.date >= summary.since }
    self.page = page
    self.say = say
  }

  @HTMLBuilder var html: HTML {
    div(.id("homecoming"), .class("undo", "news"), .role(.status)) {
      p {
        exchanged
        if decisionCount > 0 { a(.href(address)) { say(.needDecision(decisionCount)) } }
      }
      PostForm(to: "/" + Removals.path) {
        HiddenValue("page", page)
        button(
          .type(.submit), .class("dismiss"), .name("action"), .value(Self.dismissal),
          .ariaLabel(say(.dismiss))
        ) { "×" }
      }
    }
  }

  private var exchanged: String {
    let parts = [
      summary.sent > 0 ? say(.sent(summary.sent)) : nil,
      summary.received > 0 ? say(.received(summary.received)) : nil,
    ].compactMap(\.self)
    return parts.isEmpty ? "" : parts.joined(separator: ", ") + ". "
  }

  private var decisionCount: Int { summary.refused + conflicts.count }

  private var address: String {
    guard summary.refused == 0, conflicts.count == 1 else { return SystemRoute.sync.address }
    return conflicts[0].page
  }
}

extension OpenConflict {
  /// The address of the page that decides the conflict.
  var page: String {
    address ?? UUID(uuidString: scope.value).map { HistoryRoute.history(scope.kind, $0).address }
      ?? SystemRoute.sync.address
  }
}

extension LocalizedText {
  fileprivate static func sent(_ count: Int) -> LocalizedText {
    .counted(
      count, en: .init(one: "# change sent", other: "# changes sent"),
      ru: .init(
        one: "отправлено # изменение", few: "отправлено # изменения", many: "отправлено # изменений"
      ))
  }

  fileprivate static func received(_ count: Int) -> LocalizedText {
    .counted(
      count, en: .init(one: "# received", other: "# received"),
      ru: .init(one: "получено: #", few: "получено: #", many: "получено: #"))
  }

  fileprivate static func needDecision(_ count: Int) -> LocalizedText {
    .counted(
      count, en: .init(one: "# needs a look", other: "# need a look"),
      ru: .init(one: "# требует решения", few: "# требуют решения", many: "# требуют решения"))
  }
}

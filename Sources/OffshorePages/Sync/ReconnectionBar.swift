import Foundation
import OffshoreHTTP
import OffshorePresentation
import OffshoreWeb
import OffshoreWire

/// A bar on each page after a period without the server, with the changes that were sent and
/// received, and those that need a decision.
@MainActor struct HomecomingBar {
  static let dismissal = "dismiss-homecoming"

  let homecoming: Homecoming
  let conflicts: [OpenConflict]
  let page: String
  let say: Speaker

  /// - Parameters:
  ///   - conflicts: all open conflicts. Only those from the period without the server are counted.
  ///   - page: the address of the page that shows the bar.
  init(_ homecoming: Homecoming, _ conflicts: [OpenConflict], onPage page: String, _ say: Speaker) {
    self.homecoming = homecoming
    self.conflicts = conflicts.filter { $0.date >= homecoming.since }
    self.page = page
    self.say = say
  }

  @HTMLBuilder var html: HTML {
    div(.id("homecoming"), .class("undo", "news"), .role(.status)) {
      p {
        exchanged
        if lookCount > 0 { a(.href(address)) { say(.needsLook(lookCount)) } }
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
      homecoming.sent > 0 ? say(.sent(homecoming.sent)) : nil,
      homecoming.received > 0 ? say(.received(homecoming.received)) : nil,
    ].compactMap(\.self)
    return parts.isEmpty ? "" : parts.joined(separator: ", ") + ". "
  }

  private var lookCount: Int { homecoming.refused + conflicts.count }

  private var address: String {
    guard homecoming.refused == 0, conflicts.count == 1 else { return SystemRoute.sync.address }
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

  fileprivate static func needsLook(_ count: Int) -> LocalizedText {
    .counted(
      count, en: .init(one: "# needs a look", other: "# need a look"),
      ru: .init(one: "# требует решения", few: "# требуют решения", many: "# требуют решения"))
  }
}

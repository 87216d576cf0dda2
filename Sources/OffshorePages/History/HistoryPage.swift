import Foundation
import OffshoreHTTP
public import OffshorePresentation
import OffshoreSync
public import OffshoreWeb

/// A page with the conflicts of a scope or a row: both values, and the choice between them.
///
/// ```swift
/// case .history(let id):
///   HistoryPage(
///     frame, in: "lists", back: Route.item(id).address,
///     History(of: scope, in: LoggedStore(frame.store), tables, places: [HistoryPlace(Item.self, id)]))
/// ```
///
/// For shared scopes, ``OffshoreHTTP/Router/addHistory(of:_:)`` adds it.
@MainActor public final class HistoryPage: RoutedPage {
  private let frame: AppFrame
  private let part: AppFrame.Part.ID
  private let back: String
  private let texts: HistoryTexts
  private let model: HistoryModel
  private let missing: String?
  /// The address to go to if the subject is not on this device.
  public private(set) var redirection: String?

  /// Creates a page.
  ///
  /// - Parameters:
  ///   - part: the id of the part of the app that the page belongs to.
  ///   - back: the address of the subject's page.
  ///   - texts: the texts that can name the subject.
  ///   - missing: the address of a page that explains why the subject is not on this device;
  ///     without it, the response is 404.
  public init(
    _ frame: AppFrame, in part: AppFrame.Part.ID, back: String, _ history: History,
    texts: HistoryTexts = HistoryTexts(), missing: String? = nil
  ) {
    self.frame = frame
    self.part = part
    self.back = back
    self.texts = texts
    self.missing = missing
    model = HistoryModel(history, frame.sync)
  }

  private var say: Localizer { frame.say }

  /// Reads the history.
  /// - Throws: `AppError` with `database(.notFound)` if the subject is not on this device.
  public func load() async throws {
    do {
      try await model.load()
    } catch {
      redirection = missing
      throw error
    }
  }

  /// Returns the page with the entries, the newest first.
  public func page(_ tab: Tab) -> Page {
    let (address, heading) = (tab.address, model.content.data?.heading)
    return frame.page(
      tab, say(.history), in: part, subtitle: heading.flatMap { $0.title.isEmpty ? nil : $0.title },
      back: PageLink(heading.flatMap { $0.back.isEmpty ? nil : $0.back } ?? say(.back), to: back)
    ) {
      tab.region("conflicts") { self.content(at: address) }
    }
  }

  @HTMLBuilder private func content(at address: String) -> HTML {
    if let error = model.error { ErrorView(error, say) }
    Notices(Notice.all(of: model.notices), say, address: address)
    p(.class("hint")) { say(texts.explanation) }
    StateContent(model.content, say, loading: .lookingForConflicts, address: address) { content in
      if content.entries.isEmpty {
        EmptyView(
          icon: Icon("clock-history", text: "↺"), title: say(.noConflicts), text: say(texts.empty))
      } else {
        Card(label: say(.history), id: "conflict-list") {
          for entry in content.entries { row(entry, at: address) }
        }
      }
    }
  }

  private func row(_ entry: HistoryEntry, at address: String) -> HTML {
    let subject = say(texts.subject(of: entry))
    return div(.id("conflict-\(entry.id)"), .class("conflict"), .role(.group), .ariaLabel(subject))
    {
      p {
        strong { subject }
        if entry.isOpen { Badge.twoVersions(say) }
      }
      div(.class("sides")) {
        for choice in [HistoryEntry.Choice.losing, .winning] {
          side(choice, of: entry, at: address)
        }
      }
      if canChoose(.both, of: entry) {
        div(.class("buttons")) { button(.both, .keepBoth, of: entry, at: address) }
      }
      p(.class("hint")) { texts.outcome(of: entry, say, now: frame.store.now()) }
    }
  }

  private func side(
    _ choice: HistoryEntry.Choice, of entry: HistoryEntry, at address: String
  ) -> HTML {
    let side = choice == .winning ? entry.winning : entry.losing
    let isInUse = (entry.decision?.choice ?? (entry.decision == nil ? .winning : nil)) == choice
    return div(.class("side"), .class("used", if: isInUse)) {
      p(.class("hint")) { texts.origin(of: side, say, now: frame.store.now()) }
      p(.class("value")) { texts.text(of: side.value, say) }
      if isInUse { Badge(say(.inUse), tone: .good) }
      if canChoose(choice, of: entry) {
        button(choice, texts.keeping(choice, of: entry), of: entry, at: address)
      }
    }
  }

  private func canChoose(_ choice: HistoryEntry.Choice, of entry: HistoryEntry) -> Bool {
    model.canEdit && entry.choices.contains(choice)
  }

  private func button(
    _ choice: HistoryEntry.Choice, _ title: LocalizedText, of entry: HistoryEntry,
    at address: String
  ) -> PostForm {
    let value = choice == .losing ? entry.losing.value : entry.winning.value
    let name = choice == .both ? "" : " \(texts.text(of: value, say))"
    return PostForm(to: address) {
      HiddenValue("entry", entry.id.uuidString)
      HiddenValue("choice", choice.rawValue)
      SubmitButton(
        say(title), style: .plain, label: "\(say(title)): \(say(texts.subject(of: entry)))\(name)",
        action: "choose")
    }
  }

  /// Decides a conflict.
  public func perform(_ form: PageForm) async throws -> Outcome {
    guard form.action == "choose" else { throw form.unknownAction }
    guard let choice = HistoryEntry.Choice(rawValue: form.text("choice")) else {
      throw HTTPError(.badRequest, "The form has no field choice that is winning, losing or both.")
    }
    return await model.choose(choice, of: try form.value("entry")) ? .done : .invalid
  }
}

/// A row with a link to a history, marked if a conflict is undecided. A history without entries has
/// no row.
@MainActor public struct HistoryLink: Component {
  /// The row.
  public let html: HTML

  /// Creates a link to a history.
  ///
  /// - Parameters:
  ///   - count: the number of entries.
  ///   - address: the address of its page.
  ///   - id: the id of the row.
  public init(_ frame: AppFrame, count: Int, to address: String, id: String = "history") {
    let isOpen = frame.openConflicts.contains { $0.page == address }
    html =
      if count > 0 {
        LinkRow(frame.say(.history), to: address, text: frame.say(.conflicts(count)), id: id) {
          if isOpen { Badge.twoVersions(frame.say) }
        }.html
      } else {
        HTML()
      }
  }
}

extension Badge {
  /// Returns the mark of a row or a scope with an undecided conflict.
  public static func twoVersions(_ say: Localizer) -> Badge {
    Badge(say(.twoVersions), tone: .warn)
  }
}

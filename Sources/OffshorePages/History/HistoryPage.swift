import Foundation
import OffshoreHTTP
public import OffshorePresentation
import OffshoreSync
public import OffshoreWeb

/// The page with the conflicts of a thing, on which a losing value can be used.
///
/// ```swift
/// case .history(let id):
///   HistoryPage(
///     frame, in: "lists", back: Route.item(id).address,
///     History(of: scope, in: LoggedStore(frame.store), tables, places: [HistoryPlace(Item.self, id)]))
/// ```
///
/// For things that are shared, ``OffshoreHTTP/Router/addHistory(of:_:)`` adds it by one call.
@MainActor public final class HistoryPage: RoutedPage {
  private let frame: AppFrame
  private let part: AppFrame.Part.ID
  private let back: String
  private let texts: HistoryTexts
  private let model: HistoryModel
  private let missing: String?
  /// The address to go to if the thing is not on this device.
  public private(set) var redirection: String?

  /// Makes a page.
  ///
  /// - Parameters:
  ///   - part: the id of the part of the app that the page belongs to.
  ///   - back: the address of the page on which the thing is shown.
  ///   - texts: the texts that may name the thing.
  ///   - missing: the address of a page that explains why the thing is not on this device; the answer is
  ///     404 unless stated.
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

  private var say: Speaker { frame.say }

  /// Reads the history.
  /// - Throws: `AppError` with `database(.notFound)` if the thing is not on this device.
  public func load() async throws {
    do {
      try await model.load()
    } catch {
      redirection = missing
      throw error
    }
  }

  /// The entries, the newest first.
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
    return div(.id("conflict-\(entry.id)"), .role(.group), .ariaLabel(subject)) {
      p(.class("row", "conflict")) {
        // A row lays its parts out beside each other; this is one sentence.
        span {
          strong { subject }
          " "
          texts.sentence(about: entry, say, now: frame.store.now())
        }
      }
      if model.canEdit, entry.isUsable {
        div(.class("under")) {
          PostForm(to: address) {
            HiddenValue("entry", entry.id.uuidString)
            SubmitButton(
              say(.useOther), style: .plain,
              label: "\(say(.useOther)): \(subject) \(texts.text(of: entry.losing.value, say))",
              action: "use")
          }
        }
      }
    }
  }

  /// Uses a losing value.
  public func perform(_ form: PageForm) async throws -> Outcome {
    guard form.action == "use" else { throw form.unknownAction }
    return await model.use(try form.value("entry")) ? .done : .invalid
  }
}

/// A row that leads to a history; nothing if the history has no entries.
@MainActor public struct HistoryLink: Component {
  /// The row.
  public let html: HTML

  /// Links to a history.
  ///
  /// - Parameters:
  ///   - count: the number of its entries.
  ///   - address: the address of its page.
  ///   - id: the id of the row.
  public init(_ frame: AppFrame, count: Int, to address: String, id: String = "history") {
    html =
      if count > 0 {
        LinkRow(frame.say(.history), to: address, text: frame.say(.conflicts(count)), id: id).html
      } else {
        HTML()
      }
  }
}

import Foundation
import OffshorePages
import OffshorePresentation
import OffshoreWeb

/// What was decided where several changed the same thing, and a way to use what did not stay.
struct DecisionList<Decision: Identifiable>: Component where Decision.ID == UUID {
  /// What is shown of a decision.
  struct Row {
    let sentence: HTML
    /// What it is about, where the list is about several things.
    var subject: String?
    /// How using the other is called for those who do not see the row, or `nil` where it cannot be used.
    let use: String?
  }

  let html: HTML

  /// - Parameters:
  ///   - explained: what the list is, in words.
  ///   - empty: what it says where nothing was decided.
  ///   - error: why the other could not be used.
  ///   - address: the page's own, which what is used is posted to.
  init(
    _ decisions: ViewState<[Decision]>, _ say: Speaker, explained: LocalizedText,
    empty: LocalizedText, error: AppError?, address: String, row: (Decision) -> Row
  ) {
    let icon = Icon("clock-history", text: "↺")
    @HTMLBuilder var content: HTML {
      if let error { ErrorView(error, say) }
      p(.class("hint")) { say(explained) }
      StateContent(
        decisions, say, loading: .lookingForHistory, address: address,
        empty: EmptyView(icon: icon, title: say(.noHistory), text: say(empty))
      ) { decisions in
        Card(label: say(.history), id: "decision-list") {
          for decision in decisions { Self.html(row(decision), decision.id, say, address) }
        }
      }
    }
    html = content
  }

  private static func html(
    _ row: Row, _ id: UUID, _ say: Speaker, _ address: String
  ) -> HTML {
    @HTMLBuilder var content: HTML {
      p(.class("row", "decision")) { row.sentence }
      if let use = row.use {
        div(.class("under")) {
          PostForm(to: address) {
            HiddenValue("decision", id.uuidString)
            SubmitButton(
              say(.useThisInstead), style: .plain, label: say(.of(.useThisInstead, use)))
          }
        }
      }
    }
    guard let subject = row.subject else { return div(.id("decision-\(id)")) { content } }
    return div(.id("decision-\(id)"), .role(.group), .ariaLabel(subject)) { content }
  }
}

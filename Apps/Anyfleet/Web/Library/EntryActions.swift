import Anyfleet
import Foundation
import OffshorePages
import OffshorePresentation
import OffshoreWeb

/// What can be done with something in the library: change it, copy it, and delete it. What cannot be
/// read can be deleted alone.
struct EntryActions: Component {
  private let id: UUID
  private let part: LibraryPart
  private let title: ViewState<String>
  private let error: AppError?
  private let say: Speaker

  /// Takes what it is about.
  /// - Parameters:
  ///   - title: what it is called, or why that is not known.
  ///   - error: why the last of these actions failed, where it did.
  init(
    _ id: UUID, in part: LibraryPart, title: ViewState<String>, error: AppError?, _ say: Speaker
  ) {
    (self.id, self.part, self.title) = (id, part, title)
    (self.error, self.say) = (error, say)
  }

  var html: HTML {
    if let error { ErrorView(error, say) }
    switch title {
    case .loaded(let title):
      changes(title)
      deletion(title)
    case .error(.database(.unreadable)): deletion(say(part.entryTitle))
    case .idle, .loading, .empty, .error: HTML()
    }
  }

  private func changes(_ title: String) -> HTML {
    div(.class("buttons"), .id("entry-actions")) {
      a(
        .class("button", "plain"), .href(Address.editEntry(id, in: part)),
        .ariaLabel(say(.edit(title)))
      ) { say(.edit) }
      PostForm(to: Address.copyEntry(id, in: part), id: "copy") {
        SubmitButton(
          say(.duplicate), style: .plain, label: say(.named(.duplicate, title)))
      }
    }
  }

  /// Folded away, so that it takes two steps, with and without the script.
  private func deletion(_ title: String) -> HTML {
    details(.id("delete"), .class("section")) {
      summary { h2 { say(.delete) } }
      p { say(.canBeUndone) }
      PostForm(to: Address.deleteEntry(id, in: part)) {
        SubmitButton(say(.delete), style: .destructive, label: say(.delete(title)))
      }
    }
  }
}

import Anyfleet
import Foundation
import OffshorePresentation
import OffshoreWeb

/// What can be done with something in the library: change it, copy it, and delete it.
struct EntryActions: Component {
  private let id: UUID
  private let part: LibraryPart
  private let title: String
  private let error: AppError?
  private let say: Speaker

  /// Takes what it is about.
  /// - Parameter error: why the last of these actions failed, where it did.
  init(_ id: UUID, in part: LibraryPart, title: String, error: AppError?, _ say: Speaker) {
    (self.id, self.part, self.title) = (id, part, title)
    (self.error, self.say) = (error, say)
  }

  var html: HTML {
    if let error { ErrorView(error, say) }
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
    // Folded away, so that it takes two steps, with and without the script.
    details(.id("delete"), .class("section")) {
      summary { h2 { say(.delete) } }
      p { say(.canBeUndone) }
      PostForm(to: Address.deleteEntry(id, in: part)) {
        SubmitButton(say(.delete), style: .destructive, label: say(.delete(title)))
      }
    }
  }
}

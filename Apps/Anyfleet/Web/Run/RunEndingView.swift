import Anyfleet
import OffshorePages
import OffshorePresentation
import OffshoreWeb

/// The buttons that finish and reset a checklist, each with a confirmation.
///
/// The confirmation replaces the button that was pressed. A link that cancels it comes first and
/// receives the focus, so that a double click confirms nothing.
@MainActor
struct RunEndingView {
  let viewModel: ChecklistExecutionViewModel
  let say: Localizer

  @HTMLBuilder var html: HTML {
    p(.id("run-state"), .class("run-state"), .class("complete", if: viewModel.isComplete)) {
      Icon(viewModel.isComplete ? "check-circle-fill" : "circle", text: "✓")
      " "
      viewModel.isComplete
        ? viewModel.completion(say) : say(.done(viewModel.checkedCount, of: viewModel.itemCount))
    }
    if viewModel.question == .finish {
      PostForm(to: address, id: "finish") { finishQuestion }
    } else {
      div(.class("buttons"), .id("run-end")) {
        PostForm(to: address, id: "finish") {
          SubmitButton(
            say(.finish), style: viewModel.isComplete ? .plain : .primary, action: "finish")
        }
        // The report takes the place of the primary button to finish, so that nothing moves.
        a(
          .class("button", viewModel.isComplete ? "primary" : "plain"),
          .href(CharterRoute.report(viewModel.charterID).address)
        ) { say(.printReport) }
      }
    }
    PostForm(to: address, id: "reset") {
      if let error = viewModel.resetError { p(.class("error")) { say(error.localizedMessage) } }
      if viewModel.question == .reset {
        resetQuestion
      } else {
        div(.class("buttons")) {
          LinkButton(say(.editForThisCharter), to: edit)
          SubmitButton(say(.resetChecklist), style: .plain, action: "reset")
        }
      }
    }
  }

  @HTMLBuilder private var finishQuestion: HTML {
    let (open, unsaved) = (viewModel.openCriticalItems, viewModel.unsavedItems.count)
    p(.class("error"), .role(.alert)) {
      [
        open.isEmpty ? nil : LocalizedText.criticalItemsOpen(open.count),
        unsaved == 0 ? nil : .itemsUnsaved(unsaved),
      ].compactMap(\.self).map { say($0) + "." }.joined(separator: " ")
    }
    ul {
      for item in open {
        li { a(.href("#item-\(item.id)")) { item.title } }
      }
    }
    div(.class("buttons")) {
      cancelLink
      SubmitButton(say(.finishAnyway), style: .destructive, action: "confirm-finish")
    }
  }

  @HTMLBuilder private var resetQuestion: HTML {
    p(.class("error"), .role(.alert)) { say(.resetQuestion) }
    div(.class("buttons")) {
      cancelLink
      SubmitButton(say(.reset), style: .destructive, action: "confirm-reset")
    }
  }

  /// A link that cancels: the page, opened again, asks nothing.
  private var cancelLink: LinkButton {
    LinkButton(say(.keepGoing), to: address)
  }

  private var address: String { viewModel.route.address }

  private var edit: String {
    RunRoute.edit(charter: viewModel.charterID, checklist: viewModel.checklistID).address
  }
}

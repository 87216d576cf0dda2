import Anyfleet
import OffshorePages
import OffshorePresentation
import OffshoreWeb

/// Finishing a checklist and resetting it, each with a question before.
///
/// The question stands in the form of the button that was pressed, after a link that leaves everything as it
/// is: the focus goes there, so that pressing twice confirms nothing.
@MainActor
struct RunEndingView {
  let viewModel: ChecklistExecutionViewModel
  let say: Speaker

  @HTMLBuilder var html: HTML {
    PostForm(to: address, id: "finish") {
      if viewModel.question == .finish {
        finishQuestion
      } else {
        SubmitButton(say(.finish), action: "finish")
      }
    }
    p(.class("actions")) {
      a(.class("button", "plain"), .href(edit)) { say(.editForThisCharter) }
    }
    PostForm(to: address, id: "reset") {
      if let error = viewModel.resetError { p(.class("error")) { say(error.localizedMessage) } }
      if viewModel.question == .reset {
        resetQuestion
      } else {
        SubmitButton(say(.resetChecklist), style: .plain, action: "reset")
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
      goOn
      SubmitButton(say(.finishAnyway), style: .destructive, action: "confirm-finish")
    }
  }

  @HTMLBuilder private var resetQuestion: HTML {
    p(.class("error"), .role(.alert)) { say(.resetQuestion) }
    div(.class("buttons")) {
      goOn
      SubmitButton(say(.reset), style: .destructive, action: "confirm-reset")
    }
  }

  /// Leaves everything as it is: the page, opened anew, asks nothing.
  private var goOn: HTML {
    a(.class("button", "plain"), .href(address)) { say(.goOn) }
  }

  private var address: String { viewModel.route.address }

  private var edit: String {
    RunRoute.edit(charter: viewModel.charterID, checklist: viewModel.checklistID).address
  }
}

import Anyfleet
import OffshorePages
import OffshorePresentation
import OffshoreWeb

/// Finishing a checklist and beginning it anew, with what is asked before.
///
/// What is asked stands in the form whose button asked for it, and a link that leaves everything as it
/// is comes first in it: the focus goes there, so that pressing twice confirms nothing.
@MainActor
struct RunEndingView {
  let viewModel: ChecklistExecutionViewModel
  let say: Speaker

  @HTMLBuilder var html: HTML {
    PostForm(to: address.finish, id: "finish") {
      if viewModel.question == .finish {
        finishQuestion
      } else {
        SubmitButton(say(.finish))
      }
    }
    if viewModel.canUndoReset {
      UndoBar(
        .wasReset, say, undo: address.undo, dismiss: address.dismiss, isAnnounced: false)
    }
    p(.class("actions")) {
      a(.class("button", "plain"), .href(address.edit)) { say(.editForThisCharter) }
    }
    PostForm(to: address.reset, id: "reset") {
      if let error = viewModel.resetError { p(.class("error")) { say(error.localizedMessage) } }
      if viewModel.question == .reset {
        resetQuestion
      } else {
        SubmitButton(say(.resetChecklist), style: .plain)
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
        li { a(.href(address.place(of: item.id))) { item.title } }
      }
    }
    HiddenValue("isConfirmed", "true")
    div(.class("buttons")) {
      goOn
      SubmitButton(say(.finishAnyway), style: .destructive)
    }
  }

  @HTMLBuilder private var resetQuestion: HTML {
    p(.class("error"), .role(.alert)) { say(.resetQuestion) }
    HiddenValue("isConfirmed", "true")
    div(.class("buttons")) {
      goOn
      SubmitButton(say(.reset), style: .destructive)
    }
  }

  /// Leaves everything as it is: the page, opened anew, asks nothing.
  private var goOn: HTML {
    a(.class("button", "plain"), .href(address.page)) { say(.goOn) }
  }

  private var address: RunAddress { RunAddress(of: viewModel) }
}

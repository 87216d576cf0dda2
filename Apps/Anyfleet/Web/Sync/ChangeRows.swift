import Anyfleet
import OffshorePresentation
import OffshoreSync
import OffshoreWeb

/// A change that waits, with the way to take it back as long as there is one.
struct PendingChangeRow: Component {
  let change: PendingChange
  let say: Speaker

  var html: HTML {
    div(.id("unsent-\(change.id)")) {
      div(.class("row")) {
        span(.class("label")) {
          say(change.row.name)
          small { change.line(say) }
        }
        if change.isBeingSent {
          Badge(say(.onItsWay), tone: .none)
        } else if !change.isNew {
          div(.class("end", "tools")) { cancel(.plain) }
        }
      }
      if change.isNew, !change.isBeingSent { removal }
    }
  }

  private func cancel(_ style: SubmitButton.Style) -> PostForm {
    PostForm(to: Address.change(change.id, "cancel"), id: "cancel-\(change.id)") {
      SubmitButton(
        say(style == .plain ? .cancelChangeTitle : .delete), style: style,
        label: say(
          style == .plain
            ? .cancelChange(say(change.row.name)) : .deleteAddition(say(change.row.name))))
    }
  }

  /// Folded away, so that it takes two steps: what was added is nowhere else.
  private var removal: HTML {
    div(.class("under")) {
      details(.id("removal-\(change.id)"), .class("remove")) {
        summary { say(.cancelAddition) }
        p(.class("hint")) { say(.additionExplained) }
        cancel(.destructive)
      }
    }
  }
}

/// A change that was set aside, with the reason, and what a person may decide.
struct RefusedChangeRow: Component {
  let change: RefusedChange
  let say: Speaker

  var html: HTML {
    div(.id("refused-\(change.id)")) {
      div(.class("row")) {
        span(.class("label")) {
          say(change.row.name)
          small { change.line(say) }
          small(.class("error")) { say(change.reason.text) }
        }
      }
      div(.class("under")) {
        if change.canRetry { retry }
        discard
      }
    }
  }

  private var name: String { say(change.row.name) }

  private var retry: HTML {
    div(.class("tools")) {
      PostForm(to: Address.refused(change.id, "retry"), id: "retry-\(change.id)") {
        SubmitButton(say(.tryAgain), style: .plain, label: say(.retryChange(name)))
      }
    }
  }

  /// Folded away, so that it takes two steps, with and without the script.
  private var discard: HTML {
    details(.id("discard-\(change.id)"), .class("remove")) {
      summary { say(.discard) }
      p(.class("hint")) { say(.discardExplained) }
      PostForm(to: Address.refused(change.id, "discard")) {
        SubmitButton(say(.discardNow), style: .destructive, label: say(.discardChange(name)))
      }
    }
  }
}

import OffshorePresentation
import OffshoreSync
import OffshoreWeb

/// A pending change, with a button that cancels it until it is sent.
struct PendingChangeRow: Component {
  let change: PendingChange
  let names: ChangeNames

  private var say: Speaker { names.say }
  private var name: String { say(names.name(of: change.row)) }
  private var isNew: Bool { ChangeNames.isNew(change) }

  var html: HTML {
    div(.id("unsent-\(change.id)")) {
      div(.class("row")) {
        span(.class("label")) {
          name
          small { names.line(of: change) }
        }
        if change.isBeingSent {
          Badge(say(.onItsWay), tone: .none)
        } else if !isNew {
          div(.class("end", "tools")) { cancel(.plain) }
        }
      }
      if isNew, !change.isBeingSent { removal }
    }
  }

  private func cancel(_ style: SubmitButton.Style) -> PostForm {
    PostForm(to: SystemRoute.sync.address, id: "cancel-\(change.id)") {
      HiddenValue("change", change.id)
      SubmitButton(
        say(style == .plain ? .cancelChangeTitle : .delete), style: style,
        label: say(
          style == .plain
            ? .cancelChange(name) : .deleteAddition(name)), action: "cancel")
    }
  }

  /// Folded away, so that it takes two steps: the row exists on no other device.
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

/// A refused change, with the reason and the decisions about it.
struct RefusedChangeRow: Component {
  let change: RefusedChange
  let names: ChangeNames

  private var say: Speaker { names.say }
  private var name: String { say(names.name(of: change.row)) }

  var html: HTML {
    div(.id("refused-\(change.id)")) {
      div(.class("row")) {
        span(.class("label")) {
          name
          small { names.line(of: change) }
          small(.class("error")) { say(change.reason.text) }
        }
      }
      div(.class("under")) {
        if change.canRetry { retry }
        discard
      }
    }
  }

  private var retry: HTML {
    div(.class("tools")) {
      PostForm(to: SystemRoute.sync.address, id: "retry-\(change.id)") {
        HiddenValue("change", "\(change.id)")
        SubmitButton(
          say(.tryAgain), style: .plain, label: say(.retryChange(name)), action: "retry")
      }
    }
  }

  /// Folded away, so that it takes two steps, with and without the script.
  private var discard: HTML {
    details(.id("discard-\(change.id)"), .class("remove")) {
      summary { say(.discard) }
      p(.class("hint")) { say(.discardExplained) }
      PostForm(to: SystemRoute.sync.address) {
        HiddenValue("change", "\(change.id)")
        SubmitButton(
          say(.discardNow), style: .destructive, label: say(.discardChange(name)), action: "discard"
        )
      }
    }
  }
}

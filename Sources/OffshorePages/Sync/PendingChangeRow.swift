import OffshorePresentation
import OffshoreSync
import OffshoreWeb

/// A pending change, with a button that cancels it until it is sent.
struct PendingChangeRow: Component {
  let change: PendingChange
  let names: ChangeNames

  private var say: Localizer { names.say }
  private var name: String { say(names.name(of: change.row)) }
  private var isNew: Bool { ChangeNames.isNew(change) }

  var html: HTML {
    div(.id("unsent-\(change.id)")) {
      div(.class("row")) {
        span(.class("label")) {
          name
          small { names.line(of: change) }
          if let refusal = change.refusal { lines(of: refusal) }
        }
        if change.isBeingSent {
          Badge(say(.onItsWay), tone: .none)
        } else if !isNew, change.action != .sendsFile {
          div(.class("end", "tools")) { cancel(.plain) }
        }
      }
      if change.refusal?.nextTry != nil { sendAgain }
      if isNew, !change.isBeingSent { removal }
    }
  }

  /// The reason of the last refusal, the number of attempts, and the time of the next one.
  @HTMLBuilder private func lines(of refusal: PendingChange.Refusal) -> HTML {
    small(.class("error")) { say(refusal.reason.text(names.elsewhere)) }
    small {
      [
        say(.attempts(refusal.attempts)), refusal.nextTry.map { say(.nextTry(say.dayAndTime($0))) },
      ].compactMap(\.self).joined(separator: " · ")
    }
  }

  private var sendAgain: HTML {
    div(.class("under")) {
      PostForm(to: SystemRoute.sync.address, id: "send-\(change.id)", isRepeatable: false) {
        HiddenValue("change", change.id)
        SubmitButton(
          say(.tryNow), style: .plain, label: say(.retryChange(name)), action: "send-again")
      }
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

  /// The collapsed button, which needs two steps, because the row exists on no other device.
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

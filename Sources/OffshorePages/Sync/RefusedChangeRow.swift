import OffshorePresentation
import OffshoreSync
import OffshoreWeb

/// The refused changes of one scope that is not on this device any more, or those of all other
/// scopes.
struct RefusedGroup: Identifiable {
  let end: RefusedChange.End?
  var items: [RefusedItem]
  var id: RefusedItem.ID { items[0].id }

  /// Groups changes in their order.
  static func groups(of items: [RefusedItem]) -> [RefusedGroup] {
    items.reduce(into: []) { groups, item in
      if let index = groups.firstIndex(where: { $0.end == item.change.end }) {
        groups[index].items.append(item)
      } else {
        groups.append(RefusedGroup(end: item.change.end, items: [item]))
      }
    }
  }
}

/// A refused change with its values, its reason and the buttons that decide about it.
struct RefusedChangeRow: Component {
  let item: RefusedItem
  let names: ChangeNames

  private var change: RefusedChange { item.change }
  private var say: Localizer { names.say }
  private var name: String { say(names.name(of: change.row)) }

  var html: HTML {
    div(.id("refused-\(change.id)")) {
      div(.class("row")) {
        span(.class("label")) {
          name
          small { names.line(of: change) }
          for value in item.values {
            span(.class("note")) { "\(say(value.label)): \(value.value.text(say))" }
          }
          if change.end == nil {
            small(.class("error")) { say(change.reason.text(names.elsewhere)) }
          }
        }
      }
      div(.class("under")) {
        div(.class("tools")) {
          if let page = item.page {
            a(.href(page), .class("button", "plain"), .ariaLabel("\(say(.edit)): \(name)")) {
              say(.edit)
            }
          }
          if change.canRetry { retry }
          if let text {
            button(
              .type(.button), .class("button", "plain"), .data("copy", text),
              .data("done", say(.textCopied)), .ariaLabel("\(say(.copyText)): \(name)")
            ) { say(.copyText) }
          }
        }
        discard
      }
    }
  }

  /// The values as a text, to be copied.
  private var text: String? {
    guard !item.values.isEmpty else { return nil }
    return item.values.map { "\(say($0.label)): \($0.value.text(say))" }.joined(separator: "\n")
  }

  private var retry: PostForm {
    PostForm(to: SystemRoute.sync.address, id: "retry-\(change.id)", isRepeatable: false) {
      HiddenValue("change", "\(change.id)")
      SubmitButton(
        say(.tryAgain), style: .plain, label: say(.retryChange(name)), action: "retry")
    }
  }

  /// The collapsed button that discards the change, which needs two steps, with and without the
  /// script.
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

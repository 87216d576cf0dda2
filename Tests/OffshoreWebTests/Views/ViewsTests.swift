import Testing

@testable import OffshoreWeb

struct ViewsTests {
  @Test func `Loading is announced politely, and the spinner is decoration`() {
    let markup = LoadingView("Loading charters").html.description
    #expect(markup.contains(#"role="status""#) && markup.contains("<p>Loading charters</p>"))
    #expect(markup.contains(#"<span class="wheel" aria-hidden="true">"#))
  }

  @Test func `An empty view names the missing content, and offers an action if it has one`() {
    let action = PageAction.link("New charter", to: "/charters/new")
    let markup = EmptyView(title: "No charters", text: "Make one", action: action).html.description
    #expect(markup.contains("<h2>No charters</h2><p>Make one</p>"))
    #expect(
      markup.contains(#"<a class="button primary" href="/charters/new">New charter</a>"#))
    #expect(!EmptyView(title: "No", text: "x").html.description.contains("button"))
  }

  @Test func `A link may look like a button`() {
    let plain = LinkButton("Add", to: "/new", id: "add").html.description
    #expect(plain == #"<a class="button plain" id="add" href="/new">Add</a>"#)
    let primary = LinkButton("Add", to: "/new", style: .primary).html.description
    #expect(primary == #"<a class="button primary" href="/new">Add</a>"#)
  }

  @Test func `Facts without a value are left out`() {
    let markup = FactList([("Crew", "Ann & Ben"), ("Port", nil)], id: "facts").html.description
    #expect(markup.contains("<dt>Crew</dt><dd>Ann &amp; Ben</dd>"))
    #expect(markup.contains(#"id="facts""#) && !markup.contains("Port"))
  }

  @Test func `A link may open a new tab`() {
    let action = PageAction.link("Show it in a new tab", to: "/it", inNewTab: true)
    #expect(action.html.description.contains(#"href="/it" target="_blank">"#))
  }

  @Test func `An error is announced at once, and has a retry only if one is offered`() {
    let plain = ErrorView("It failed", suggestion: "Free some space").html.description
    #expect(plain.contains(#"role="alert""#) && plain.contains("Free some space"))
    #expect(!plain.contains("<form") && !plain.contains("<code>"))
    let placed = ErrorView("It failed", detail: "charters.crew").html.description
    #expect(placed.contains("<code>charters.crew</code>"))
    let retry = ErrorView("It failed", retry: .post("Try again", to: "/retry")).html.description
    #expect(retry.contains(#"action="/retry""#) && retry.contains(">Try again</button>"))
  }

  @Test func `A part that is not loaded requests its content, and is rendered without it`() {
    func markup(isLoaded: Bool) -> String {
      LazyDetails(
        "Note", label: "Note: Flares", icon: Icon("chat-left", text: "✎"), id: "part",
        cssClass: "remarks", isLoaded: isLoaded, form: "open", to: "/run#row-7", name: "row",
        value: "7"
      ) { p { "What it says" } }.html.description
    }
    let waiting = markup(isLoaded: false)
    #expect(
      waiting.hasPrefix(
        #"<details id="part" class="remarks"><summary class="icon-button" aria-label="Note: Flares">"#
      ))
    #expect(
      waiting.contains(
        #"form="open" formaction="/run#row-7" name="row" value="7" aria-label="Note: Flares" "#))
    #expect(waiting.hasSuffix(#"data-more="">Note</button></details>"#))
    #expect(!waiting.contains("What it says"))
    let loaded = markup(isLoaded: true)
    #expect(loaded.hasPrefix(#"<details id="part" class="remarks" open>"#))
    #expect(loaded.contains("What it says") && !loaded.contains("<button"))
  }

  @Test(arguments: [true, false])
  func `A row states whether it is ticked, and its button sets the opposite`(
    isOn: Bool
  ) {
    let markup = TickRow("Flares", isOn: isOn, to: "/t", text: "In date", id: "i") {
      Badge("Critical", tone: .bad)
    }.html.description
    #expect(markup.contains(#"role="checkbox" aria-checked="\#(isOn)""#))
    #expect(markup.contains(#"name="isOn" value="\#(!isOn)""#))
    #expect(
      markup.contains(
        #"<span class="foot"><span class="badge bad">Critical</span><small class="stamp">"#))
    #expect(markup.hasPrefix(#"<form method="post" action="/t" novalidate id="i">"#))
  }

  @Test func `The line of the stamp always exists, and shows the error of a tick instead`() {
    func row(stamp: String?, error: String?) -> String {
      TickRow(
        "Flares", isOn: false, to: "/t", text: "In date", note: "Six", stamp: stamp, error: error,
        id: "i"
      ).html.description
    }
    let begin = #"<span>Flares</span><small>In date</small><small class="note">Six</small>"#
    let foot = begin + #"<span class="foot"><small class="stamp"#
    #expect(row(stamp: nil, error: nil).contains(foot + #""></small></span>"#))
    #expect(row(stamp: "Ada, 14:02", error: nil).contains(foot + #"">Ada, 14:02</small></span>"#))
    #expect(row(stamp: "14:02", error: "Full disk").contains(foot + #" error">Full disk</small>"#))
  }

  @Test func `A sheet is opened by a button without a script`() {
    let menu = Popover.menu("More actions", id: "more") { p { "x" } }.html.description
    #expect(menu.contains(#"popovertarget="more" aria-label="More actions""#))
    #expect(menu.contains(#"id="more" class="sheet" popover role="group""#))
    let list = Popover("2 open", id: "open") { p { "x" } }.html.description
    #expect(list.contains(#"popovertarget="open">2 open</button>"#))
  }

  @Test func `Tags are badges in a paragraph, which is left out if there are none`() {
    #expect(
      TagBadges(["Med", "<b>"]).html.description
        == #"<p class="tags"><span class="badge none">Med</span> "#
        + #"<span class="badge none">&lt;b&gt;</span> </p>"#)
    #expect(TagBadges([]).html.description.isEmpty)
  }

  @Test func `A row leads to a page`() {
    #expect(
      LinkRow("Alma", to: "/a", text: "Biograd", id: "r").html.description
        == #"""
        <a class="row" href="/a" id="r"><span class="label">Alma<small>Biograd</small></span></a>
        """#)
  }

  @Test func `The parts at the end of a row are grouped`() {
    let row = LinkRow("Alma", to: "/a") {
      Badge("New")
      Badge("Late", tone: .bad)
    }
    #expect(
      row.html.description.contains(
        #"""
        <span class="end"><span class="badge accent">New</span>\#
        <span class="badge bad">Late</span></span>
        """#))
  }

  @Test func `A card is a named group if it has a name`() {
    #expect(Card { p { "x" } }.html.description == #"<div class="card"><p>x</p></div>"#)
    #expect(
      Card(label: "Safety", id: "s") { "x" }.html.description
        == #"<div class="card" id="s" role="group" aria-label="Safety">x</div>"#)
  }

  @Test(arguments: [(10, 23, 10, 23), (-1, 5, 0, 5), (9, 5, 5, 5), (0, 0, 0, 1), (3, -2, 0, 1)])
  func `Progress stays between 0 and 1, whatever the numbers`(
    value: Int, total: Int, shown: Int, maximum: Int
  ) {
    let markup = ProgressBar(value, of: total, label: "Done").html.description
    #expect(markup.contains(#"value="\#(shown)" max="\#(maximum)" aria-label="Done""#))
  }

  @Test func `A state is written in words, whatever its dot`() {
    #expect(StatusLabel("Synced").html.description == #"<span class="status">Synced</span>"#)
    #expect(
      StatusLabel("1 waits", isOffline: true).html.description
        == #"<span class="status offline">1 waits</span>"#)
    #expect(
      StatusLabel("Not synced", tone: .neutral, link: nil).html.description
        == #"<span class="status none">Not synced</span>"#)
  }

  @Test func `A state may be a link with a descriptive label`() {
    let link = PageLink("Sync: 1 refused", to: "/sync")
    #expect(
      StatusLabel("1 refused", tone: .bad, link: link).html.description
        == #"<a class="status bad" href="/sync" aria-label="Sync: 1 refused">1 refused</a>"#)
  }
}

struct PictureTests {
  @Test func `A picture is loaded below the app's path, and has a text in its place`() {
    var page = Page("Boats")
    page.content = Picture("/files/alma", description: "A yacht").html
    let html = String(decoding: page.bytes(below: "/boats"), as: UTF8.self)
    #expect(
      html.contains(
        #"<img src="/boats/files/alma" alt="A yacht" loading="lazy" decoding="async">"#))
  }
}

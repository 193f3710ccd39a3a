/// How reports look: figures before names, which wrap; light and dark; no wider than the window.
enum ReportStyle {
  static let sheet = colours + page + cards + plot

  private static let colours = """
    :root { color-scheme: light dark; --ground: #fff; --text: #1b1f24; --soft: #57606a; --rule: #d8dde3;
      --band: #eef1f5;
      --pass: #17692b; --fail: #b3261e; --mark: #fdecea; --line: #2458a6; }
    @media (prefers-color-scheme: dark) { :root { --ground: #14171b; --text: #e4e7eb; --soft: #a3abb5; --rule: #343a42;
      --band: #1e232a; --pass: #72d08a; --fail: #ff8f86; --mark: #3a1e1d; --line: #8ab4f8; } }

    """

  private static let page = """
    * { box-sizing: border-box; }
    body { margin: 0; background: var(--ground); color: var(--text); font: 15px/1.5 system-ui, sans-serif; }
    main { max-width: 70rem; margin: 0 auto; padding: 2rem 1.25rem 3rem; overflow-wrap: anywhere; }
    h1 { font-size: 1.75rem; line-height: 1.2; margin: 0 0 .75rem; font-weight: 650; }
    h2 { font-size: 1.1rem; margin: 2.5rem 0 .5rem; font-weight: 650; }
    p { margin: .25rem 0 .75rem; } small { display: block; color: var(--soft); }
    .kind { margin: 0; color: var(--soft); font-size: .85rem; } .lead { color: var(--soft); }
    .verdict { font-size: 1.25rem; font-weight: 650; margin: 0; }
    .verdict::before { content: ""; display: inline-block; width: .7em; height: .7em; margin-right: .5em;
      border-radius: 50%; background: currentColor; }
    .pass { color: var(--pass); } .fail { color: var(--fail); font-weight: 650; }
    table { border-collapse: collapse; width: 100%; }
    th { color: var(--soft); font-size: .8rem; font-weight: 500; }
    th, td { padding: .3rem .6rem; text-align: left; vertical-align: top; border-bottom: 1px solid var(--rule); }
    .n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; overflow-wrap: normal; }
    .t { overflow-wrap: anywhere; }
    .facts { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .25rem 1.25rem; margin: 0; }
    dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }

    """

  /// Tables of figures and names. In a narrow window each row is a card, each figure under its name.
  private static let cards = """
    .cards th:first-child, .cards td:first-child { padding-left: 0; }
    @media (max-width: 60rem) {
      .cards thead { display: none; } .cards, .cards tbody { display: block; }
      .cards tr { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: .4rem .8rem; padding: .7rem 0;
        border-bottom: 1px solid var(--rule); }
      .cards td { display: block; padding: 0; border: 0; text-align: left; }
      .cards td[colspan] { grid-column: 1 / -1; } .cards .t { grid-column: span 3; }
      .cards td:empty { display: none; }
      .cards td[data-name]::before { content: attr(data-name); display: block; color: var(--soft); font-size: .75rem; }
      .cards .t { display: grid; grid-template-columns: 4.5rem minmax(0, 1fr); align-items: baseline; }
    }

    """

  private static let plot = """
    figure { margin: 1rem 0 1.5rem; } figcaption { color: var(--soft); font-size: .85rem; margin-top: .5rem; }
    .plot { display: grid; grid-template: 14rem auto / 2.6rem minmax(0, 1fr); margin: .6rem 0; }
    .scale { position: relative; color: var(--soft); font-size: .75rem; font-variant-numeric: tabular-nums; }
    .scale span { position: absolute; right: .5rem; transform: translateY(-50%); white-space: nowrap; }
    .base { grid-column: 2; height: 1.4rem; } .base span { right: auto; top: .2rem; transform: translateX(-50%); }
    .field { position: relative; border: solid var(--rule); border-width: 0 0 1px 1px; }
    .field svg { position: absolute; inset: 0; width: 100%; height: 100%; overflow: visible; }
    .field path { fill: none; vector-effect: non-scaling-stroke; } .band { fill: var(--band); }
    .grid { stroke: var(--rule); } .level-line { stroke: var(--fail); stroke-dasharray: 5 4; }
    .line { stroke: var(--line); stroke-width: 1.5; stroke-opacity: .6; }
    .dot { stroke: var(--line); stroke-width: 6; stroke-linecap: round; }
    .level, .name { position: absolute; font-size: .75rem; line-height: 1.3; }
    .level { right: .25rem; color: var(--fail); }

    """
}

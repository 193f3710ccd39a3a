/// How the page of a verification looks beside what all reports have in common.
enum VerifyStyle {
  static let sheet = results + layers + chart

  private static let results = """
    .results td:first-child { grid-column: 1 / -1; }

    """

  private static let layers = """
    .layers table { table-layout: fixed; }
    .layers .head, .layers summary { display: grid; grid-template-columns: 5rem 6rem 9rem minmax(0, 1fr); }
    .layers .head span, .layers summary > span { padding: .3rem .6rem; }
    .layers .head { color: var(--soft); font-size: .8rem; border-bottom: 1px solid var(--rule);
      grid-template-columns: 5rem 6rem 9rem minmax(0, 1fr); }
    .layers td:nth-child(1) { width: 5rem; } .layers td:nth-child(2) { width: 6rem; }
    .layers td:nth-child(3) { width: 9rem; } .layers td b { display: block; }
    .layers summary { cursor: pointer; background: var(--band); border-bottom: 1px solid var(--rule); }
    .layers summary .block { grid-column: span 2; } .layers summary .block::before { content: "▸ ";
      color: var(--soft); }
    .layers details[open] .block::before { content: "▾ "; }
    .layers details[open] > table { border-left: 3px solid var(--rule); margin-left: -3px; width: calc(100% + 3px); }
    .culprit td { background: var(--mark); }
    @media (max-width: 40rem) {
      .layers { font-size: .85rem; } .layers td, .layers .head span, .layers summary > span { padding: .3rem .25rem; }
      .layers .head, .layers summary { grid-template-columns: 3.2rem 4.4rem 5.4rem minmax(0, 1fr); }
      .layers td:nth-child(1) { width: 3.2rem; } .layers td:nth-child(2) { width: 4.4rem; }
      .layers td:nth-child(3) { width: 5.4rem; }
    }

    """

  private static let chart = """
    .dot.culprit { stroke: var(--fail); stroke-width: 11; }
    .name { max-width: 50%; padding: 0 .5rem; color: var(--fail); font-weight: 650; overflow-wrap: anywhere; }
    """
}

/// How the page of a measurement looks beside what all reports have in common.
enum BenchStyle {
  static let sheet = tiles + bars + chart

  private static let tiles = """
    .tiles { display: grid; grid-template-columns: repeat(auto-fill, minmax(10.5rem, 1fr)); gap: .75rem;
      margin: 1.5rem 0; }
    .tiles > div { background: var(--band); border-radius: .4rem; padding: .7rem .9rem; }
    .tiles .n { font-size: 1.35rem; font-weight: 650; line-height: 1.3; text-align: left; }
    .tiles small { font-size: .8rem; line-height: 1.35; }

    """

  private static let bars = """
    .bars > div { display: grid; grid-template-columns: 6rem 3.2rem minmax(0, 2fr) minmax(0, 3fr); gap: 0 .9rem;
      align-items: baseline; padding: .25rem 0; border-bottom: 1px solid var(--rule); }
    .bars svg { display: block; width: 100%; height: .8rem; } .bars rect { fill: var(--line); }
    @media (max-width: 40rem) { .bars > div { grid-template-columns: 6rem 3.2rem minmax(0, 1fr); }
      .bars .t { grid-column: 1 / -1; } }

    """

  private static let chart = """
    .roof { stroke: var(--fail); stroke-width: 1.5; } .roofed { stroke-opacity: .65; }
    .median-line { stroke: var(--soft); stroke-dasharray: 5 4; }
    """
}

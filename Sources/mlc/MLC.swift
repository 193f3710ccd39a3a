import ArgumentParser


@main struct MLC: ParsableCommand {}

#!/usr/bin/env bash
# Builds mlc so that it runs where no Swift is, and installs it below a folder: the command, the libraries that it needs
# besides the C library, manual pages, completions for shells, documentation, licences.
#
#   Sources/Distribution/stage.sh FOLDER
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
to=$1
build=$root/.build/static
here=$root/Sources/Distribution
cd "$root"

"$here/static-libraries.sh" "$build"
# A path relative to the command, which libraries of libraries are looked for in as well.
swift build --scratch-path "$build" -c release --explicit-target-dependency-import-check error --product mlc \
  --static-swift-stdlib --pkg-config-path "$build/libraries" \
  -Xlinker --disable-new-dtags -Xlinker -rpath -Xlinker '$ORIGIN/../lib/mlc'
mlc=$build/release/mlc

install -d "$to/bin" "$to/lib/mlc" "$to/share/man/man1" "$to/share/doc/mlc" "$to/share/bash-completion/completions" \
  "$to/share/zsh/site-functions" "$to/share/fish/vendor_completions.d"
install -m 755 -s "$mlc" "$to/bin/mlc"
shared=$("$here/shared-libraries.sh" "$mlc")
for library in $shared; do install -m 644 "$library" "$to/lib/mlc/"; done

"$here/manuals.sh" "$mlc" "$to/share/man/man1"
"$mlc" completion bash > "$to/share/bash-completion/completions/mlc"
"$mlc" completion zsh > "$to/share/zsh/site-functions/_mlc"
"$mlc" completion fish > "$to/share/fish/vendor_completions.d/mlc.fish"

install -m 644 README.md CHANGELOG.md SECURITY.md LICENSE "$to/share/doc/mlc/"
install -d "$to/share/doc/mlc/Specs"
cp -R Specs/Manual Specs/Package.md Specs/Kernels.md "$to/share/doc/mlc/Specs/"
"$here/notices.sh" "$build" $shared > "$to/share/doc/mlc/THIRD-PARTY"

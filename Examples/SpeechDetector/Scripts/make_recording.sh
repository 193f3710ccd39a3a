#!/usr/bin/env bash
# Synthesises Tests/SpeechDetectorTests/Fixtures/two-sentences.wav: a second of faint noise, a sentence, a second and a
# half of noise, another sentence, a second of noise. Prints where the sentences are, in seconds. Needs espeak-ng and
# sox.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../Tests/SpeechDetectorTests/Fixtures"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

say() {
  espeak-ng -v en-us -s 150 -w "$work/raw.wav" "$2"
  sox -q -D "$work/raw.wav" -r 16000 -c 1 -b 16 "$work/$1.wav" silence 1 0.01 0.5% reverse silence 1 0.01 0.5% reverse
}
say first "The quick brown fox jumps over the lazy dog."
say second "Speech is found, silence is not."
sox -q -n -R -r 16000 -c 1 -b 16 "$work/pause.wav" synth 1 whitenoise gain -60
sox -q -n -R -r 16000 -c 1 -b 16 "$work/middle.wav" synth 1.5 whitenoise gain -60
sox -q -D "$work/pause.wav" "$work/first.wav" "$work/middle.wav" "$work/second.wav" "$work/pause.wav" two-sentences.wav
first=$(soxi -D "$work/first.wav") second=$(soxi -D "$work/second.wav")
python3 -c "f, s = $first, $second; print(f'1.00 {1 + f:.2f}'); print(f'{2.5 + f:.2f} {2.5 + f + s:.2f}')"

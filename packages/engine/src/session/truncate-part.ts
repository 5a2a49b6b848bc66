import { type AudioClip, millisecondsOf } from '../audio/pcm.js'
import type { AudioPart } from './item.js'

/** Cuts a part of an answer at the given time: keeps the audio before it and the words spoken by then. */
export function truncatePart(
  part: AudioPart,
  sentences: readonly string[],
  endMilliseconds: number,
): AudioPart {
  const clips: AudioClip[] = []
  let words = ''
  let left = endMilliseconds
  for (const [index, clip] of part.clips.entries()) {
    const length = millisecondsOf(clip)
    const heard = Math.min(left, length)
    if (heard <= 0) break
    clips.push(heard === length ? clip : cutClip(clip, heard))
    words += cutWords(sentences[index] ?? '', length === 0 ? 1 : heard / length)
    left -= length
  }
  return { kind: 'audio', transcript: words.trimEnd(), clips }
}

function cutClip({ samples, rate }: AudioClip, milliseconds: number): AudioClip {
  return { rate, samples: samples.slice(0, Math.round((milliseconds * rate) / 1000)) }
}

/** Estimates the time of each word from its length. A half-heard word counts as not heard. */
function cutWords(sentence: string, share: number): string {
  if (share >= 1) return sentence
  const end = Math.floor(sentence.length * share)
  const wordEnd = sentence.lastIndexOf(' ', end)
  return wordEnd <= 0 ? '' : sentence.slice(0, wordEnd + 1)
}

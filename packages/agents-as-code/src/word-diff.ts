import type { Output } from '@parley/terminal'

interface Part {
  readonly kind: 'same' | 'removed' | 'added'
  readonly text: string
}

/** The table of the comparison has this many cells at most. Longer texts are compared line by line. */
const maxCells = 1_000_000
/** The words that are shown on each side of a change. Spaces count as words. */
const around = 12

/**
 * Returns the lines of a text with its changed words marked as `[-old-]` and `{+new+}`, and long unchanged parts left out.
 * Returns null if the texts share less than half of their words, or are too long to compare.
 */
export function describeWords(before: string, after: string, style: Output['style']): string[] | null {
  const parts = compareWords(before, after)
  if (parts === null) return null
  const shown = parts.flatMap((part, index) => {
    if (part.kind === 'same') return [fold(part.text, index > 0, index < parts.length - 1)]
    const [color, open, close] =
      part.kind === 'removed' ? (['red', '[-', '-]'] as const) : (['green', '{+', '+}'] as const)
    const lines = part.text.split('\n').map((line) => (line === '' ? '' : style(color, open + line + close)))
    return [lines.join('\n')]
  })
  return shown
    .join('')
    .split('\n')
    .map((line) => `      ${line}`)
}

function compareWords(before: string, after: string): Part[] | null {
  const [old, fresh] = [before, after].map((text) => text.split(/(\s+)/)) as [string[], string[]]
  if (old.length * fresh.length > maxCells) return null
  const common = commonLengths(old, fresh)
  if (at(common, 0, 0) * 2 < Math.max(old.length, fresh.length)) return null
  const parts: Part[] = []
  const add = (kind: Part['kind'], text: string) => {
    const last = parts.at(-1)
    if (last?.kind === kind) parts[parts.length - 1] = { kind, text: last.text + text }
    else parts.push({ kind, text })
  }
  let [left, right] = [0, 0]
  while (left < old.length || right < fresh.length) {
    const [one, other] = [old[left], fresh[right]]
    if (one !== undefined && one === other) {
      add('same', one)
      left += 1
      right += 1
    } else if (
      one !== undefined &&
      (other === undefined || at(common, left + 1, right) >= at(common, left, right + 1))
    ) {
      add('removed', one)
      left += 1
    } else {
      add('added', other ?? '')
      right += 1
    }
  }
  return parts
}

/** Returns the number of common words in the rests of both texts, for each pair of positions. */
function commonLengths(old: readonly string[], fresh: readonly string[]): readonly Uint16Array[] {
  const rows = Array.from({ length: old.length + 1 }, () => new Uint16Array(fresh.length + 1))
  for (let left = old.length - 1; left >= 0; left -= 1)
    for (let right = fresh.length - 1; right >= 0; right -= 1) {
      const longest =
        old[left] === fresh[right]
          ? at(rows, left + 1, right + 1) + 1
          : Math.max(at(rows, left + 1, right), at(rows, left, right + 1))
      rows[left]?.fill(longest, right, right + 1)
    }
  return rows
}

const at = (rows: readonly Uint16Array[], left: number, right: number): number => rows[left]?.[right] ?? 0

/** Shortens an unchanged part to the words next to the changes before and after it. */
function fold(text: string, isAfterChange: boolean, isBeforeChange: boolean): string {
  const words = text.split(/(\s+)/)
  const head = isAfterChange ? around : 0
  const tail = isBeforeChange ? around : 0
  if (words.length <= head + tail + 1) return text
  return [...words.slice(0, head), '…', ...words.slice(words.length - tail)].join('')
}

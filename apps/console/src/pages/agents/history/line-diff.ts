export interface DiffLine {
  readonly kind: 'same' | 'removed' | 'added'
  readonly text: string
}

/** The table's size is the product of both lengths. */
const maxLines = 600

/** A line diff by longest common subsequence. */
export function diffLines(before: string, after: string): readonly DiffLine[] {
  const [old, fresh] = [linesOf(before), linesOf(after)]
  if (old.length > maxLines || fresh.length > maxLines)
    return [...marked('removed', old), ...marked('added', fresh)]
  const common = commonLengths(old, fresh)
  const lines: DiffLine[] = []
  let [left, right] = [0, 0]
  while (left < old.length && right < fresh.length) {
    const [one = '', other = ''] = [old[left], fresh[right]]
    const isSame = one === other
    const isRemoved = !isSame && at(common, left + 1, right) >= at(common, left, right + 1)
    if (isSame) lines.push({ kind: 'same', text: one })
    else lines.push(isRemoved ? { kind: 'removed', text: one } : { kind: 'added', text: other })
    if (isSame || isRemoved) left += 1
    if (!isRemoved) right += 1
  }
  return [...lines, ...marked('removed', old.slice(left)), ...marked('added', fresh.slice(right))]
}

const linesOf = (text: string) => (text === '' ? [] : text.split('\n'))

/** The number of common lines in the rests of both texts, for each pair of positions. */
function commonLengths(old: readonly string[], fresh: readonly string[]): readonly Uint16Array[] {
  const rows = Array.from({ length: old.length + 1 }, () => new Uint16Array(fresh.length + 1))
  for (let left = old.length - 1; left >= 0; left -= 1)
    for (let right = fresh.length - 1; right >= 0; right -= 1) {
      const row = rows[left]
      if (row === undefined) continue
      row[right] =
        old[left] === fresh[right]
          ? at(rows, left + 1, right + 1) + 1
          : Math.max(at(rows, left + 1, right), at(rows, left, right + 1))
    }
  return rows
}

const at = (rows: readonly Uint16Array[], left: number, right: number): number => rows[left]?.[right] ?? 0

const marked = (kind: DiffLine['kind'], lines: readonly string[]): DiffLine[] =>
  lines.map((text) => ({ kind, text }))

/** Long unchanged runs are shortened to a few lines around each change. */
export function foldSame(lines: readonly DiffLine[], around = 2): readonly (DiffLine | number)[] {
  const isNear = lines.map((_, index) =>
    lines.slice(Math.max(0, index - around), index + around + 1).some(({ kind }) => kind !== 'same'),
  )
  const folded: (DiffLine | number)[] = []
  lines.forEach((line, index) => {
    const last = folded.at(-1)
    if (isNear[index]) folded.push(line)
    else if (typeof last === 'number') folded[folded.length - 1] = last + 1
    else folded.push(1)
  })
  return folded
}

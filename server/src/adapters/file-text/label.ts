const maxLabelLength = 120

/** A heading as the name of a place: one line, not endless; null where nothing is left of it. */
export function labelOf(heading: string): string | null {
  const line = heading.replaceAll(/\s+/g, ' ').trim()
  return line === '' ? null : line.slice(0, maxLabelLength).replace(/[\uD800-\uDBFF]$/, '')
}

/**
 * So many of the items, others at each turn. For what one part decides for every operation: that each operation asks that
 * part is seen with any of the items, and what it decides with all of them, somewhere.
 */
export function inTurns<Item>(items: readonly Item[], turn: number, count: number): Item[] {
  const start = (turn * count) % items.length
  return [...items, ...items].slice(start, start + count)
}

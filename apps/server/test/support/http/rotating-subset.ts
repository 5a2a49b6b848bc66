/**
 * Returns this number of the items, different ones at each turn. If one component decides for every
 * operation, each operation needs only some of the items, and all items are covered together.
 */
export function rotatingSubset<Item>(items: readonly Item[], turn: number, count: number): Item[] {
  const start = (turn * count) % items.length
  return [...items, ...items].slice(start, start + count)
}

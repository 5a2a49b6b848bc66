/** What is known by its place in a list alone, as everything else about it can be changed. */
export interface Placed<Item> {
  readonly item: Item
  readonly place: number
}

export function placed<Item>(items: readonly Item[]): readonly Placed<Item>[] {
  return items.map((item, place) => ({ item, place }))
}

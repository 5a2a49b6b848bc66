/** Row identity by index, because every field of the row is editable. */
export interface Placed<Item> {
  readonly item: Item
  readonly place: number
}

export function placed<Item>(items: readonly Item[]): readonly Placed<Item>[] {
  return items.map((item, place) => ({ item, place }))
}

/** Rows are identified by index, because every field of the row is editable. */
export interface Indexed<Item> {
  readonly item: Item
  readonly index: number
}

export function withIndex<Item>(items: readonly Item[]): readonly Indexed<Item>[] {
  return items.map((item, index) => ({ item, index }))
}

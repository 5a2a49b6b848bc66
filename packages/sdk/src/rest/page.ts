/** One page of a list. */
export interface Page<Item> {
  /** The items of this page, newest first; messages of a conversation in the order they were said. */
  items: Item[]
  /** How many items there are on all pages. */
  totalCount: number
  /** The Offset that was used. */
  offset: number
  /** The Limit that was used. */
  limit: number
}

/** One page of a list. */
export interface Page<Item> {
  /** The items of this page, newest first. Messages are in the order of the conversation. */
  items: Item[]
  /** The number of items on all pages. */
  totalCount: number
  offset: number
  limit: number
}

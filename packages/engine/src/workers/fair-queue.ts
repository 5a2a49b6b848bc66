/** What waits, taken from one owner after the other, however much each of them has. */
export class FairQueue<Item> {
  /** In the order of their turn: whoever is served goes to the end. */
  readonly #byOwner = new Map<string, Item[]>()
  #size = 0

  get size(): number {
    return this.#size
  }

  add(owner: string, item: Item): void {
    const own = this.#byOwner.get(owner)
    if (own) own.push(item)
    else this.#byOwner.set(owner, [item])
    this.#size += 1
  }

  /** Takes the first item of the owner whose turn it is. */
  next(): Item | undefined {
    const [first] = this.#byOwner
    if (first === undefined) return undefined
    const [owner, items] = first
    const item = items.shift()
    this.#byOwner.delete(owner)
    if (items.length > 0) this.#byOwner.set(owner, items)
    this.#size -= 1
    return item
  }

  /** Takes the newest item of whoever has the most, where this owner would still have less with one more. */
  makeRoomFor(owner: string): Item | undefined {
    const own = this.#byOwner.get(owner)?.length ?? 0
    const [longest] = [...this.#byOwner.values()].sort((a, b) => b.length - a.length)
    // Two more than its own: with less, the two would go on taking each other's place.
    if (longest === undefined || longest.length < own + 2) return undefined
    this.#size -= 1
    return longest.pop()
  }

  takeAll(): Item[] {
    const all = [...this.#byOwner.values()].flat()
    this.#byOwner.clear()
    this.#size = 0
    return all
  }
}

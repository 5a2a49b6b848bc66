/** A queue that takes items from one owner after the other, however many each has. */
export class RoundRobinQueue<Item> {
  /** In the order of their turns. A served owner moves to the end. */
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

  /** Removes the first item of the owner whose turn it is. */
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

  /** Removes the newest item of the owner with the most items, if this owner would still have fewer after adding one. */
  makeRoomFor(owner: string): Item | undefined {
    const own = this.#byOwner.get(owner)?.length ?? 0
    const [longest] = [...this.#byOwner.values()].sort((a, b) => b.length - a.length)
    // Requires a difference of two. With less, two owners would keep evicting each other.
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

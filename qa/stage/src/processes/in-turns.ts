/** Reverses the order in every second round, so that other load on the machine affects all items equally. */
export const inTurns = <Item>(round: number, items: readonly Item[]): readonly Item[] =>
  round % 2 === 0 ? items : items.toReversed()

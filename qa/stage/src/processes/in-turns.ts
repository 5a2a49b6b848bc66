/** There and back again from round to round, so that whatever else the machine does hits all alike. */
export const inTurns = <Item>(round: number, items: readonly Item[]): readonly Item[] =>
  round % 2 === 0 ? items : items.toReversed()

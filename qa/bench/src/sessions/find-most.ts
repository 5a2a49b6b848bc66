/** The result of a trial: the amount worked, was too much, or saturated the load itself. */
export type Trial = 'held' | 'too much' | 'cannot tell'

export interface MostFound {
  /** The largest amount that worked, or 0 if none did. */
  readonly most: number
  /** Why the search ended: the next amount was too much, the load was saturated, or the time was up. */
  readonly endedBy: 'too much' | 'cannot tell' | 'end of the search'
}

export interface SearchBounds {
  readonly from: number
  readonly to: number
  /** The search ends when the gap between the bounds is below this share. */
  readonly precision: number
  /** Returns whether there is time for another trial. */
  readonly hasTime: () => boolean
}

/** Doubles the amount until it is too much, then bisects. */
export async function findMost(
  trial: (amount: number) => Promise<Trial>,
  { from, to, precision, hasTime }: SearchBounds,
): Promise<MostFound> {
  let held = 0
  let next = from
  let above: { readonly amount: number; readonly why: 'too much' | 'cannot tell' } | undefined
  while (hasTime() && next <= to) {
    const shown = await trial(next)
    if (shown === 'held') held = next
    else above = { amount: next, why: shown }
    if (above === undefined) next = held * 2
    else {
      if (above.amount - held <= above.amount * precision) return { most: held, endedBy: above.why }
      next = Math.round((held + above.amount) / 2)
    }
  }
  return { most: held, endedBy: 'end of the search' }
}

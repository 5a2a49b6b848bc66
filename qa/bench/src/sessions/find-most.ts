/** What trying an amount has shown: it is held, it is too much, or the machine had no room to tell. */
export type Trial = 'held' | 'too much' | 'cannot tell'

export interface MostFound {
  /** The largest amount that was held; 0 where none was. */
  readonly most: number
  /** Why there is no more: it was too much, the machine could not tell, or the search was over before one of them was clear. */
  readonly endedBy: 'too much' | 'cannot tell' | 'end of the search'
}

export interface SearchBounds {
  readonly from: number
  readonly to: number
  /** What is left between held and too much is not narrowed down below this share of it. */
  readonly precision: number
  /** Whether there is time for another trial. */
  readonly hasTime: () => boolean
}

/** Doubles an amount until it is too much, then halves what lies between. */
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

import type { Activity, ChangeCursor, FoundChange } from '../../ports/change-store.js'

const pauseMilliseconds = 1000

interface WaitingActivity {
  readonly activity: Activity
  /** Where the look began that found it. */
  readonly since: ChangeCursor
}

/** What goes on without a pause is told once a second at most: whoever is told reads all of it again. */
export class PacedActivities {
  readonly #toldAt = new Map<string, number>()
  readonly #waiting = new Map<string, WaitingActivity>()

  /** Where a stream has to go on that breaks off before what waits was told; null where nothing does. */
  get heldFrom(): ChangeCursor | null {
    const places = [...this.#waiting.values()].map(({ since }) => since)
    return places.sort((one, other) => one.microseconds - other.microseconds)[0] ?? null
  }

  /** Of what a look that began at `since` has found, what is told now; `now` is in milliseconds, of a clock that does not go back. */
  pass(found: readonly FoundChange[], since: ChangeCursor, now: number): readonly FoundChange[] {
    for (const [name, toldAt] of this.#toldAt)
      if (now - toldAt >= pauseMilliseconds) this.#toldAt.delete(name)
    for (const activity of found) {
      if (activity.kind !== 'activity') continue
      const name = `${activity.resource} ${activity.id}`
      this.#waiting.set(name, { activity, since: this.#waiting.get(name)?.since ?? since })
    }
    const due = [...this.#waiting].filter(([name]) => !this.#toldAt.has(name))
    for (const [name] of due) {
      this.#waiting.delete(name)
      this.#toldAt.set(name, now)
    }
    return [...found.filter(({ kind }) => kind !== 'activity'), ...due.map(([, { activity }]) => activity)]
  }
}

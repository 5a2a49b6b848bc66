import type { LegListener } from '#telephone/leg.js'

/** A listener that records its calls as `[name, …arguments]`. */
export function recordEvents() {
  const events: unknown[][] = []
  const record =
    (name: string) =>
    (...values: unknown[]) => {
      events.push([name, ...values])
    }
  const listener: LegListener = {
    ringing: record('ringing'),
    answered: record('answered'),
    audio: (audio) => {
      events.push(['audio', Buffer.from(audio).toString('latin1')])
    },
    digit: record('digit'),
    played: record('played'),
    held: record('held'),
    ended: record('ended'),
  }
  return { listener, events, of: (name: string) => events.filter(([first]) => first === name) }
}

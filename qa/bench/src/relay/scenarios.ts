import { type FrameShape, usualShape } from '@parley/stage/load/frames'

/** A load for all targets. */
export interface Scenario {
  readonly name: string
  /** A description of the difference from the usual load. */
  readonly about: string
  readonly sessions: number
  /** In each direction, per session. */
  readonly framesPerSecond: number
  readonly shape: FrameShape
  /** How many frames the provider sends at once. */
  readonly burst: number
  /** Whether clients and provider speak TLS. */
  readonly isSecure: boolean
  /** Whether a target applies to the scenario. Such scenarios get more rounds. */
  readonly isJudged: boolean
  /** Whether the quick run includes it. */
  readonly isQuick: boolean
}

const usual: Omit<Scenario, 'name' | 'about'> = {
  sessions: 100,
  framesPerSecond: 25,
  shape: usualShape,
  burst: 1,
  isSecure: false,
  isJudged: false,
  isQuick: true,
}

export const scenarios: readonly Scenario[] = [
  { ...usual, name: '100', about: '', isJudged: true },
  { ...usual, name: '20ms', about: 'pieces of 20 ms', shape: { milliseconds: 20, hasEventId: false } },
  {
    ...usual,
    name: 'event-id',
    about: 'client frames with an event_id, like those of the reference client',
    shape: { milliseconds: 100, hasEventId: true },
  },
  // One second of speech at once.
  { ...usual, name: 'burst', about: 'the provider sends ten frames at once', burst: 10 },
  { ...usual, name: '400', about: '', sessions: 400, isJudged: true },
  {
    ...usual,
    name: '400-half',
    about: 'half the rate, which all relays except the parsing one can carry',
    sessions: 400,
    framesPerSecond: 12.5,
    isJudged: true,
    isQuick: false,
  },
  { ...usual, name: '1000', about: '', sessions: 1000, framesPerSecond: 5, isQuick: false },
  { ...usual, name: 'tls', about: 'TLS on both sides', isSecure: true },
]

/** Groups scenarios that can share open sessions. */
export function groupScenarios(chosen: readonly Scenario[]): Scenario[][] {
  const groups = new Map<string, Scenario[]>()
  for (const scenario of chosen) {
    const key = `${scenario.sessions} ${scenario.isSecure}`
    groups.set(key, [...(groups.get(key) ?? []), scenario])
  }
  return [...groups.values()]
}

/** Lowers the rate for all targets to a rate that a small machine can carry. */
export function withinReach(scenario: Scenario, maxMessagesPerSecond: number): Scenario {
  const { sessions, framesPerSecond, isSecure } = scenario
  // With TLS, four processes also encrypt and decrypt.
  const max = isSecure ? maxMessagesPerSecond / 4 : maxMessagesPerSecond
  return { ...scenario, framesPerSecond: Math.min(framesPerSecond, max / (2 * sessions)) }
}

export function describeScenario({ sessions, framesPerSecond, shape, about }: Scenario): string {
  const kilobytes = (shape.milliseconds * 64) / 1000
  const load = `${sessions} sessions, ${framesPerSecond} frames of ${kilobytes.toFixed(1)} KB per second in each direction on each session`
  return about === '' ? load : `${load}, ${about}`
}

import { type FrameShape, usualShape } from '@parley/stage/load/frames'

/** A load that is put on every target alike. */
export interface Scenario {
  readonly name: string
  /** What is special about it. */
  readonly about: string
  readonly sessions: number
  /** Each way, on each session. */
  readonly framesPerSecond: number
  readonly shape: FrameShape
  /** How many frames the provider sends in one go. */
  readonly burst: number
  /** Whether clients and provider speak TLS. */
  readonly isSecure: boolean
  /** Whether bars are judged by it: it gets more rounds. */
  readonly isJudged: boolean
  /** Whether the quick form has it. */
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
    about: "client frames with an event_id, as the reference client's have",
    shape: { milliseconds: 100, hasEventId: true },
  },
  // A second of speech in one go.
  { ...usual, name: 'burst', about: 'the provider sends ten frames in one go', burst: 10 },
  { ...usual, name: '400', about: '', sessions: 400, isJudged: true },
  {
    ...usual,
    name: '400-half',
    about: 'half the rate, which every relay carries but the one that parses',
    sessions: 400,
    framesPerSecond: 12.5,
    isJudged: true,
    isQuick: false,
  },
  { ...usual, name: '1000', about: '', sessions: 1000, framesPerSecond: 5, isQuick: false },
  { ...usual, name: 'tls', about: 'TLS on both sides', isSecure: true },
]

/** Scenarios that the same open sessions can carry. */
export function groupScenarios(chosen: readonly Scenario[]): Scenario[][] {
  const groups = new Map<string, Scenario[]>()
  for (const scenario of chosen) {
    const key = `${scenario.sessions} ${scenario.isSecure}`
    groups.set(key, [...(groups.get(key) ?? []), scenario])
  }
  return [...groups.values()]
}

/** Lowers the rate, for everybody alike, to what a small machine can carry in all. */
export function withinReach(scenario: Scenario, maxMessagesPerSecond: number): Scenario {
  const { sessions, framesPerSecond, isSecure } = scenario
  // TLS is made and undone by four processes instead of none.
  const most = isSecure ? maxMessagesPerSecond / 4 : maxMessagesPerSecond
  return { ...scenario, framesPerSecond: Math.min(framesPerSecond, most / (2 * sessions)) }
}

export function describeScenario({ sessions, framesPerSecond, shape, about }: Scenario): string {
  const kilobytes = (shape.milliseconds * 64) / 1000
  const load = `${sessions} sessions, ${framesPerSecond} frames of ${kilobytes.toFixed(1)} KB a second each way on each of them`
  return about === '' ? load : `${load}; ${about}`
}

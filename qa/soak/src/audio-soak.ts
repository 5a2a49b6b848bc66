import { setTimeout as sleep } from 'node:timers/promises'
import { residentBytes } from '@parley/stage/processes/process-usage'
import { describeTable } from '@parley/stage/terminal/table'
import { heldBytes, processTimes } from '@parley/stage/voice/browser'
import type { SpeakerSample } from '@parley/stage/voice/speaker-tap'
import { startVoiceStage, type VoiceStage } from '@parley/stage/voice/voice-stage'
import type { CDPSession, Page } from 'playwright-core'
import { lagOf } from './drift.js'

const warmUpMilliseconds = 10_000
/** The lag of a point is the median of this window. */
const windowMilliseconds = 10_000
const maxDriftMilliseconds = 20
const maxGrowthBytes = 1024 * 1024

interface SoakPoint {
  readonly minutes: number
  readonly playedSeconds: number
  readonly gapMilliseconds: number
  readonly speakerLag: number
  readonly microphoneLag: number
  readonly heldBytes: number
  readonly residentBytes: number
}

/**
 * Plays audio in both directions through the SDK in a page. Returns true if memory did not grow and the
 * audio did not drift.
 */
export async function runAudioSoak(minutes: number): Promise<boolean> {
  const stage = await startVoiceStage()
  try {
    const { page, session } = await stage.openPage()
    await page.evaluate("sdk.connect({ ticket: '/session' }).then((voice) => { globalThis.voice = voice })")
    await sleep(warmUpMilliseconds)
    const points = [await takePoint(stage, page, session, 0)]
    const startedAt = performance.now() - windowMilliseconds
    while (points.length <= Math.ceil(minutes)) {
      const wanted = Math.min(points.length, minutes)
      await sleep(Math.max(0, startedAt + wanted * 60_000 - performance.now()))
      const point = await takePoint(stage, page, session, wanted)
      points.push(point)
      console.log(`  ${wanted} min: drift ${drift(points, 'speakerLag').toFixed(1)} ms`)
    }
    const phase = await page.evaluate<string>('voice.getState().phase')
    console.log(`\n${describePoints(points)}\n`)
    const faults = findFaults(points, phase)
    for (const fault of faults) console.log(`  ✗ ${fault}`)
    console.log(faults.length === 0 ? `Flat: ${minutes} minutes of audio in both directions.` : 'Not flat.')
    return faults.length === 0
  } finally {
    await stage.close()
  }
}

/** Measures the audio of one window, and then the memory of the page. */
async function takePoint(
  { provider, browserSession }: VoiceStage,
  page: Page,
  session: CDPSession,
  minutes: number,
): Promise<SoakPoint> {
  await page.evaluate('speakerMoments.length = 0')
  const heardBefore = provider.heard.length
  await sleep(windowMilliseconds)
  const spoken = await page.evaluate<SpeakerSample[]>('speakerMoments')
  const heard = provider.heard.slice(heardBefore)
  const last = spoken.at(-1)
  const { pagePids } = await processTimes(browserSession)
  return {
    minutes,
    playedSeconds: (last?.playedMilliseconds ?? 0) / 1000,
    gapMilliseconds: last?.gapMilliseconds ?? 0,
    speakerLag: lagOf(
      spoken.map(({ atMilliseconds, playedMilliseconds }) => ({
        atMilliseconds,
        soundMilliseconds: playedMilliseconds,
      })),
    ),
    microphoneLag: lagOf(
      heard.map(({ atMilliseconds, heardMilliseconds }) => ({
        atMilliseconds,
        soundMilliseconds: heardMilliseconds,
      })),
    ),
    heldBytes: await heldBytes(session),
    residentBytes: residentBytes(pagePids),
  }
}

type Lag = 'speakerLag' | 'microphoneLag'

/** Returns the change between the first and the last point. */
function drift(points: readonly SoakPoint[], lag: Lag): number {
  return (points.at(-1)?.[lag] ?? Number.NaN) - (points[0]?.[lag] ?? Number.NaN)
}

function describePoints(points: readonly SoakPoint[]): string {
  const mebibytes = (bytes: number) => (bytes / 1024 / 1024).toFixed(2)
  const rows = points.map((point, index) => [
    String(point.minutes),
    point.playedSeconds.toFixed(1),
    point.gapMilliseconds.toFixed(0),
    drift(points.slice(0, index + 1), 'speakerLag').toFixed(1),
    drift(points.slice(0, index + 1), 'microphoneLag').toFixed(1),
    mebibytes(point.heldBytes),
    mebibytes(point.residentBytes),
  ])
  return describeTable([
    ['minutes', 'played s', 'gaps ms', 'drift ms', 'microphone drift ms', 'heap MiB', 'process MiB'],
    ...rows,
  ])
}

/** Returns the faults. Does not judge the memory of the process, because browsers release it at any time. */
function findFaults(points: readonly SoakPoint[], phase: string): string[] {
  const [first, last] = [points[0], points.at(-1)]
  if (first === undefined || last === undefined || phase === 'ended') return ['the session ended']
  const faults: string[] = []
  for (const lag of ['speakerLag', 'microphoneLag'] as const)
    if (!(Math.abs(drift(points, lag)) < maxDriftMilliseconds))
      faults.push(`${lag} changed by ${drift(points, lag).toFixed(1)} ms`)
  const grown = last.heldBytes - first.heldBytes
  if (!(grown < maxGrowthBytes)) faults.push(`the page's heap grew by ${Math.round(grown / 1024)} KiB`)
  return faults
}

import { type EngineOptions, type EngineWorkers, startEngineWorkers } from '@parley/engine'
import { speakLongSentence } from './questions.js'
import { resultOf } from './result-of.js'

export type Runtime = Exclude<NonNullable<EngineOptions['runtime']>, 'auto'>

/** Seconds of work per second of audio. */
export interface RealTimeFactors {
  readonly hearing: number
  readonly speaking: number
}

const rounds = 5

export function startWorkers(runtime: Runtime): EngineWorkers {
  return startEngineWorkers({ runtime, maxWaiting: 32, onProgress: () => undefined })
}

/** Measures the speed of each part on an idle machine: the median of the rounds, after one warm-up round. */
export async function measureRealTimeFactors(workers: EngineWorkers): Promise<RealTimeFactors> {
  const hearing: number[] = []
  const speaking: number[] = []
  for (let round = 0; round <= rounds; round += 1) {
    const startedAt = performance.now()
    const clip = await speakLongSentence(workers)
    const spokenAt = performance.now()
    resultOf(await workers.speechToText.transcribe(clip, {}))
    const heardAt = performance.now()
    if (round === 0) continue
    const soundMilliseconds = (clip.samples.length * 1000) / clip.rate
    speaking.push((spokenAt - startedAt) / soundMilliseconds)
    hearing.push((heardAt - spokenAt) / soundMilliseconds)
  }
  return { hearing: middle(hearing), speaking: middle(speaking) }
}

function middle(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN
}

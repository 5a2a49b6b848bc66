import { EngineLane } from '../engine/engine-lane.js'
import { speakQuestions } from '../engine/questions.js'
import { type Runtime, startWorkers } from '../engine/real-time-factors.js'
import type { StartedWorks } from './growing-work.js'

const runtime: Runtime = 'native'

/** Concurrent engine callers with the same question, so that twice as many callers cause twice the work. */
export async function startEngineWork(): Promise<StartedWorks> {
  const workers = startWorkers(runtime)
  const [question = Buffer.alloc(0)] = await speakQuestions(workers)
  await workers.close()
  const lane = await EngineLane.open(runtime, [question])
  const work = {
    name: 'engine caller asks and hears the answer',
    async cost(factor: number) {
      const { cpuMilliseconds, unansweredTurns } = await lane.measure(factor, 1)
      if (unansweredTurns > 0) throw new Error(`${unansweredTurns} of ${factor} callers got no answer.`)
      return cpuMilliseconds
    },
  }
  return { works: [work], stop: () => lane.close() }
}

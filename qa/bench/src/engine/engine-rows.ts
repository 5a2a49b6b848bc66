import { figure, type Row } from '../report/row.js'
import { firstSound, type RuntimeResult } from './engine-report.js'

/** A row for each number of callers. */
export function makeEngineRows({ runtime, factors, levels }: RuntimeResult): Row[] {
  const head = { bench: 'engine', scenario: runtime }
  const title = `${runtime === 'native' ? 'Native runtime' : 'WebAssembly'}, callers at once`
  const speed: Row = {
    bench: 'engine',
    scenario: `${runtime} speed`,
    title: `${runtime === 'native' ? 'Native runtime' : 'WebAssembly'}, seconds of work for a second of sound`,
    subject: 'the engine alone',
    figures: [...figure('hearing', 's', [factors.hearing]), ...figure('speaking', 's', [factors.speaking])],
  }
  const rows = levels.map((level): Row => {
    const sounds = { p50: firstSound(level, 0.5), p95: firstSound(level, 0.95) }
    return {
      ...head,
      title,
      subject: `${level.sessions}`,
      figures: [
        ...figure('first audio p50', 'ms', [sounds.p50]),
        ...figure('first audio p95', 'ms', [sounds.p95]),
        ...figure('unanswered', '', [level.unansweredTurns]),
        ...figure('cores', '', [level.cpuShare]),
        ...figure('memory', 'MiB', [level.residentBytes / 1024 ** 2]),
      ],
    }
  })
  return [speed, ...rows]
}

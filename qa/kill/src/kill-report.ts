import { describeTable } from '@parley/stage/terminal/table'
import type { KillResult } from './kill-run.js'

/** Returns the faults of all tasks and of the whole run. */
export function findKillFaults({ tasks, leftInProgress }: KillResult): readonly string[] {
  return [
    ...tasks.flatMap(({ title, faults }) => faults.map((fault) => `${title} ${fault}`)),
    ...(leftInProgress > 0 ? [`${leftInProgress} tasks are still in progress`] : []),
  ]
}

export function describeKills(results: readonly KillResult[]): string {
  const head = [
    'database, kills from',
    ...[
      'kills',
      'tasks',
      'done',
      'failed',
      'attempts',
      'calls',
      'effects',
      'unknown',
      'asked',
      'faults',
      'minutes',
    ],
  ]
  return describeTable([head, ...results.map(rowOf)])
}

function rowOf(result: KillResult): readonly string[] {
  const { database, mode, kills, tasks, asked, seconds } = result
  const sum = (of: (task: KillResult['tasks'][number]) => number) =>
    String(tasks.reduce((total, task) => total + of(task), 0))
  return [
    `${database}, ${mode === 'endpoint' ? 'the tool' : 'the clock'}`,
    String(kills),
    String(tasks.length),
    sum(({ status }) => (status === 'done' ? 1 : 0)),
    sum(({ status }) => (status === 'failed' ? 1 : 0)),
    sum(({ attempts }) => attempts),
    sum(({ calls }) => calls),
    sum(({ effects }) => effects),
    sum(({ unknown }) => unknown),
    String(asked),
    String(findKillFaults(result).length),
    (seconds / 60).toFixed(1),
  ]
}

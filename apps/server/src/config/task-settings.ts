import type { SettingTable } from './setting.js'
import { wholeNumber } from './setting-schemas.js'

/** How agents work at tasks. */
export const taskSettings = {
  PARLEY_TASK_RUNS: {
    default: '16',
    schema: wholeNumber(0, 10_000),
    about: 'Runs of tasks that one process works at once, half of them of one organization; 0: none.',
  },
  PARLEY_TASK_RUN_SECONDS: {
    default: '3600',
    schema: wholeNumber(1, 604_800),
    about: 'How long a run of a task may take, pauses between its attempts included.',
  },
  PARLEY_TASK_RETRY_SECONDS: {
    default: '10',
    schema: wholeNumber(0, 3_600),
    about: 'The pause after the first attempt at a task; each further one is twice as long, up to an hour.',
  },
  PARLEY_TASK_MAX_STEPS: {
    default: '50',
    schema: wholeNumber(1, 1_000),
    about: 'How many times in one attempt at a task its model may call tools before it must answer.',
  },
} as const satisfies SettingTable

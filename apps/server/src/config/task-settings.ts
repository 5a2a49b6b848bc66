import type { SettingTable } from './setting.js'
import { wholeNumber } from './setting-schemas.js'

/** How agents work on tasks. */
export const taskSettings = {
  PARLEY_TASK_RUNS: {
    default: '16',
    schema: wholeNumber(0, 10_000),
    about:
      'The maximum number of concurrent task runs in one process. One organization may use half of them. 0 turns task runs off.',
  },
  PARLEY_TASK_RUN_SECONDS: {
    default: '3600',
    schema: wholeNumber(1, 604_800),
    about: 'How long a task run may take, including the pauses between its attempts.',
  },
  PARLEY_TASK_RETRY_SECONDS: {
    default: '10',
    schema: wholeNumber(0, 3_600),
    about: 'The pause after the first attempt at a task. Each further pause is twice as long, up to an hour.',
  },
  PARLEY_TASK_MAX_STEPS: {
    default: '50',
    schema: wholeNumber(1, 1_000),
    about:
      'The maximum number of steps with tool calls in one attempt at a task. Then the model must answer.',
  },
} as const satisfies SettingTable

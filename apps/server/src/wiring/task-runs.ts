import type { Config } from '../config/config.js'
import { TaskRuns, type TaskRunsDependencies } from '../domain/task-runs/task-runs.js'
import { makePhoneCalls } from '../domain/telephone/phone-calls.js'
import type { Questions } from '../domain/turns/ask-question.js'

export interface ComposeTaskRunsOptions
  extends Omit<TaskRunsDependencies, 'settings' | 'maxRunning' | 'running' | 'phoneCalls'> {
  readonly config: Config
  readonly questions: Questions
}

/** Composes the task runs with the limits of this deployment. */
export function composeTaskRuns({ config, questions, ...options }: ComposeTaskRunsOptions): TaskRuns {
  const { tasks: settings } = config
  const phoneCalls = makePhoneCalls(options)
  return new TaskRuns({
    ...options,
    phoneCalls,
    running: questions.running,
    settings,
    maxRunning: settings.runs,
  })
}

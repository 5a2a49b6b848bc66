import { type TaskStatus, taskStatusSuccessors } from '@parley/contract'
import { DomainError } from '../domain-error.js'

/*
 * The life of a task. Done and cancelled end it, and it can be opened again; only work that was begun can fail.
 *
 *   open ◄──► in_progress ──► done, failed, cancelled
 *   open ──► done, cancelled
 *   failed ──► open, in_progress, cancelled
 *   done, cancelled ──► open
 */
export function requirePossibleStatus(from: TaskStatus, to: TaskStatus): void {
  if (from === to || taskStatusSuccessors[from].includes(to)) return
  const possible = taskStatusSuccessors[from].join(', ')
  throw new DomainError('Conflict', `A task that is ${from} cannot become ${to}; it can become ${possible}.`)
}

import { operations } from '@parley/contract'
import type { Services } from '../context.js'
import type { Router } from '../operation-route.js'

export function registerTaskRoutes({ read, write }: Router, { tasks }: Services): void {
  read(operations.listTasks, ({ caller, query }, stores) => tasks.list(stores, caller, query))
  write(operations.createTask, ({ caller, body }, stores) => tasks.create(stores, caller, body))
  read(operations.getTask, ({ caller, params }, stores) => tasks.read(stores, caller, params.taskId))
  write(operations.replaceTask, ({ caller, params, ifMatch, body }, stores) =>
    tasks.replace(stores, caller, params.taskId, ifMatch, body),
  )
  write(operations.patchTask, ({ caller, params, ifMatch, body }, stores) =>
    tasks.patch(stores, caller, params.taskId, ifMatch, body),
  )
  write(operations.deleteTask, ({ caller, params, ifMatch }, stores) =>
    tasks.remove(stores, caller, params.taskId, ifMatch),
  )
  write(operations.upsertTask, ({ caller, params, ifMatch, body }, stores) =>
    tasks.upsert(stores, caller, params.externalId, ifMatch, body),
  )
}

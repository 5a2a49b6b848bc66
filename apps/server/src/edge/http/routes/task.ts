import { operations } from '@parley/contract'
import type { Router } from '../operation-route.js'
import type { Services } from '../services.js'

export function registerTaskRoutes({ read, write, upsert }: Router, { tasks }: Services): void {
  read(operations.listTasks, ({ query }, scope) => tasks.list(scope, query))
  write(operations.createTask, ({ body }, scope) => tasks.create(scope, body))
  read(operations.getTask, ({ params }, scope) => tasks.read(scope, params.taskId))
  write(operations.replaceTask, ({ params, ifMatch, body }, scope) =>
    tasks.replace(scope, { id: params.taskId, ifMatch }, body),
  )
  write(operations.patchTask, ({ params, ifMatch, body }, scope) =>
    tasks.patch(scope, { id: params.taskId, ifMatch }, body),
  )
  write(operations.deleteTask, ({ params, ifMatch }, scope) =>
    tasks.remove(scope, { id: params.taskId, ifMatch }),
  )
  write(operations.runTask, ({ params, ifMatch }, scope) => tasks.run(scope, { id: params.taskId, ifMatch }))
  upsert(operations.upsertTask, ({ params, ifMatch, body }, scope) =>
    tasks.upsert(scope, { externalId: params.externalId, ifMatch }, body),
  )
}

import { makeOfflineModel, type OfflineModel } from '#engine/text-model/offline/offline-model.js'

let made: OfflineModel | undefined

/**
 * The offline model on a Sunday, at noon: it keeps nothing of what it is asked, but for what its sentences mean. One for
 * all test files of this worker, made by the first that needs it. It ends with the worker.
 */
export function sharedOfflineModel(): OfflineModel {
  made ??= makeOfflineModel({ now: () => new Date(2026, 10, 15, 12, 0) })
  return made
}

import { LiveStreams, type LiveStreamsDependencies } from '../domain/live/live-streams.js'

/** Live streams, woken by what is written here and by the signals of others. */
export function composeLive(dependencies: LiveStreamsDependencies): LiveStreams {
  const live = new LiveStreams(dependencies)
  dependencies.database.onChange((organizationIds) => {
    for (const id of organizationIds) live.wake(id)
  })
  dependencies.database.onLogEntry((organizationId) => live.wake(organizationId))
  return live
}
